/**
 * `npm run release -- --out DIR [--tag vX.Y.Z] [--only NAME …] [--extras DIR]`: writes the files of a release into DIR, one
 * flat folder: an archive for each target, the plugin, the SBOM, both installers, and SHA256SUMS. `--extras` writes what
 * other places get: the release notes, the npm packages, and where the project has a home the manifests of Homebrew and
 * Scoop. `--tag` must be the version of package.json.
 */
import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildForAsync, commit } from "../../build.ts";
import packageJson from "../../package.json" with { type: "json" };
import { packPlugin } from "../../src/studio/plugin-package.ts";
import { home } from "../../src/version.ts";
import { buildPluginAsync } from "../build-plugin.ts";
import { releaseNotes } from "./changelog.ts";
import { CHECKSUMS, readChecksumsAsync, writeChecksumsAsync } from "./checksums.ts";
import { componentsAsync, licencesPage, softwareBillOfMaterials, withoutDoubles } from "./components.ts";
import type { Component } from "./components.ts";
import { executableFaults } from "./inspect.ts";
import { homebrewFormula, scoopManifest } from "./manifests.ts";
import { writeNpmPackagesAsync } from "./npm.ts";
import { writeArchiveAsync } from "./pack.ts";
import { executableName, targetNamed, targets } from "./targets.ts";
import type { Target } from "./targets.ts";

const root = join(import.meta.dir, "..", "..");
const { version } = packageJson;

interface Options {
  readonly out: string;
  readonly extras: string | undefined;
  readonly tag: string | undefined;
  readonly targets: readonly Target[];
}

/** What keeps a release from being made is one sentence on stderr. */
class ReleaseError extends Error {}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      out: { type: "string" },
      extras: { type: "string" },
      tag: { type: "string" },
      only: { type: "string", multiple: true },
    },
  });
  if (values.out === undefined) throw new ReleaseError("--out DIR says where the files go");
  return {
    out: resolve(values.out),
    extras: values.extras === undefined ? undefined : resolve(values.extras),
    tag: values.tag,
    targets: values.only?.map(targetNamed) ?? targets,
  };
}

/** A file that a former release left would be listed in SHA256SUMS. */
async function emptyFolderAsync(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new ReleaseError(`${folder} is not empty`);
}

/** Writes its archive, and returns what it contains of others. */
async function writeTargetAsync(target: Target, work: string, out: string): Promise<Component[]> {
  const startedAt = performance.now();
  const path = join(work, target.name, executableName(target));
  const inputs = await buildForAsync(target, path);
  const executable = await Bun.file(path).bytes();
  const faults = executableFaults(target, executable, [commit()]);
  if (faults.length > 0) throw new ReleaseError(`sb for ${target.name}: ${faults.join("; ")}`);
  const components = await componentsAsync(inputs);
  const name = await writeArchiveAsync(target, version, executable, licencesPage(components), out);
  const megabytes = (Bun.file(join(out, name)).size / 1e6).toFixed(1);
  console.error(`${name}  ${megabytes} MB  ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return components;
}

async function releaseAsync(options: Options): Promise<void> {
  const { out, extras, tag } = options;
  if (tag !== undefined && tag !== `v${version}`)
    throw new ReleaseError(`the tag is ${tag}, and package.json has version ${version}`);
  const notes = releaseNotes(await Bun.file(join(root, "docs", "CHANGELOG.md")).text(), version);
  await emptyFolderAsync(out);
  if (extras !== undefined) await emptyFolderAsync(extras);

  const work = await mkdtemp(join(out, ".work-"));
  try {
    const parts: Component[] = [];
    for (const target of options.targets) parts.push(...(await writeTargetAsync(target, work, out)));
    const sbom = softwareBillOfMaterials(version, withoutDoubles(parts));
    await Bun.write(join(out, `studio-bridge-${version}.cdx.json`), sbom);
    if (extras !== undefined)
      await writeNpmPackagesAsync(version, options.targets, work, join(extras, "npm"));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  const { tree } = await buildPluginAsync(version);
  await Bun.write(join(out, `studio-bridge-${version}-plugin.rbxm`), packPlugin(tree));
  await cp(join(root, "install.sh"), join(out, "install.sh"));
  await cp(join(import.meta.dir, "install.ps1"), join(out, "install.ps1"));
  await writeChecksumsAsync(out);
  if (extras !== undefined) await writeExtrasAsync(extras, out, notes);
  console.error(`wrote ${join(out, CHECKSUMS)}`);
}

async function writeExtrasAsync(folder: string, out: string, notes: string): Promise<void> {
  await Bun.write(join(folder, "NOTES.md"), notes);
  if (home === "") return;
  const release = { home, version, checksums: await readChecksumsAsync(out) };
  await Bun.write(join(folder, "studio-bridge.rb"), homebrewFormula(release));
  await Bun.write(join(folder, "studio-bridge.json"), scoopManifest(release));
}

try {
  await releaseAsync(readOptions());
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
