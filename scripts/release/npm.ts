/**
 * The npm packages of a release, packed as `npm publish` takes them: `studio-bridge` with a launcher in JavaScript, and a
 * package with the executable for each target, of which npm installs the one that fits. None has an install script, because
 * package managers do not run them. They are packed here, because a folder can lose the modes of its files on the way to
 * the registry, and then the executable does not start.
 */
import { join } from "node:path";
import { home } from "../../src/version.ts";
import { tarGzAsync, textFile } from "./archive.ts";
import type { ArchiveFile } from "./archive.ts";
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
  ...(home === ""
    ? {}
    : {
        homepage: `${home}#readme`,
        repository: { type: "git", url: `git+${home}.git` },
        bugs: { url: `${home}/issues` },
      }),
};

/** The package with the executable of one target, and with the licences of what others wrote in it. */
export async function writeExecutablePackageAsync(
  version: string,
  target: Target,
  executable: Uint8Array,
  licences: string,
  folder: string,
): Promise<void> {
  const name = executableName(target);
  const manifest = {
    name: packageName(target),
    version,
    ...shared,
    os: [platforms[target.os]],
    cpu: [processors[target.architecture]],
    ...(target.libc === undefined ? {} : { libc: [target.libc === "gnu" ? "glibc" : "musl"] }),
    preferUnplugged: true,
  };
  await packAsync(folder, manifest, [
    { name, data: executable, isExecutable: true },
    textFile("THIRD-PARTY-LICENSES.txt", licences),
  ]);
}

/** The package that people name. */
export async function writeLauncherPackageAsync(
  version: string,
  targets: readonly Target[],
  folder: string,
): Promise<void> {
  const names = Object.fromEntries(targets.map((target) => [nodeSystem(target), packageName(target)]));
  const launcher = await Bun.file(join(import.meta.dir, "npm", "sb.mjs")).text();
  const filledIn = launcher.replace("const packages = {};", `const packages = ${JSON.stringify(names)};`);
  if (filledIn === launcher)
    throw new Error("scripts/release/npm/sb.mjs has no place for the names of packages");
  const manifest = {
    name: NAME,
    version,
    ...shared,
    type: "module",
    bin: { sb: "bin/sb.mjs", [NAME]: "bin/sb.mjs" },
    engines: { node: ">=20" },
    optionalDependencies: Object.fromEntries(targets.map((target) => [packageName(target), version])),
  };
  await packAsync(folder, manifest, [{ ...textFile("bin/sb.mjs", filledIn), isExecutable: true }]);
}

/** Writes the file that `npm pack` would, under its name; package.json comes first, so that it is found without the rest. */
async function packAsync(
  folder: string,
  manifest: { readonly name: string; readonly version: string },
  files: readonly ArchiveFile[],
): Promise<void> {
  const own = ["LICENSE", "README.md"].map(async (name) =>
    textFile(name, await Bun.file(join(root, name)).text()),
  );
  const all = [
    textFile("package.json", `${JSON.stringify(manifest, null, 2)}\n`),
    ...(await Promise.all(own)),
    ...files,
  ];
  const archive = await tarGzAsync(all.map((file) => ({ ...file, name: `package/${file.name}` })));
  const name = manifest.name.replace("@", "").replace("/", "-");
  await Bun.write(join(folder, `${name}-${manifest.version}.tgz`), archive);
}
