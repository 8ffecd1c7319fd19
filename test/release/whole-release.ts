/**
 * The long checks before a release, which `npm run test:release` runs: a fresh clone makes all files, another clone makes the
 * same bytes, and this machine starts what it can of other systems. A test is skipped, and its name says why, where what it
 * needs is missing; docs/releasing.md says how to get it.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import packageJson from "../../package.json" with { type: "json" };
import { readChecksumsAsync } from "../../scripts/release/checksums.ts";
import { archiveName, targetNamed, targets } from "../../scripts/release/targets.ts";
import { freePort, outcomeAsync } from "../harness.ts";
import type { Outcome } from "../harness.ts";

const root = join(import.meta.dir, "..", "..");
const { version } = packageJson;

let folder: string;
let clone: string;
let release: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-whole-"));
  clone = join(folder, "clone");
  release = await releaseOfCloneAsync(root, clone);
}, 900_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function runAsync(
  words: readonly string[],
  env: { [name: string]: string } = {},
  cwd = folder,
): Promise<Outcome> {
  const child = Bun.spawn([...words], {
    cwd,
    env: { ...process.env, ...env },
    stdin: new Blob([]),
    stdout: "pipe",
    stderr: "pipe",
  });
  return await outcomeAsync(child);
}

async function mustRunAsync(
  words: readonly string[],
  env: { [name: string]: string } = {},
  cwd = folder,
): Promise<string> {
  const { exitCode, stdout, stderr } = await runAsync(words, env, cwd);
  if (exitCode !== 0) throw new Error(`${words.join(" ")} ended with ${exitCode}:\n${stdout}${stderr}`);
  return stdout;
}

/** What was committed last, built and packed from nothing but the runtimes that have been fetched. */
async function releaseOfCloneAsync(source: string, clone: string): Promise<string> {
  await mustRunAsync(["git", "clone", "--quiet", source, clone]);
  await mkdir(join(root, ".tools", "runtimes"), { recursive: true });
  await mkdir(join(clone, ".tools"));
  await symlink(join(root, ".tools", "runtimes"), join(clone, ".tools", "runtimes"));
  await mustRunAsync([process.execPath, "install", "--frozen-lockfile", "--silent"], {}, clone);
  const out = join(clone, "dist", "release");
  const words = ["scripts/release/index.ts", "--out", out, "--extras", join(clone, "dist", "extras")];
  await mustRunAsync([process.execPath, ...words], {}, clone);
  return out;
}

test("a release has an archive for every system and what accompanies them, each with its checksum", async () => {
  const names = await readdir(release);
  const wanted = [
    ...targets.map((target) => archiveName(target, version)),
    `studio-bridge-${version}-plugin.rbxm`,
    `studio-bridge-${version}.cdx.json`,
    "install.sh",
    "install.ps1",
  ];
  expect(names.toSorted()).toEqual([...wanted, "SHA256SUMS"].toSorted());
  expect([...(await readChecksumsAsync(release)).keys()]).toEqual(wanted.toSorted());
  expect(await readdir(join(release, "..", "extras", "npm"))).toHaveLength(targets.length + 1);
});

test("another clone in another place gives the same bytes", async () => {
  // Of the first one, so that a commit meanwhile is in neither.
  const other = await releaseOfCloneAsync(clone, join(folder, "a clone with a longer name", "below"));
  expect(await readChecksumsAsync(other)).toEqual(await readChecksumsAsync(release));
}, 900_000);

test("this machine installs it as people do, and runs it", async () => {
  const script = join(root, "scripts", "release", "try.mjs");
  const env = { XDG_STATE_HOME: join(folder, "state"), SB_PORT: String(freePort()) };
  const stdout = await mustRunAsync(["node", script, release, join(release, "..", "extras")], env);
  expect(stdout.match(/^ok {2}.*$/gm)).toHaveLength(5);
}, 120_000);

const sum = "return 6 * 7";

/** The folder with the executable of an archive. */
async function unpackedAsync(name: string): Promise<string> {
  const target = targetNamed(name);
  const own = join(folder, name);
  await mkdir(own, { recursive: true });
  const archive = join(release, archiveName(target, version));
  if (target.os === "windows") {
    const { "sb.exe": executable } = unzipSync(await Bun.file(archive).bytes());
    await Bun.write(join(own, "sb.exe"), executable ?? "");
  } else await mustRunAsync(["tar", "-xzf", archive, "-C", own, "sb"]);
  return own;
}

