/** Places that Studios left unsaved: their names, how many are kept, and what a killed process leaves. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  findKeptPlaceAsync,
  keepPlaceAsync,
  listKeptPlacesAsync,
} from "../../../src/headless/kept-places.ts";

const MEGABYTE = 1024 * 1024;
const before = process.env["XDG_STATE_HOME"];
let home = "";

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "kept-"));
  process.env["XDG_STATE_HOME"] = home;
});
afterEach(async () => {
  if (before === undefined) delete process.env["XDG_STATE_HOME"];
  else process.env["XDG_STATE_HOME"] = before;
  await rm(home, { recursive: true });
});

/** The size is that of a file with a hole, which takes no room. */
const keepAsync = async (placeName: string, size = 10) => {
  // The time of a place orders the list.
  await Bun.sleep(2);
  return keepPlaceAsync({ placeName }, async (path) => {
    await writeFile(path, "");
    await truncate(path, size);
  });
};
const namesAsync = async () => (await listKeptPlacesAsync()).map(({ placeName }) => placeName);

test("a place is found by its name, which can be typed and leads nowhere else", async () => {
  const { name } = await keepAsync("../My Gäme.rbxl");
  expect(name).toMatch(/^My-G-me-[0-9a-f]{4}$/);
  expect(await findKeptPlaceAsync(name.toUpperCase())).toMatchObject({ name, placeName: "../My Gäme.rbxl" });
  await expect(findKeptPlaceAsync("../../etc/passwd")).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

test("five are kept, and the oldest goes for the sixth, which says so", async () => {
  const { name } = await keepAsync("first");
  for (const each of ["b", "c", "d", "e"]) expect((await keepAsync(each)).dropped).toEqual([]);
  expect((await keepAsync("f")).dropped).toEqual([name]);
  expect(await namesAsync()).toEqual(["f", "e", "d", "c", "b"]);
});

test("200 MB are kept; the newest stays however large it is", async () => {
  await keepAsync("old", 120 * MEGABYTE);
  await keepAsync("small", MEGABYTE);
  await keepAsync("new", 120 * MEGABYTE);
  expect(await namesAsync()).toEqual(["new", "small"]);
  await keepAsync("huge", 300 * MEGABYTE);
  expect(await namesAsync()).toEqual(["huge"]);
});

test("what could not be written is not listed, and leftovers of killed processes go after an hour", async () => {
  await keepAsync("whole");
  const failed = keepPlaceAsync({ placeName: "x" }, () => Promise.reject(new Error("the disk is full")));
  await expect(failed).rejects.toMatchObject({ code: "FILE_ERROR" });
  const folder = join(home, "studio-bridge", "kept-places");
  const [old, fresh] = [join(folder, "a-1111.rbxl"), join(folder, "b-2222.rbxl.33.tmp")];
  for (const path of [old, fresh]) await writeFile(path, "half");
  await utimes(old, 0, 0);
  await keepAsync("next");
  expect(await namesAsync()).toEqual(["next", "whole"]);
  expect(await readdir(folder)).toContain("b-2222.rbxl.33.tmp");
  expect(await readdir(folder)).not.toContain("a-1111.rbxl");
});

test("a state folder that cannot be used is an error that names it", async () => {
  process.env["XDG_STATE_HOME"] = "/dev/null/state";
  await expect(keepAsync("x")).rejects.toMatchObject({
    code: "FILE_ERROR",
    message: expect.stringContaining("/dev/null/state"),
  });
});
