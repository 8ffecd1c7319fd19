import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileChanges } from "../../../src/util/file-changes.ts";

let folder: string;
let giveUp: AbortController;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-changes-"));
  giveUp = new AbortController();
});
afterEach(() => rm(folder, { recursive: true }));

const isLuau = (name: string) => name.endsWith(".luau");

test("a change of a watched file, or of a neighbour of its kind, is told; others are not", async () => {
  const path = join(folder, "main.txt");
  await writeFile(path, "1");
  using changes = new FileChanges([path], isLuau);
  await writeFile(join(folder, "notes.md"), "x");
  await writeFile(path, "2");
  expect(await changes.nextAsync(giveUp.signal)).toEqual(["main.txt"]);
  await writeFile(join(folder, "module.luau"), "x");
  expect(await changes.nextAsync(giveUp.signal)).toEqual(["module.luau"]);
});

test("a file that is replaced by a rename is told, and several writes in a row are one change", async () => {
  const path = join(folder, "main.luau");
  await writeFile(path, "1");
  using changes = new FileChanges([path], () => false);
  for (const text of ["2", "3", "4"]) await writeFile(path, text);
  await writeFile(`${path}.tmp`, "5");
  await rename(`${path}.tmp`, path);
  expect(await changes.nextAsync(giveUp.signal)).toEqual(["main.luau"]);
  const next = changes.nextAsync(giveUp.signal);
  await writeFile(path, "6");
  expect(await next).toEqual(["main.luau"]);
});

test("a change between two questions is not lost", async () => {
  const path = join(folder, "main.luau");
  await writeFile(path, "1");
  using changes = new FileChanges([path], () => false);
  using witness = new FileChanges([path], () => false);
  await writeFile(path, "2");
  await witness.nextAsync(giveUp.signal);
  expect(await changes.nextAsync(giveUp.signal)).toEqual(["main.luau"]);
});

test("giving up ends the wait", async () => {
  const path = join(folder, "main.luau");
  await writeFile(path, "1");
  using changes = new FileChanges([path], () => false);
  const next = changes.nextAsync(giveUp.signal);
  giveUp.abort();
  expect(await next).toBeUndefined();
});
