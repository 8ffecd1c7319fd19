/** Rojo projects: what each kind of file becomes, how projects, meta files and paths combine, and what is refused. */
import { describe, expect, test } from "bun:test";
import { writeBinaryModel } from "../../../../src/roblox/binary-writer.ts";
import { ModelBuilder, NO_PARENT } from "../../../../src/roblox/model.ts";
import { type Files, library, linesAsync } from "./rojo-tree.ts";

describe("files", () => {
  test("scripts become what their names say", async () => {
    const files = {
      "src/a.luau": "A",
      "src/b.lua": "B",
      "src/c.server.luau": "C",
      "src/d.client.lua": "D",
      "src/e.plugin.luau": "E",
    };
    expect(await linesAsync(library(files))).toEqual([
      "/Lib Folder",
      '/Lib/a ModuleScript Source=String "A"',
      '/Lib/b ModuleScript Source=String "B"',
      '/Lib/c Script Source=String "C"',
      '/Lib/d LocalScript Source=String "D"',
      '/Lib/e Script Source=String "E" RunContext=Enum 3',
    ]);
  });

  test("without legacy scripts, they have a RunContext", async () => {
    const files = { "src/c.server.luau": "C", "src/d.client.luau": "D" };
    expect(await linesAsync(library(files, { emitLegacyScripts: false }))).toEqual([
      "/Lib Folder",
      '/Lib/c Script RunContext=Enum 1 Source=String "C"',
      '/Lib/d Script RunContext=Enum 2 Source=String "D"',
    ]);
  });

  test("a folder with an init file is that script, with the rest below it", async () => {
    const files = {
      "src/init.luau": "I",
      "src/inner/init.server.luau": "S",
      "src/inner/x.luau": "X",
      "src/empty/": "",
    };
    expect(await linesAsync(library(files))).toEqual([
      '/Lib ModuleScript Source=String "I"',
      "/Lib/empty Folder",
      '/Lib/inner Script Source=String "S"',
      '/Lib/inner/x ModuleScript Source=String "X"',
    ]);
  });

  test.each([
    ["default.project.json", '{\n  "name": "Lib",\n  tree: {}\n}'],
    ["src/a.json", "{\n  // one\n  one: 1\n}"],
    ["src/a.model.json", '{\n  "className": "Part",\n  x\n}'],
    ["src/a.meta.json", "{\n\n  x: 1 }"],
  ])("a fault in the JSON of %s is named with its line and column", async (name, text) => {
    const files = { ...library({ "src/a.luau": "A" }), [name]: text };
    const message = "line 3, column 3: expected a value, or a name in double quotes, found";
    await expect(linesAsync(files)).rejects.toThrow(message);
  });

  test("data becomes modules, text a StringValue, a table its contents", async () => {
    const files = {
      "src/a.json": { list: [1, true, null], "odd key": 'q"\n' },
      "src/b.toml": "x = 1.5\n[y]\nz = 'q'\n",
      "src/c.txt": "hello",
      "src/d.csv": 'Key,Source,Example,es\nk,"a, ""b""",,uno\n,,,comment\n',
      "src/e.yaml": "x: [1, 2]\n",
    };
    expect(await linesAsync(library(files))).toEqual([
      "/Lib Folder",
      `/Lib/a ModuleScript Source=String ${JSON.stringify('return {\n\tlist = {1, true, nil},\n\t["odd key"] = "q\\"\\n",\n}')}`,
      `/Lib/b ModuleScript Source=String ${JSON.stringify('return {\n\tx = 1.5,\n\ty = {\n\t\tz = "q",\n\t},\n}')}`,
      '/Lib/c StringValue Value=String "hello"',
      `/Lib/d LocalizationTable Contents=String ${JSON.stringify('[{"key":"k","source":"a, \\"b\\"","values":{"es":"uno"}}]')}`,
      `/Lib/e ModuleScript Source=String ${JSON.stringify("return {\n\tx = {1, 2},\n}")}`,
    ]);
  });

  test("a model file is its one Instance, under the name of the file", async () => {
    const builder = new ModelBuilder();
    const root = builder.add("ObjectValue", NO_PARENT);
    builder.set(root, "Name", { type: "String", value: "Inside" });
    builder.set(root, "Value", { type: "Ref", value: root });
    const files = { "src/m.rbxm": writeBinaryModel(builder.finish(), () => false) };
    expect(await linesAsync(library(files))).toEqual(["/Lib Folder", "/Lib/m ObjectValue Value=Ref 1"]);
  });

  test("a JSON model is a tree with properties", async () => {
    const files = {
      "src/m.model.json": {
        className: "Part",
        properties: { Size: [1, 2, 3], Material: "Neon", Anchored: true },
        children: [{ Name: "Old", ClassName: "Folder" }],
      },
    };
    expect(await linesAsync(library(files))).toEqual([
      "/Lib Folder",
      "/Lib/m Part Size=Vector3 [1,2,3] Material=Enum 288 Anchored=Bool true",
      "/Lib/m/Old Folder",
    ]);
  });

  test("other files, and those the project ignores, are nothing", async () => {
    const files = { "src/a.luau": "A", "src/a.spec.luau": "T", "src/read.md": "", "src/.luaurc": "{}" };
    expect(await linesAsync(library(files, { globIgnorePaths: ["**/*.spec.luau"] }))).toEqual([
      "/Lib Folder",
      '/Lib/a ModuleScript Source=String "A"',
    ]);
  });
});

