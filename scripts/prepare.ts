/** Everything that the binary embeds, written to build/. Quick when nothing changed. */
import packageJson from "../package.json" with { type: "json" };
import { buildClassesAsync } from "./build-classes.ts";
import { buildEngineAsync } from "./build-engine.ts";
import { buildLuauAsync } from "./build-luau.ts";
import { buildSnapshotAsync } from "./build-snapshot.ts";
import { writePackedPluginAsync } from "./pack-plugin.ts";

export interface Prepared {
  readonly pluginBuildId: string;
}

export async function prepareAsync(): Promise<Prepared> {
  await buildLuauAsync((line) => console.error(line));
  await buildClassesAsync();
  await buildEngineAsync();
  await buildSnapshotAsync();
  const { buildId } = await writePackedPluginAsync(packageJson.version);
  return { pluginBuildId: buildId };
}

if (import.meta.main) await prepareAsync();
