/** The origin of each node: which file or project node describes it, and which of them states what. */
import { describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { writeBinaryModel } from "../../../../src/roblox/binary-writer.ts";
import { ModelBuilder, NO_PARENT } from "../../../../src/roblox/model.ts";
import type { Origin } from "../../../../src/roblox/rojo/origin.ts";
import { readRojoTreeAsync } from "../../../../src/roblox/rojo/project.ts";
import { type Files, library, nodeAt, schema, withTreeAsync, writeFilesAsync } from "./rojo-tree.ts";

/** The origin of the node at `names`, with paths relative to the test's folder and without what is usual. */
async function originAsync(files: Files, names: string[], project?: string): Promise<object> {
  return withTreeAsync(files, ({ root }, folder) => plain(nodeAt(root, ...names).origin, folder), project);
}

function plain(origin: Origin | undefined, folder: string): object {
  if (origin === undefined) throw new Error("the node has no origin");
  const facts = JSON.stringify(origin, (_, value: unknown) => {
    if (value instanceof Map) return Object.fromEntries(value);
    return typeof value === "string" && value.startsWith(folder) ? relative(folder, value) : value;
  });
  return JSON.parse(facts);
}

const usual = {
  projectFile: "default.project.json",
  ignoreUnknownInstances: false,
  statedClass: "file",
  statedProperties: {},
  statedAttributes: {},
};

describe("the origin of", () => {
  test("a script is its file", async () => {
    expect(await originAsync(library({ "src/a.server.luau": "" }), ["a"])).toEqual({
      ...usual,
      kind: "serverScript",
      fileKind: "serverScript",
      path: "src/a.server.luau",
    });
  });

  test("a script with a meta file says what each of the two states", async () => {
    const meta = { properties: { Disabled: true }, attributes: { x: 1 }, ignoreUnknownInstances: true };
    const files = library({ "src/a.client.luau": "", "src/a.meta.json": meta });
    expect(await originAsync(files, ["a"])).toEqual({
      ...usual,
      kind: "clientScript",
      fileKind: "clientScript",
      path: "src/a.client.luau",
      meta: "src/a.meta.json",
      ignoreUnknownInstances: true,
      statedProperties: { Disabled: "meta" },
      statedAttributes: { x: "meta" },
    });
  });

  test("a folder is the folder, with its init and meta files", async () => {
    const files = library({
      "src/f/init.lua": "",
      "src/f/init.meta.jsonc": { attributes: { x: 1 } },
      "src/g/init.meta.json": { className: "Configuration" },
    });
    expect(await originAsync(files, ["f"])).toEqual({
      ...usual,
      kind: "folder",
      fileKind: "moduleScript",
      path: "src/f",
      init: "src/f/init.lua",
      meta: "src/f/init.meta.jsonc",
      statedAttributes: { x: "meta" },
    });
    expect(await originAsync(files, ["g"])).toEqual({
      ...usual,
      kind: "folder",
      path: "src/g",
      meta: "src/g/init.meta.json",
      statedClass: "meta",
    });
  });

  test("an Instance inside a model is the model and the way in it", async () => {
    const builder = new ModelBuilder();
    const root = builder.add("Folder", NO_PARENT);
    const first = builder.add("Folder", root);
    const second = builder.add("Folder", root);
    const inner = builder.add("Folder", second);
    for (const [id, value] of [root, first, second, inner].entries())
      builder.set(value, "Name", { type: "String", value: ["Root", "First", "Second", "Inner"][id] ?? "" });
    const json = { className: "Folder", children: [{ name: "Only", className: "Folder" }] };
    const files = library({
      "src/m.rbxm": writeBinaryModel(builder.finish(), () => false),
      "src/j.model.json": json,
    });
    expect(await originAsync(files, ["m", "Second", "Inner"])).toEqual({
      ...usual,
      kind: "part",
      fileKind: "rbxm",
      path: "src/m.rbxm",
      position: [1, 0],
    });
    expect(await originAsync(files, ["j", "Only"])).toMatchObject({
      kind: "part",
      fileKind: "jsonModel",
      path: "src/j.model.json",
      position: [0],
    });
    expect(await originAsync(files, ["j"])).toMatchObject({ kind: "jsonModel" });
  });

  test("a file that a sync rule names is the kind of that rule", async () => {
    const syncRules = [{ pattern: "*.server.lua", use: "legacyServerScript", suffix: ".server.lua" }];
    const files = library({ "src/a.server.lua": "" }, { syncRules });
    expect(await originAsync(files, ["a"])).toMatchObject({
      kind: "legacyServerScript",
      fileKind: "legacyServerScript",
    });
  });

  test("a project node without a path is the node alone, and its unknown children are ignored", async () => {
    const tree = {
      $className: "DataModel",
      Lighting: { $properties: { ClockTime: 3 }, $attributes: { x: 1 } },
    };
    expect(await originAsync({ "default.project.json": { name: "P", tree } }, ["Lighting"])).toEqual({
      ...usual,
      kind: "projectNode",
      path: "default.project.json",
      project: { file: "default.project.json", keys: ["tree", "Lighting"] },
      ignoreUnknownInstances: true,
      statedClass: "project",
      statedProperties: { ClockTime: "project" },
      statedAttributes: { x: "project" },
    });
  });

  test("a project node with a path is the file at the path, named by the node", async () => {
    const tree = {
      $className: "DataModel",
      Workspace: { $path: "src", $properties: { Gravity: 1 } },
      Lighting: {
        $ignoreUnknownInstances: false,
        Sky: { $path: "sky.model.json", $ignoreUnknownInstances: true },
      },
    };
    const files = {
      "default.project.json": { name: "P", tree },
      "src/init.meta.json": {
        properties: { Gravity: { Float32: 2 }, FallenPartsDestroyHeight: { Float32: 3 } },
      },
      "sky.model.json": { className: "Sky" },
    };
    expect(await originAsync(files, ["Workspace"])).toEqual({
      ...usual,
      kind: "folder",
      path: "src",
      meta: "src/init.meta.json",
      project: { file: "default.project.json", keys: ["tree", "Workspace"], path: "src" },
      statedClass: "project",
      statedProperties: { Gravity: "project", FallenPartsDestroyHeight: "meta" },
    });
    expect(await originAsync(files, ["Lighting"])).toMatchObject({ ignoreUnknownInstances: false });
    expect(await originAsync(files, ["Lighting", "Sky"])).toMatchObject({
      kind: "jsonModel",
      ignoreUnknownInstances: true,
    });
  });

  test("a nested project names both project nodes, and its own file rules its files", async () => {
    const inner = {
      name: "Inner",
      tree: { $path: "lib", $properties: { Tags: ["a"] }, Own: { $className: "Folder" } },
    };
    const files = {
      "default.project.json": { name: "P", tree: { $className: "Folder", Outer: { $path: "package" } } },
      "package/default.project.json": inner,
      "package/lib/a.luau": "",
    };
    expect(await originAsync(files, ["Outer"])).toEqual({
      ...usual,
      kind: "folder",
      path: "package/lib",
      projectFile: "package/default.project.json",
      project: { file: "default.project.json", keys: ["tree", "Outer"], path: "package" },
      nested: [{ file: "package/default.project.json", keys: ["tree"], path: "package/lib" }],
      statedProperties: { Tags: "nested" },
    });
    expect(await originAsync(files, ["Outer", "a"])).toMatchObject({
      path: "package/lib/a.luau",
      projectFile: "package/default.project.json",
    });
    expect(await originAsync(files, ["Outer", "Own"])).toMatchObject({
      kind: "projectNode",
      project: { file: "package/default.project.json", keys: ["tree", "Own"] },
    });
  });

  test("what is outside the project's folder says so, unless both are in one work tree", async () => {
    const files: Files = {
      "game/p.project.json": { name: "P", tree: { $path: "../shared" } },
      "shared/a.luau": "",
    };
    expect(await originAsync(files, ["a"], "game/p.project.json")).toMatchObject({ isOutside: true });
    const inWorkTree = { ...files, ".git/": "" };
    expect(await originAsync(inWorkTree, ["a"], "game/p.project.json")).not.toHaveProperty("isOutside");
    const submodule = { ...inWorkTree, "shared/.git": "gitdir: elsewhere" };
    expect(await originAsync(submodule, ["a"], "game/p.project.json")).toMatchObject({ isOutside: true });
  });
});

describe("links in a project", () => {
  test("are read, and files that they lead to outside say so", async () => {
    await using folder = await freshFolderAsync();
    await writeFilesAsync(folder.path, {
      "game/default.project.json": { name: "P", tree: { $path: "src" } },
      "game/src/a.luau": "",
      "elsewhere/b.luau": "",
    });
    await symlink("../../elsewhere", join(folder.path, "game/src/out"));
    await symlink("a.luau", join(folder.path, "game/src/same.luau"));
    await symlink("nothing", join(folder.path, "game/src/gone.luau"));
    if (process.platform !== "win32") Bun.spawnSync(["mkfifo", join(folder.path, "game/src/pipe.luau")]);
    const { root } = await readRojoTreeAsync(join(folder.path, "game/default.project.json"), schema);
    expect(root.children.map(({ name }) => name)).toEqual(["a", "out", "same"]);
    expect(nodeAt(root, "out", "b").origin?.isOutside).toBe(true);
    expect(nodeAt(root, "same").origin?.isOutside).toBeUndefined();
  });

  test("to a folder around them are refused by name", async () => {
    await using folder = await freshFolderAsync();
    await writeFilesAsync(folder.path, { "default.project.json": { name: "P", tree: { $path: "src" } } });
    await mkdir(join(folder.path, "src/inner"), { recursive: true });
    await symlink("..", join(folder.path, "src/inner/up"));
    const reading = readRojoTreeAsync(join(folder.path, "default.project.json"), schema);
    await expect(reading).rejects.toThrow("up: the link leads to a folder that contains it");
  });

  test("between folders that lead to each other are refused by name", async () => {
    await using folder = await freshFolderAsync();
    await writeFilesAsync(folder.path, { "default.project.json": { name: "P", tree: { $path: "src" } } });
    for (const name of ["a", "b"]) await mkdir(join(folder.path, "src", name), { recursive: true });
    await symlink("../b", join(folder.path, "src/a/to-b"));
    await symlink("../a", join(folder.path, "src/b/to-a"));
    const reading = readRojoTreeAsync(join(folder.path, "default.project.json"), schema);
    const sentence = `${join("a", "to-b", "to-a")}: the link leads to a folder that contains it`;
    await expect(reading).rejects.toThrow(sentence);
  });
});

async function freshFolderAsync(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "sb-rojo-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test("an attribute that names the id of another node becomes a reference", async () => {
  const files = library({
    "src/m.model.json": {
      className: "Model",
      attributes: { Rojo_Target_PrimaryPart: "here", Rojo_Target_Other: "nowhere" },
      children: [{ name: "Core", className: "Part", id: "here" }],
    },
  });
  await withTreeAsync(files, ({ root }) => {
    const model = nodeAt(root, "m");
    expect([...model.references]).toEqual([["PrimaryPart", nodeAt(model, "Core")]]);
  });
});