describe("sync rules", () => {
  const rules = [
    { pattern: "*.foo", use: "text", exclude: "*.not.foo" },
    { pattern: "data/*.bar.baz", use: "json", suffix: ".bar.baz" },
    { pattern: "**/*.{luau,lua}", use: "clientScript", exclude: "**/own.luau" },
    { pattern: "src/secret?.txt", use: "ignore" },
  ];

  test("say what files are read as, and how their names are cut", async () => {
    const files = {
      "src/deep/a.b.foo": "text",
      "src/a.not.foo": "nothing",
      "src/data/d.bar.baz": '{"n": 1}',
      "data/e.bar.baz": '{"n": 1}',
      "src/own.luau": "O",
      "src/init.luau": "I",
      "src/s.luau": "S",
      "src/s.meta.json": { properties: { Disabled: true } },
      "src/secret1.txt": "",
      "src/secret10.txt": "kept",
    };
    const tree = { $path: "src", data: { $path: "data" } };
    expect(await linesAsync(library(files, { tree, syncRules: rules }))).toEqual([
      '/Lib ModuleScript Source=String "I"',
      "/Lib/data Folder",
      "/Lib/deep Folder",
      '/Lib/deep/a.b StringValue Value=String "text"',
      '/Lib/own ModuleScript Source=String "O"',
      '/Lib/s LocalScript Source=String "S" Disabled=Bool true',
      '/Lib/secret10 StringValue Value=String "kept"',
      "/Lib/data Folder",
      expect.stringContaining("/Lib/data/e ModuleScript"),
    ]);
  });

  test("hold for the files of their own project only", async () => {
    const files = {
      "src/nested/default.project.json": { name: "Nested", tree: { $path: "in" } },
      "src/nested/in/a.foo": "text",
    };
    expect(await linesAsync(library(files, { syncRules: rules }))).toEqual([
      "/Lib Folder",
      "/Lib/Nested Folder",
    ]);
  });

  test.each([
    [{}, "syncRules must be a list"],
    [[{ use: "text" }], "a sync rule needs a pattern"],
    [[{ pattern: "*" }], 'the sync rule for "*" needs to say what to use'],
    [[{ pattern: "*", use: "toString" }], 'a sync rule cannot use "toString"'],
    [[{ pattern: "{a", use: "text" }], '"{a" is not a glob: a brace is never closed'],
  ])("that are none are refused: %j", (syncRules, message) => {
    expect(linesAsync(library({ "src/a.luau": "" }, { syncRules }))).rejects.toThrow(message);
  });
});

describe("meta files", () => {
  test("set properties and attributes of the file beside them", async () => {
    const files = {
      "src/c.server.luau": "C",
      "src/c.meta.json": { properties: { Disabled: true }, attributes: { n: 1 } },
      "src/f/init.meta.json": { className: "Configuration" },
    };
    const [, script, folderLine] = await linesAsync(library(files));
    expect(script).toContain('/Lib/c Script Source=String "C" Disabled=Bool true AttributesSerialize=');
    expect(folderLine).toBe("/Lib/f Configuration");
  });

  test("cannot change the class of a script", async () => {
    const beside = { "src/a.luau": "A", "src/a.meta.json": { className: "Folder" } };
    expect(await linesAsync(library(beside))).toContain('/Lib/a ModuleScript Source=String "A"');
    const within = { "src/a/init.luau": "A", "src/a/init.meta.json": { className: "Folder" } };
    expect(linesAsync(library(within))).rejects.toThrow(
      "className is for folders, and this is a ModuleScript",
    );
  });
});

