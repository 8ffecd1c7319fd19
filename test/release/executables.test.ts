/**
 * The executables of a release, judged without running them. Besides the one for this machine, an Intel Mac's and a Windows
 * one are built; a test is skipped, and its name says why, where the runtime of its target cannot be fetched.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binaryPath, buildForAsync, commit } from "../../build.ts";
import { executableFaults } from "../../scripts/release/inspect.ts";
import { signAdHoc, signatureFaults } from "../../scripts/release/macho.ts";
import { runtimeAsync } from "../../scripts/release/runtimes.ts";
import { windowsNames } from "../../scripts/release/windows-resources.mjs";
import { executableName, hostTargetAsync, targetNamed, targets } from "../../scripts/release/targets.ts";

const host = await hostTargetAsync();
const others = await Promise.all(
  ["macos-x86_64", "windows-x86_64"].map(targetNamed).map(async (target) => ({
    target,
    reason: await runtimeAsync(target).then(
      () => undefined,
      (error: unknown) => String(error).split("\n")[0],
    ),
  })),
);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-release-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the names of the targets are those that people choose their file by", () => {
  expect(targets.map(({ name }) => name)).toEqual([
    "linux-x86_64-gnu",
    "linux-x86_64-musl",
    "linux-aarch64-gnu",
    "linux-aarch64-musl",
    "macos-aarch64",
    "macos-x86_64",
    "windows-x86_64",
    "windows-aarch64",
  ]);
});

test.skipIf(host === undefined)(
  "this machine's executable is for this machine, needs nothing unusual, and contains our code",
  async () => {
    if (host === undefined) throw new Error("no target");
    const file = await Bun.file(binaryPath).bytes();
    expect(executableFaults(host, file, [])).toEqual([]);
    expect(executableFaults(host, file, ["words that are nowhere in sb"])).toHaveLength(1);
    const wrong = targets.find(
      ({ os, architecture }) => os === host.os && architecture !== host.architecture,
    );
    if (wrong === undefined) throw new Error("no other architecture");
    expect(executableFaults(wrong, file, [])[0]).toStartWith("it is for processor");
  },
);

test.skipIf(host === undefined)("sb says which system it was built for, and from which commit", () => {
  const { stdout } = Bun.spawnSync([binaryPath, "version", "--json"]);
  const { target, commit: from } = JSON.parse(stdout.toString());
  expect([target, from]).toEqual([host?.name, expect.stringMatching(/^([0-9a-f]{40}(-dirty)?|unknown)$/)]);
});

describe.each(others)("for $target.name", ({ target, reason }) => {
  const why = reason === undefined ? "" : ` (skipped: ${reason})`;

  test.skipIf(reason !== undefined)(`the executable is built here and has no fault${why}`, async () => {
    const path = join(folder, target.name, executableName(target));
    await buildForAsync(target, path);
    const file = await Bun.file(path).bytes();
    expect(executableFaults(target, file, [commit()])).toEqual([]);
    if (target.os === "macos") expectSignatureFaults(file);
    if (target.os === "windows") expectOwnNames(file);
  });
});

/** Without them, Windows would call it Bun. */
function expectOwnNames(file: Uint8Array): void {
  const { strings, icons } = windowsNames(file) ?? {};
  expect(strings).toMatchObject({ ProductName: "studio-bridge", OriginalFilename: "sb.exe" });
  expect(strings).not.toHaveProperty("CompanyName");
  expect(icons).toEqual([16, 32, 48, 256]);
}

/** macOS ends a program whose pages are not those that were signed. */
function expectSignatureFaults(file: Uint8Array): void {
  const changed = file.slice();
  changed[5_000_000] = 255 - (changed[5_000_000] ?? 0);
  expect(signatureFaults(changed)).toEqual([expect.stringContaining("1 of its")]);
  expect(signatureFaults(signAdHoc(changed, "studio-bridge"))).toEqual([]);
  expect(signatureFaults(Buffer.concat([file, Buffer.alloc(8)]))).toEqual([
    "its signature is not the end of the file",
    "its last segment is not the end of the file",
  ]);
}
