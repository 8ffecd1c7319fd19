/** The npm packages, installed by real package managers from a registry on this machine. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackTar } from "modern-tar";
import {
  nodeSystem,
  writeExecutablePackageAsync,
  writeLauncherPackageAsync,
} from "../../scripts/release/npm.ts";
import { hostTargetAsync, targets } from "../../scripts/release/targets.ts";
import { outcomeAsync, untilAsync } from "../harness.ts";

const host = await hostTargetAsync();
const missingNpm =
  Bun.which("npm") === null || host === undefined || host.os === "windows" ? " (skipped: no npm here)" : "";

/** Says its arguments, ends with 7, and with `wait` stays until it gets a signal. */
const standIn = `#!/bin/sh
if [ "$1" = wait ]; then trap 'echo got TERM; exit 9' TERM; echo waiting; while :; do sleep 0.05; done; fi
echo "$@"
exit 7
`;

let folder: string;
let packages: readonly Packed[];
let registry: ReturnType<typeof serveRegistry>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-npm-"));
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  for (const target of targets) {
    const executable = bytesOf(target === host ? standIn : "#!/bin/sh\necho the wrong one\n");
    await writeExecutablePackageAsync("1.2.3", target, executable, "licences", folder);
  }
  await writeLauncherPackageAsync("1.2.3", targets, folder);
  packages = await readPackagesAsync();
  registry = serveRegistry(packages);
});
afterAll(async () => {
  await registry.stop(true);
  await rm(folder, { recursive: true, force: true });
});

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly scripts?: object;
  readonly optionalDependencies?: { readonly [name: string]: string };
  readonly [field: string]: unknown;
}

interface Packed {
  readonly file: string;
  readonly manifest: Manifest;
  /** The mode of each file by its name. */
  readonly modes: { readonly [name: string]: number | undefined };
}

async function readPackagesAsync(): Promise<Packed[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".tgz")).toSorted();
  return await Promise.all(
    files.map(async (file) => {
      const entries = await unpackTar(Bun.gunzipSync(await Bun.file(join(folder, file)).bytes()));
      const text = new TextDecoder().decode(entries[0]?.data);
      const modes = Object.fromEntries(entries.map(({ header }) => [header.name, header.mode]));
      return { file, manifest: JSON.parse(text), modes };
    }),
  );
}

/** As much of npm's registry as installing asks for. */
function serveRegistry(packages: readonly Packed[]) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { origin, pathname } = new URL(request.url);
      const path = decodeURIComponent(pathname).slice(1);
      const file = packages.find((each) => each.file === path)?.file;
      if (file !== undefined) return new Response(Bun.file(join(folder, file)));
      const found = packages.find(({ manifest }) => manifest.name === path);
      if (found === undefined) return new Response("{}", { status: 404 });
      const bytes = await Bun.file(join(folder, found.file)).bytes();
      const integrity = `sha512-${new Bun.CryptoHasher("sha512").update(bytes).digest("base64")}`;
      const { name, version } = found.manifest;
      const entry = { ...found.manifest, dist: { tarball: `${origin}/${found.file}`, integrity } };
      return Response.json({ name, "dist-tags": { latest: version }, versions: { [version]: entry } });
    },
  });
}

const environment = () => ({
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  npm_config_cache: join(folder, "cache"),
  npm_config_update_notifier: "false",
});

function spawn(words: readonly string[], cwd: string) {
  return Bun.spawn([...words], {
    cwd,
    env: environment(),
    stdin: new Blob([]),
    stdout: "pipe",
    stderr: "pipe",
  });
}

const runAsync = (words: readonly string[], cwd = folder) => outcomeAsync(spawn(words, cwd));

async function projectAsync(name: string): Promise<string> {
  const project = join(folder, name);
  await Bun.write(join(project, "package.json"), "{}");
  return project;
}

const npmInstall = () => ["npm", "install", "--no-audit", "--no-fund", "--registry", registry.url.href];

const packageNamed = (name: string): Packed | undefined =>
  packages.find(({ manifest }) => manifest.name === name);

