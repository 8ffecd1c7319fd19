/**
 * The npm packages of a release: `studio-bridge` with a launcher in JavaScript, and a package with the executable for each
 * target, of which npm installs the one that fits. None has an install script, because package managers do not run them.
 */
import { chmod, copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { executableName } from "./targets.ts";
import type { Target } from "./targets.ts";

const NAME = "studio-bridge";
const root = join(import.meta.dir, "..", "..");

const platforms = { linux: "linux", macos: "darwin", windows: "win32" } as const;
const processors = { x86_64: "x64", aarch64: "arm64" } as const;

/** As Node names the system, with `-musl` where its libc is musl. */
export function nodeSystem({ os, architecture, libc }: Target): string {
  return `${platforms[os]}-${processors[architecture]}${libc === "musl" ? "-musl" : ""}`;
}

const packageName = (target: Target): string => `@${NAME}/${nodeSystem(target)}`;

const shared = {
  description: "Drive Roblox Studio, or a headless one, from the command line, a REPL and MCP agents.",
  license: "MIT",
};

/** Makes a folder for each package; `built` has the executables, each in the folder of its target. */
export async function writeNpmPackagesAsync(
  version: string,
  targets: readonly Target[],
  built: string,
  folder: string,
): Promise<void> {
  for (const target of targets) await writeExecutablePackageAsync(version, target, built, folder);
  await writeLauncherPackageAsync(version, targets, folder);
}

async function writeExecutablePackageAsync(
  version: string,
  target: Target,
  built: string,
  folder: string,
): Promise<void> {
  const own = join(folder, nodeSystem(target));
  const executable = executableName(target);
  await mkdir(own, { recursive: true });
  await copyFile(join(built, target.name, executable), join(own, executable));
  await chmod(join(own, executable), 0o755);
  await writeCommonAsync(own, {
    name: packageName(target),
    version,
    ...shared,
    os: [platforms[target.os]],
    cpu: [processors[target.architecture]],
    ...(target.libc === undefined ? {} : { libc: [target.libc === "gnu" ? "glibc" : "musl"] }),
    files: [executable],
    preferUnplugged: true,
  });
}

async function writeLauncherPackageAsync(
  version: string,
  targets: readonly Target[],
  folder: string,
): Promise<void> {
  const own = join(folder, NAME);
  const names = Object.fromEntries(targets.map((target) => [nodeSystem(target), packageName(target)]));
  const launcher = await Bun.file(join(import.meta.dir, "npm", "sb.mjs")).text();
  const filledIn = launcher.replace("const packages = {};", `const packages = ${JSON.stringify(names)};`);
  if (filledIn === launcher)
    throw new Error("scripts/release/npm/sb.mjs has no place for the names of packages");
  await Bun.write(join(own, "bin", "sb.mjs"), filledIn, { mode: 0o755 });
  await writeCommonAsync(own, {
    name: NAME,
    version,
    ...shared,
    type: "module",
    bin: { sb: "bin/sb.mjs", [NAME]: "bin/sb.mjs" },
    files: ["bin"],
    engines: { node: ">=20" },
    optionalDependencies: Object.fromEntries(targets.map((target) => [packageName(target), version])),
  });
}

async function writeCommonAsync(folder: string, manifest: object): Promise<void> {
  await Bun.write(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const file of ["LICENSE", "README.md"]) await copyFile(join(root, file), join(folder, file));
}
