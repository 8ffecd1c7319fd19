/**
 * `npm run release -- --out DIR [--tag vX.Y.Z] [--only NAME …] [--extras DIR] [--xz]`: writes the files of a release into DIR, one
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
import { componentsAsync, withoutDoubles } from "./components.ts";
import type { Component } from "./components.ts";
import { tagFactsAsync, tagFaults } from "./gate.ts";
import { executableFaults } from "./inspect.ts";
import { licencesPageAsync } from "./licences-page.ts";
import { homebrewFormula, scoopManifest } from "./manifests.ts";
import { writeExecutablePackageAsync, writeLauncherPackageAsync } from "./npm.ts";
import { writeArchiveAsync } from "./pack.ts";
import { softwareBillOfMaterials } from "./sbom.ts";
import { executableName, targetNamed, targets } from "./targets.ts";
import type { Target } from "./targets.ts";

const root = join(import.meta.dir, "..", "..");
const { version } = packageJson;

interface Options {
  readonly out: string;
  readonly extras: string | undefined;
  readonly tag: string | undefined;
  readonly targets: readonly Target[];
  readonly xz: boolean;
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
      xz: { type: "boolean", default: false },
    },
  });
  if (values.out === undefined) throw new ReleaseError("--out DIR says where the files go");
  return {
    out: resolve(values.out),
    extras: values.extras === undefined ? undefined : resolve(values.extras),
    tag: values.tag,
    targets: values.only?.map(targetNamed) ?? targets,
    xz: values.xz,
  };
}

/** A file that a former release left would be listed in SHA256SUMS. */
async function emptyFolderAsync(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new ReleaseError(`${folder} is not empty`);
}

/** Writes its archive and its npm package, and returns what it contains of others. */
async function writeTargetAsync(target: Target, work: string, options: Options): Promise<Component[]> {
  const { out, extras } = options;
  const startedAt = performance.now();
  const path = join(work, target.name, executableName(target));
  const inputs = await buildForAsync(target, path);
  const executable = await Bun.file(path).bytes();
  const faults = executableFaults(target, executable, [commit()]);
  if (faults.length > 0) throw new ReleaseError(`sb for ${target.name}: ${faults.join("; ")}`);
  const components = await componentsAsync(inputs);
  const licences = await licencesPageAsync(components);
  const name = await writeArchiveAsync(target, version, executable, licences, out, options.xz);
  if (extras !== undefined)
    await writeExecutablePackageAsync(version, target, executable, licences, npmFolder(extras));
  const megabytes = (Bun.file(join(out, name)).size / 1e6).toFixed(1);
  console.error(`${name}  ${megabytes} MB  ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return components;
}

const npmFolder = (extras: string): string => join(extras, "npm");

async function releaseAsync(options: Options): Promise<void> {
  const { out, extras, tag } = options;
  if (tag !== undefined) {
    const hasAllTargets = options.targets.length === targets.length;
    const faults = tagFaults(await tagFactsAsync({ tag, version, home, hasAllTargets }));
    if (faults.length > 0) throw new ReleaseError(`${tag} cannot be released\n${faults.join("\n")}`);
  }
  const notes = releaseNotes(await Bun.file(join(root, "docs", "CHANGELOG.md")).text(), version);
  await emptyFolderAsync(out);
  if (extras !== undefined) await emptyFolderAsync(extras);

  const work = await mkdtemp(join(out, ".work-"));
  try {
    const parts: Component[] = [];
    for (const target of options.targets) parts.push(...(await writeTargetAsync(target, work, options)));
    const sbom = softwareBillOfMaterials(version, withoutDoubles(parts));
    await Bun.write(join(out, `studio-bridge-${version}.cdx.json`), sbom);
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
  await writeLauncherPackageAsync(version, targets, npmFolder(folder));
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
