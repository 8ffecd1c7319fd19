/** Everything that the binary embeds, written to build/. Quick when nothing changed. */
import packageJson from "../package.json" with { type: "json" };
import { buildClassesAsync } from "./build-classes.ts";
import { buildDefinitionsAsync } from "./build-definitions.ts";
import { buildFontsAsync, buildOutlinesAsync } from "./build-fonts.ts";
import { buildLuauAsync } from "./build-luau.ts";
import { buildSignaturesAsync } from "./build-signatures.ts";
import { buildSnapshotAsync } from "./build-snapshot.ts";
import { writeSpecsAsync } from "./build-specs.ts";
import { compressAsync } from "./compress.ts";
import { writePluginAsync } from "./build-plugin.ts";

interface Prepared {
  readonly pluginBuildId: string;
}

export async function prepareAsync(): Promise<Prepared> {
  await compressAsync(await buildLuauAsync((line) => console.error(line)));
  await compressAsync(await buildClassesAsync());
  await compressAsync(await buildFontsAsync());
  await compressAsync(await buildOutlinesAsync());
  await compressAsync(await buildSignaturesAsync());
  await compressAsync(await buildDefinitionsAsync());
  await compressAsync(await writeSpecsAsync());
  const { buildId, tree, path } = await writePluginAsync(packageJson.version);
  await compressAsync(path);
  await compressAsync(await buildSnapshotAsync(tree));
  return { pluginBuildId: buildId };
}

if (import.meta.main) await prepareAsync();