function missing(programs: readonly string[], variable?: string): string {
  const program = programs.find((each) => Bun.which(each) === null && !existsSync(each));
  if (program !== undefined) return ` (skipped: no ${program})`;
  const value = variable === undefined ? "/" : process.env[variable];
  return value !== undefined && existsSync(value) ? "" : ` (skipped: ${variable} names no folder)`;
}

const withoutMusl = missing(["bwrap"], "SB_TEST_MUSL_ROOT");
test.skipIf(withoutMusl !== "")(
  `musl: sb runs as another user on a system that cannot be written to${withoutMusl}`,
  async () => {
    const sb = join(await unpackedAsync("linux-x86_64-musl"), "sb");
    const inside = [
      "--ro-bind",
      process.env["SB_TEST_MUSL_ROOT"] ?? "",
      "/",
      "--proc",
      "/proc",
      "--dev",
      "/dev",
    ];
    const own = [
      "--tmpfs",
      "/tmp",
      "--ro-bind",
      sb,
      "/tmp/sb",
      "--unshare-all",
      "--uid",
      "1000",
      "--clearenv",
    ];
    const sbAsync = (...words: string[]) => mustRunAsync(["bwrap", ...inside, ...own, "/tmp/sb", ...words]);
    expect(await sbAsync("--version")).toBe(`${version}\n`);
    expect(await sbAsync("exec", "--headless", sum)).toBe("42\n");
  },
  120_000,
);

const qemu = "/usr/bin/qemu-aarch64-static";
const withoutArm = missing(["unshare", qemu], "SB_TEST_ARM64_ROOT");
test.skipIf(withoutArm !== "")(
  `arm64: sb runs under qemu${withoutArm}`,
  async () => {
    const sb = join(await unpackedAsync("linux-aarch64-gnu"), "sb");
    // Since Linux 6.7, a user namespace has a list of its own of what runs foreign programs.
    const magic = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`;
    const mask = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`;
    const inside = `set -e
      mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
      printf '%s' ':qemu-aarch64:M::${magic}:${mask}:${qemu}:F' >/proc/sys/fs/binfmt_misc/register
      mount --rbind /proc "$1/proc"; mount --rbind /dev "$1/dev"; mount -t tmpfs none "$1/tmp"
      cp "$2" "$1/tmp/sb"
      exec chroot "$1" /bin/sh -c 'export HOME=/tmp; /tmp/sb --version; /tmp/sb exec --headless "$0"' "$3"`;
    const words = [
      "unshare",
      "-Urmn",
      "sh",
      "-c",
      inside,
      "sh",
      process.env["SB_TEST_ARM64_ROOT"] ?? "",
      sb,
      sum,
    ];
    expect(await mustRunAsync(words)).toBe(`${version}\n42\n`);
  },
  300_000,
);

const wine = Bun.which("wine64") ?? "/usr/lib/wine/wine64";
const compiler = "x86_64-w64-mingw32-gcc";
const withoutWine = missing([wine, compiler]);
test.skipIf(withoutWine !== "")(
  `Windows: sb runs under Wine${withoutWine}`,
  async () => {
    const own = await unpackedAsync("windows-x86_64");
    await chmod(join(own, "sb.exe"), 0o755);
    await addRandomNumbersAsync(own);
    const env = { WINEPREFIX: join(folder, "wine"), WINEDEBUG: "-all" };
    const wineAsync = (...words: string[]) => mustRunAsync([wine, ...words], env, own);
    try {
      await wineAsync("wineboot", "-i");
      await wineAsync("reg", "add", String.raw`HKCU\Software\Wine`, "/v", "Version", "/d", "win10", "/f");
      expect((await wineAsync("sb.exe", "--version")).trim()).toBe(version);
      expect((await wineAsync("sb.exe", "exec", "--headless", sum)).trim()).toBe("42");
    } finally {
      await wineAsync("wineboot", "-k");
    }
  },
  300_000,
);

/** Wine 8 lacks this library of Windows, which Bun takes its random numbers from. */
async function addRandomNumbersAsync(own: string): Promise<void> {
  await Bun.write(
    join(own, "random.c"),
    `#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID data, ULONG size);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
  return SystemFunction036(data, (ULONG)size);
}
`,
  );
  await mustRunAsync([compiler, "-shared", "-o", "bcryptprimitives.dll", "random.c", "-ladvapi32"], {}, own);
}
