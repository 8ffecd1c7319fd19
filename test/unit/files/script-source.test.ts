/** A script is read as strict text, and each way that fails has its sentence. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  chunkNameOf,
  decodeScript,
  readScriptFileAsync,
  SCRIPT_LIMIT_BYTES,
} from "../../../src/files/script-source.ts";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";

/** A user id that owns nothing. */
const UNPRIVILEGED = 65_534;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-source-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function readAsync(name: string, content?: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  if (content !== undefined) await Bun.write(path, content);
  try {
    const source = await readScriptFileAsync(path);
    expect(source.name).toBe(path);
    return source.text;
  } catch (error) {
    if (!(error instanceof StudioBridgeError)) throw error;
    expect({ code: error.code, isHinted: error.hint !== "" }).toEqual({ code: "FILE_ERROR", isHinted: true });
    return error.message.replace(path, name);
  }
}

test("text is read whole, without a byte order mark", async () => {
  expect(await readAsync("plain.luau", "print('é')\r\n")).toBe("print('é')\r\n");
  expect(await readAsync("bom.luau", "\ufeffprint(1)")).toBe("print(1)");
  expect(await readAsync("empty.luau", "")).toBe("");
});

test("a line that names an interpreter is no code, and keeps its number", async () => {
  expect(await readAsync("tool.luau", "#!/usr/bin/env -S sb run\r\nprint(1)")).toBe("\r\nprint(1)");
  expect(await readAsync("bom-tool.luau", "\ufeff#!/usr/bin/sb\nprint(1)")).toBe("\nprint(1)");
  expect(await readAsync("later.luau", "print(1)\n#!x")).toBe("print(1)\n#!x");
});

test("a missing file", async () => {
  expect(await readAsync("missing.luau")).toBe("Could not read script file: missing.luau: no such file");
});

test("a folder", async () => {
  await mkdir(join(folder, "folder"));
  expect(await readAsync("folder")).toBe("Could not read script file: folder: it is a folder");
});

test("a binary file", async () => {
  const bytes = new Uint8Array([0x1b, 0x4c, 0x00]);
  expect(await readAsync("binary", bytes)).toBe("Could not read script file: binary: it is not a text file");
});

test("invalid UTF-8, with its place", async () => {
  const bytes = new Uint8Array([...Buffer.from("print(1)\nlocal é = '"), 0xe9, ...Buffer.from("'\n")]);
  expect(await readAsync("latin1", bytes)).toBe(
    "Could not read script file: latin1: not valid UTF-8 at line 2, byte 13",
  );
});

test("a character cut off at the end", () => {
  expect(() => decodeScript(new Uint8Array([0x61, 0xe2, 0x82]), "stdin")).toThrow(
    "Could not read script file: stdin: not valid UTF-8 at line 1, byte 2",
  );
});

test("a file over the limit, and one of exactly the limit", async () => {
  const largest = "x".repeat(SCRIPT_LIMIT_BYTES);
  expect((await readAsync("largest", largest)).length).toBe(SCRIPT_LIMIT_BYTES);
  expect(await readAsync("larger", `${largest}x`)).toBe(
    "Could not read script file: larger: it has 5.0 MB, the limit is 5 MB",
  );
});

test.skipIf(process.platform === "win32")("an unreadable file", async () => {
  await Bun.write(join(folder, "secret"), "print(1)");
  await chmod(join(folder, "secret"), 0o000);
  await chmod(folder, 0o755);
  // Root can read everything, so the test acts as another user for a moment.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(UNPRIVILEGED);
  try {
    expect(await readAsync("secret")).toBe("Could not read script file: secret: permission denied");
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

test("a chunk name fits the wire and keeps its end", () => {
  expect(chunkNameOf("a.luau")).toBe("a.luau");
  const long = chunkNameOf(`${"d/".repeat(200)}end.luau`);
  expect(long).toHaveLength(256);
  expect(long).toEndWith("d/end.luau");
});
