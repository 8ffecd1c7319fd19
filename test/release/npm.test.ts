/** The npm packages, installed by real package managers from a registry on this machine. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeSystem, writeNpmPackagesAsync } from "../../scripts/release/npm.ts";
import { executableName, hostTargetAsync, targets } from "../../scripts/release/targets.ts";
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
let registry: ReturnType<typeof serveRegistry>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-npm-"));
  for (const target of targets) {
    const path = join(folder, "built", target.name, executableName(target));
    await Bun.write(path, target === host ? standIn : "#!/bin/sh\necho the wrong one\n");
    await chmod(path, 0o755);
  }
  await writeNpmPackagesAsync("1.2.3", targets, join(folder, "built"), join(folder, "packages"));
  registry = serveRegistry(await packAllAsync());
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
  readonly manifest: Manifest;
  readonly file: string;
}

async function packAllAsync(): Promise<Packed[]> {
  const names = await readdir(join(folder, "packages"));
  return await Promise.all(
    names.map(async (name) => {
      const path = join(folder, "packages", name);
      const { stdout } = await runAsync(["npm", "pack", "--silent", "--pack-destination", folder, path]);
      return { manifest: await Bun.file(join(path, "package.json")).json(), file: stdout.trim() };
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

test("every target has a package that says which system it is for, and no package has an install script", async () => {
  const systems = await Promise.all(
    targets.map(async (target) => {
      const { name, os, cpu, libc, scripts }: Manifest = await Bun.file(
        join(folder, "packages", nodeSystem(target), "package.json"),
      ).json();
      return [name, os, cpu, libc, scripts];
    }),
  );
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
  const launcher: Manifest = await Bun.file(join(folder, "packages", "studio-bridge", "package.json")).json();
  expect(launcher.scripts).toBeUndefined();
  expect(Object.keys(launcher.optionalDependencies ?? {})).toEqual(systems.map(([name]) => String(name)));
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
