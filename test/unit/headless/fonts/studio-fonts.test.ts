/** The families of an installed Studio, in a made folder. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codesLine } from "../../../../src/headless/fonts/metrics-line.ts";
import { installedFamily, UNREADABLE } from "../../../../src/headless/fonts/studio-fonts.ts";
import { freeFont } from "../../../fixtures/free-font.ts";

const folder = mkdtempSync(join(tmpdir(), "sb-fonts-"));
const face = (assetId: string, style = "normal") => ({ name: "Any", weight: 400, style, assetId });
const family = (name: string, content: unknown): void =>
  writeFileSync(join(folder, "families", `${name}.json`), JSON.stringify(content));

beforeAll(() => {
  mkdirSync(join(folder, "families"));
  writeFileSync(join(folder, "Own.ttf"), freeFont("source-sans-pro"));
  writeFileSync(join(folder, "Broken.ttf"), "no font");
  family("Own", {
    name: "Own",
    faces: [face("rbxasset://fonts/Own.ttf"), face("rbxasset://fonts/Own.ttf", "Italic")],
  });
  family("Broken", { faces: [face("rbxasset://fonts/Broken.ttf")] });
  family("Missing", { faces: [face("rbxasset://fonts/Missing.ttf")] });
  family("Outside", { faces: [face("rbxasset://fonts/../../etc/passwd")] });
  family("Elsewhere", { faces: [face("rbxassetid://1")] });
  family("Empty", { faces: [] });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a family", () => {
  test("has a line for each of its faces, below the codes", () => {
    const [codes, ...lines] = installedFamily(folder, "Own").split("\n");
    expect(codes).toBe(codesLine());
    expect(lines.map((line) => line.split("|")[0])).toEqual(["Own 400 Normal", "Own 400 Italic"]);
  });

  test("that is not there, or would be elsewhere, is none, and that is no fault", () => {
    for (const name of ["Nothing", "../Own", ""]) expect(installedFamily(folder, name)).toBe("");
  });

  test.each([
    ["Broken", "it is no font"],
    ["Missing", "Missing.ttf"],
    ["Outside", "a face has an unknown form"],
    ["Elsewhere", "a face has an unknown form"],
    ["Empty", "its file names no faces"],
  ])("%s is answered with a reason", (name, reason) => {
    const text = installedFamily(folder, name);
    expect(text).toStartWith(UNREADABLE);
    expect(text).toContain(reason);
  });
});
