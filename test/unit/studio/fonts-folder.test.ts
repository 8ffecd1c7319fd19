/** Where the fonts of an installed Studio are, and where they are refused. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { fontsFolderAsync } from "../../../src/studio/fonts-folder.ts";
import { linux, mac, windows } from "./tree-machine.ts";

let before: string | undefined;
beforeEach(() => {
  before = process.env["CI"];
  delete process.env["CI"];
});
afterEach(() => {
  if (before === undefined) delete process.env["CI"];
  else process.env["CI"] = before;
});

test("without the flag there are none, on a machine without a Studio too", async () => {
  using machine = linux();
  expect(await fontsFolderAsync(undefined, machine)).toBeUndefined();
});

test("they lie beside the program on Windows, and in the bundle on macOS", async () => {
  using pc = windows();
  const version = "C:\\Users\\Ada\\AppData\\Local\\Roblox\\Versions\\version-aaa";
  pc.put(`${version}\\RobloxStudioBeta.exe`);
  pc.put(`${version}\\content\\fonts\\families\\Own.json`);
  expect(await fontsFolderAsync("studio", pc)).toBe(`${version}\\content\\fonts`);
  using apple = mac();
  const bundle = "/Applications/RobloxStudio.app/Contents";
  apple.put(`${bundle}/MacOS/RobloxStudio`);
  apple.put(`${bundle}/Resources/content/fonts/families/Own.json`);
  expect(await fontsFolderAsync("studio", apple)).toBe(`${bundle}/Resources/content/fonts`);
});

test("a machine without a Studio, and a Studio without fonts, are errors", async () => {
  using empty = windows();
  await expect(fontsFolderAsync("studio", empty)).rejects.toMatchObject({ code: "STUDIO_NOT_FOUND" });
  using bare = windows();
  bare.put("C:\\Users\\Ada\\AppData\\Local\\Roblox\\Versions\\version-aaa\\RobloxStudioBeta.exe");
  await expect(fontsFolderAsync("studio", bare)).rejects.toMatchObject({
    code: "STUDIO_NOT_FOUND",
    message: expect.stringContaining("has no fonts"),
  });
});

test("continuous integration has none", async () => {
  process.env["CI"] = "true";
  using machine = windows();
  await expect(fontsFolderAsync("studio", machine)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("continuous integration"),
  });
});