describe("projects", () => {
  test("name services without a class, and have their children in the order of their names", async () => {
    const project = {
      name: "Game",
      tree: {
        $className: "DataModel",
        ReplicatedStorage: { Shared: { $path: "src" } },
        Workspace: { $properties: { Gravity: 10 }, Terrain: {} },
        StarterPlayer: { StarterPlayerScripts: { $path: "src" } },
        Optional: { $path: { optional: "none" } },
      },
    };
    expect(await linesAsync({ "src/a.luau": "A", "default.project.json": project })).toEqual([
      "/ReplicatedStorage ReplicatedStorage",
      "/ReplicatedStorage/Shared Folder",
      '/ReplicatedStorage/Shared/a ModuleScript Source=String "A"',
      "/StarterPlayer StarterPlayer",
      "/StarterPlayer/StarterPlayerScripts StarterPlayerScripts",
      '/StarterPlayer/StarterPlayerScripts/a ModuleScript Source=String "A"',
      "/Workspace Workspace NeedsPivotMigration=Bool false Gravity=Float32 10",
      "/Workspace/Terrain Terrain",
    ]);
  });

  test("may be nested, and may have comments", async () => {
    const files = {
      "lib/default.project.json": '{ // inner\n "tree": { "$path": "code" }, }',
      "lib/code/init.luau": "L",
      "other.project.json": {
        name: "Outer",
        tree: { $className: "Folder", One: { $path: "lib" }, Two: { $path: "x.luau" } },
      },
      "x.luau": "X",
    };
    expect(await linesAsync(files, "other.project.json")).toEqual([
      "/Outer Folder",
      '/Outer/One ModuleScript Source=String "L"',
      '/Outer/Two ModuleScript Source=String "X"',
    ]);
  });

  test("refer from one Instance to another by id", async () => {
    const tree = {
      $className: "Folder",
      A: { $className: "ObjectValue", $attributes: { Rojo_Target_Value: "b" } },
      B: { $className: "Folder", $id: "b" },
    };
    const [, first] = await linesAsync({ "default.project.json": { name: "P", tree } });
    expect(first).toContain("/P/A ObjectValue Value=Ref 2");
  });

  const faults: [what: string, files: Files, message: string][] = [
    [
      "a path with nothing",
      { "default.project.json": { tree: { $path: "none" } } },
      "there is not a file that Rojo knows at none",
    ],
    ["no class", { "default.project.json": { name: "P", tree: {} } }, '"P" needs a $className or a $path'],
    ["no tree", { "default.project.json": {} }, "a project needs a tree"],
    ["no JSON", { "default.project.json": "{" }, "default.project.json: "],
    ["itself", { "default.project.json": { tree: { $path: "." } } }, "the project contains itself"],
    [
      "two classes",
      { "a.luau": "", "default.project.json": { tree: { $className: "Part", $path: "a.luau" } } },
      "has $className Part, but its $path is a ModuleScript",
    ],
    [
      "a wrong value",
      { "default.project.json": { tree: { $className: "Part", $properties: { Size: "big" } } } },
      'Part.Size expects Vector3, got "big"',
    ],
    [
      "an unknown enum item",
      { "default.project.json": { tree: { $className: "Part", $properties: { Material: "Cheese" } } } },
      'Part.Material expects Enum.Material, got "Cheese"',
    ],
    [
      "an unknown property",
      { "default.project.json": { tree: { $className: "Part", $properties: { Sise: 1 } } } },
      "Part.Sise is not known",
    ],
  ];
  for (const [what, files, message] of faults)
    test(`with ${what} are refused`, () => expect(linesAsync(files)).rejects.toThrow(message));

  test("may set what scripts cannot see", async () => {
    const tree = { $className: "DataModel", Workspace: { $properties: { SignalBehavior: "Deferred" } } };
    expect(await linesAsync({ "default.project.json": { name: "P", tree } })).toEqual([
      "/Workspace Workspace NeedsPivotMigration=Bool false SignalBehavior=Enum 2",
    ]);
  });

  test("tell a tagged value from a plain one", async () => {
    const $properties = {
      Color: { Color3: [1, 0, 0] },
      CFrame: {
        CFrame: {
          position: [1, 2, 3],
          orientation: [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
        },
      },
      CustomPhysicalProperties: { PhysicalProperties: "Default" },
      Wibble: { String: "w" },
      Tags: ["a", "b"],
    };
    expect(
      await linesAsync({ "default.project.json": { name: "P", tree: { $className: "Part", $properties } } }),
    ).toEqual([
      "/P Part Color=Color3 [1,0,0] CFrame=CFrame [1,2,3,1,0,0,0,1,0,0,0,1] CustomPhysicalProperties=PhysicalProperties null" +
        ' Wibble=String "w" Tags=String "a\\u0000b"',
    ]);
  });
});
