/** The layer over the real system: programs, private files. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskFiles, thisMachine } from "../../../src/studio/machine.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-machine-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe("programs", () => {
  const print = (text: string) => [process.execPath, "-e", `setTimeout(() => console.log("${text}"), 20)`];

  test("are heard out", async () => {
    expect(await thisMachine().runAsync(print("hello"), 10_000)).toBe("hello\n");
  });

  test("that do not exist are an error", async () => {
    await expect(thisMachine().runAsync(["no-such-program"], 1_000)).rejects.toThrow();
  });

  test("that are started go on alone, and can be ended", async () => {
    const wait = [process.execPath, "-e", "setInterval(() => {}, 1000)"];
    const { pid, exited } = thisMachine().start(wait, {});
    expect(thisMachine().end(pid, { group: true })).toBe(true);
    expect(await exited).not.toBe(0);
    expect(thisMachine().end(pid, { group: true })).toBe(false);
  });
});

describe("private files", () => {
  test.skipIf(process.platform === "win32")("can be read by their owner only", () => {
    const path = join(folder, "private");
    diskFiles.writePrivate(path, "text");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("replace what was there, and leave no draft", () => {
    const path = join(folder, "sub", "file");
    diskFiles.makePrivateFolder(join(folder, "sub"));
    diskFiles.writePrivate(path, "one");
    diskFiles.writePrivate(path, "two");
    expect(new TextDecoder().decode(diskFiles.read(path))).toBe("two");
    expect(readdirSync(join(folder, "sub"))).toEqual(["file"]);
  });

  test("that cannot get their name leave what was there", () => {
    const path = join(folder, "taken");
    diskFiles.makeFolder(join(path, "inside"));
    expect(() => diskFiles.writePrivate(path, "text")).toThrow();
    expect(existsSync(join(path, "inside"))).toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith(".draft"))).toEqual([]);
  });
});