test("every target has a package that says which system it is for, and no package has an install script", () => {
  const systems = targets.map((target) => {
    const manifest = packageNamed(`@studio-bridge/${nodeSystem(target)}`)?.manifest;
    return ["name", "os", "cpu", "libc", "scripts"].map((field) => manifest?.[field]);
  });
  expect(systems).toEqual([
    ["@studio-bridge/linux-x64", ["linux"], ["x64"], ["glibc"], undefined],
    ["@studio-bridge/linux-x64-musl", ["linux"], ["x64"], ["musl"], undefined],
    ["@studio-bridge/linux-arm64", ["linux"], ["arm64"], ["glibc"], undefined],
    ["@studio-bridge/linux-arm64-musl", ["linux"], ["arm64"], ["musl"], undefined],
    ["@studio-bridge/darwin-arm64", ["darwin"], ["arm64"], undefined, undefined],
    ["@studio-bridge/darwin-x64", ["darwin"], ["x64"], undefined, undefined],
    ["@studio-bridge/win32-x64", ["win32"], ["x64"], undefined, undefined],
    ["@studio-bridge/win32-arm64", ["win32"], ["arm64"], undefined, undefined],
  ]);
  const launcher = packageNamed("studio-bridge")?.manifest;
  expect(launcher?.scripts).toBeUndefined();
  expect(Object.keys(launcher?.optionalDependencies ?? {})).toEqual(systems.map(([name]) => String(name)));
});

test("a package keeps the modes of its files, has the licences, and is named as npm names it", () => {
  expect(packages.map(({ file }) => file)).toContain("studio-bridge-linux-x64-1.2.3.tgz");
  expect(packageNamed("studio-bridge")?.file).toBe("studio-bridge-1.2.3.tgz");
  for (const name of ["package/package.json", "package/LICENSE", "package/README.md"])
    expect(packages.map(({ modes }) => modes[name])).toEqual(packages.map(() => 0o644));
  const executables = packages.filter(({ manifest }) => manifest.os !== undefined);
  expect(executables).toHaveLength(targets.length);
  for (const { modes, manifest } of executables) {
    expect(modes[String(manifest.os) === "win32" ? "package/sb.exe" : "package/sb"]).toBe(0o755);
    expect(modes["package/THIRD-PARTY-LICENSES.txt"]).toBe(0o644);
  }
});

describe.skipIf(missingNpm !== "")(`the installed launcher${missingNpm}`, () => {
  test.each([
    ["npm", npmInstall],
    ["bun", () => [process.execPath, "add", "--registry", registry.url.href]],
  ])("of %s passes on arguments and the exit code", async (manager, install) => {
    const project = await projectAsync(`with-${manager}`);
    const installed = await runAsync([...install(), "studio-bridge"], project);
    expect([installed.exitCode, installed.stderr]).toEqual([0, expect.any(String)]);
    const { stdout, exitCode, stderr } = await runAsync(["node_modules/.bin/sb", "a b", "--c"], project);
    expect([stdout, exitCode, stderr]).toEqual(["a b --c\n", 7, ""]);
    expect(await readdir(join(project, "node_modules", "@studio-bridge"))).toEqual([
      host === undefined ? "" : nodeSystem(host),
    ]);
  });

  test("passes on a signal, and ends as sb ends", async () => {
    const project = await projectAsync("signals");
    await runAsync([...npmInstall(), "studio-bridge"], project);
    const child = spawn(["node_modules/.bin/sb", "wait"], project);
    const outcome = outcomeAsync(child);
    await untilAsync("sb waits", () => hasChild(child.pid));
    child.kill("SIGTERM");
    const { stdout, exitCode } = await outcome;
    expect([stdout, exitCode]).toEqual(["waiting\ngot TERM\n", 9]);
  });

  test("says which package is missing", async () => {
    const project = await projectAsync("without");
    await runAsync([...npmInstall(), "--omit=optional", "studio-bridge"], project);
    const { exitCode, stderr } = await runAsync(["node_modules/.bin/sb"], project);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "is not installed. Install studio-bridge again, without leaving out optional packages.",
    );
  });
});

/** Whether the stand-in has come as far as its loop. */
function hasChild(pid: number): true | undefined {
  const children = (of: number) =>
    Bun.spawnSync(["ps", "-o", "pid=", "--ppid", String(of)])
      .stdout.toString()
      .trim();
  const [sb] = children(pid).split("\n");
  return sb !== undefined && sb !== "" && children(Number(sb)) !== "" ? true : undefined;
}
