/** The rules of a project file: what they mean, and that wrong ones are refused by their key. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  isIgnoredPath,
  isIgnoredProperty,
  isIgnoredTree,
  parseProjectRules,
} from "../../../../src/roblox/rojo/project-rules.ts";
import { library, schema, withTreeAsync } from "./rojo-tree.ts";

const FOLDER = "/project";
const rulesOf = (syncbackRules: object) => parseProjectRules({ syncbackRules }, FOLDER, []).syncback;

describe("syncbackRules", () => {
  test("leave out trees by whole names", () => {
    const rules = rulesOf({ ignoreTrees: ["ServerStorage/Trash", "/Lighting/"] });
    expect(isIgnoredTree(rules, ["ServerStorage", "Trash"])).toBe(true);
    expect(isIgnoredTree(rules, ["ServerStorage", "Trash", "Old"])).toBe(true);
    expect(isIgnoredTree(rules, ["ServerStorage", "TrashCan"])).toBe(false);
    expect(isIgnoredTree(rules, ["ServerStorage"])).toBe(false);
    expect(isIgnoredTree(rules, ["Lighting", "Sky"])).toBe(true);
  });

  test("leave out paths; the last glob that fits decides, and a folder goes with what is in it", () => {
    const rules = rulesOf({ ignorePaths: ["src/old/**", "!src/old/kept.luau"] });
    const isLeftOut = (path: string) => isIgnoredPath(rules, join(FOLDER, path));
    expect(isLeftOut("src/old")).toBe(true);
    expect(isLeftOut("src/old/a/b.luau")).toBe(true);
    expect(isLeftOut("src/old/kept.luau")).toBe(false);
    expect(isLeftOut("src/older.luau")).toBe(false);
    expect(isLeftOut(".git/config")).toBe(true);
    const exact = rulesOf({ ignorePaths: ["src/old/**"], createIgnoreDirPaths: false });
    expect(isIgnoredPath(exact, join(FOLDER, "src/old"))).toBe(false);
  });

  test("leave out properties of a class and of those that inherit from it", () => {
    const rules = rulesOf({ ignoreProperties: { BasePart: ["Color"], Script: ["Disabled"] } });
    expect(isIgnoredProperty(rules, schema, "Part", "Color")).toBe(true);
    expect(isIgnoredProperty(rules, schema, "Model", "Color")).toBe(false);
    expect(isIgnoredProperty(rules, schema, "ModuleScript", "Disabled")).toBe(false);
  });

  test("are Rojo's defaults where the project says nothing", () => {
    expect(rulesOf({})).toEqual({
      ignoreTrees: [],
      ignorePaths: [],
      ignoreProperties: new Map(),
      syncCurrentCamera: false,
      syncUnscriptable: true,
      ignoreReferents: false,
    });
  });
});

test.each([
  [{ syncbackRules: [] }, "syncbackRules must be an object"],
  [{ syncbackRules: { ignoreClasses: [] } }, "syncbackRules knows no ignoreClasses; it takes ignoreTrees,"],
  [{ syncbackRules: { ignoreTrees: "Lighting" } }, "syncbackRules.ignoreTrees must be a list of texts"],
  [{ syncbackRules: { ignorePaths: ["{a"] } }, 'syncbackRules.ignorePaths: "{a" is not a glob'],
  [
    { syncbackRules: { ignoreProperties: { Part: [1] } } },
    "syncbackRules.ignoreProperties.Part must be a list",
  ],
  [{ syncbackRules: { syncCurrentCamera: 1 } }, "syncbackRules.syncCurrentCamera must be true or false"],
  [{ servePlaceIds: ["1"] }, "servePlaceIds must be a list of place ids"],
  [{ blockedPlaceIds: 1 }, "blockedPlaceIds must be a list of place ids"],
  [{ placeId: -1 }, "placeId must be the number of a place"],
  [{ emitLegacyScripts: "no" }, "emitLegacyScripts must be true or false"],
])("wrong rules are refused by their key: %j", async (settings, message) => {
  await expect(withTreeAsync(library({}, settings), () => {})).rejects.toThrow(message);
});

test("a tree comes with the rules of its project and of those nested in it", async () => {
  const files = {
    "default.project.json": {
      name: "P",
      servePlaceIds: [1, 2],
      placeId: 123456789012345,
      globIgnorePaths: ["*.spec.luau"],
      tree: { $className: "Folder", Lib: { $path: "lib" } },
    },
    "lib/default.project.json": { name: "L", emitLegacyScripts: false, tree: { $className: "Folder" } },
  };
  await withTreeAsync(files, ({ rules, projects, folder, file, name }, at) => {
    expect({ folder, file, name }).toEqual({ folder: at, file: join(at, "default.project.json"), name: "P" });
    expect(rules).toMatchObject({ servePlaceIds: [1, 2], placeId: 123456789012345, emitLegacyScripts: true });
    const inner = projects.get(join(at, "lib/default.project.json"));
    expect(inner?.emitLegacyScripts).toBe(false);
    expect(inner?.ignored).toEqual(rules.ignored);
  });
});
