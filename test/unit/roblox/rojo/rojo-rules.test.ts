/** Rojo's finer rules: which of several files counts, what goes on into nested projects, how values are written. */
import { describe, expect, test } from "bun:test";
import { writeBinaryModel } from "../../../../src/roblox/binary-writer.ts";
import { encodeAttributes } from "../../../../src/roblox/attributes.ts";
import { ModelBuilder, NO_PARENT } from "../../../../src/roblox/model.ts";
import { type Files, library, linesAsync, readFilesAsync } from "./rojo-tree.ts";

const project = (tree: Files, settings: Files = {}): Files => ({
  "default.project.json": { name: "P", tree, ...settings },
});

describe("files", () => {
  test("with comments end in .jsonc, whatever they are", async () => {
    const files = {
      "src/m.model.jsonc": '{ "className": "Model" } // m',
      "src/m.meta.jsonc": "{}",
      "src/d.jsonc": "[1] // d",
      "src/s.luau": "S",
      "src/s.meta.jsonc": '{ "attributes": { "n": 1 } } // s',
      "src/f/init.meta.jsonc": '{ "className": "Configuration" } // f',
      "src/inner/default.project.jsonc": '{ "tree": { "$className": "Folder" } } // inner',
      "src/side.project.jsonc": '{ "tree": { "$className": "Folder" } } // side',
      "outer.project.jsonc": '{ "tree": { "$path": "src" } } // outer',
    };
    expect(await linesAsync(files, "outer.project.jsonc")).toEqual([
      "/outer Folder",
      '/outer/d ModuleScript Source=String "return {1}"',
      "/outer/f Configuration",
      "/outer/inner Folder",
      "/outer/m Model NeedsPivotMigration=Bool false",
      expect.stringContaining('/outer/s ModuleScript Source=String "S" AttributesSerialize='),
      "/outer/side Folder",
    ]);
  });

  test("called init may be a plugin's script", async () => {
    const files = { "src/init.plugin.luau": "P", "src/old/init.plugin.lua": "O" };
    expect(await linesAsync(library(files))).toEqual([
      '/Lib Script RunContext=Enum 3 Source=String "P"',
      '/Lib/old Script RunContext=Enum 3 Source=String "O"',
    ]);
  });

  test("of scripts get the line ends of Unix, texts keep theirs", async () => {
    const files = { "src/a.luau": "A\r\nB\n", "src/b.server.lua": "\r\n", "src/c.txt": "\r\n" };
    expect(await linesAsync(library(files))).toEqual([
      "/Lib Folder",
      '/Lib/a ModuleScript Source=String "A\\nB\\n"',
      '/Lib/b Script Source=String "\\n"',
      '/Lib/c StringValue Value=String "\\r\\n"',
    ]);
  });

  test("of data have the keys of JSON and TOML in their order, and those of YAML as written", async () => {
    const files = {
      "src/a.json": '{"b": 1, "a": [{ "c": [], "d": {} }], "n": [-0, 1e-7, -1.25e21, 1.5e300]}',
      "src/b.toml": "b = 1\na = 2",
      "src/c.yaml": "b: 1\na: 2",
    };
    const sourceOf = (name: string, source: string) =>
      `/Lib/${name} ModuleScript Source=String ${JSON.stringify(source)}`;
    expect(await linesAsync(library(files))).toEqual([
      "/Lib Folder",
      sourceOf(
        "a",
        `return {\n\ta = {{\n\t\tc = {},\n\t\td = {\n\t\t},\n\t}},\n\tb = 1,\n\tn = {-0, 0.0000001, -1250000000000000000000, 15${"0".repeat(299)}},\n}`,
      ),
      sourceOf("b", "return {\n\ta = 2,\n\tb = 1,\n}"),
      sourceOf("c", "return {\n\tb = 1,\n\ta = 2,\n}"),
    ]);
  });

  test("of TOML have dates and times as text", async () => {
    const files = {
      "src/a.toml": "d = 2001-02-03\nt = 04:05:06.5\nl = 2001-02-03T04:05:06\nu = 2001-02-03 04:05:06Z",
    };
    const source =
      'return {\n\td = "2001-02-03",\n\tl = "2001-02-03T04:05:06",\n\tt = "04:05:06.5",\n\tu = "2001-02-03T04:05:06Z",\n}';
    expect(await linesAsync(library(files))).toContain(
      `/Lib/a ModuleScript Source=String ${JSON.stringify(source)}`,
    );
  });

  test("of YAML have one document", async () => {
    const one = "%YAML 1.2\n# c\n---\na: '---'\n...\n# end\n";
    expect(await linesAsync(library({ "src/a.yml": one }))).toContain(
      '/Lib/a ModuleScript Source=String "return {\\n\\ta = \\"---\\",\\n}"',
    );
    expect(linesAsync(library({ "src/a.yml": "a: 1\n---\nb: 2\n" }))).rejects.toThrow(
      "a.yml: it has several documents",
    );
  });

  test("of YAML keep keys that are numbers or truth values, unless they are in quotes", async () => {
    const yaml =
      "1: a\n0x1F: b\n1.5: c\ntrue: d\n- 2: x\n".replace("- 2", '"2"') + "yes: {3: e, !!str 4: f}\n";
    const source =
      'return {\n\t[1] = "a",\n\t["2"] = "x",\n\t[31] = "b",\n\t[1.5] = "c",\n\t[true] = "d",\n\tyes = {\n\t\t[3] = "e",\n\t\t["4"] = "f",\n\t},\n}';
    expect(await linesAsync(library({ "src/a.yaml": yaml }))).toContain(
      `/Lib/a ModuleScript Source=String ${JSON.stringify(source)}`,
    );
    await expect(linesAsync(library({ "src/a.yaml": '- 1: a\n- "1": b\n' }))).rejects.toThrow(
      "a.yaml: the key 1 is written with quotes and without",
    );
  });

  test.each([
    ["src/a.json", '{ "a": 1 }\n}', "line 2, column 1: unexpected text after the end"],
    ["src/a.meta.json", '{} // one\n{ "id": "x" }', "line 2, column 1: unexpected text after the end"],
    ["src/a.model.json", '{ "className": "Part" } x', "line 1, column 25: unexpected text after the end"],
    ["default.project.json", " \n", "the file is empty"],
    [
      "src/b.luau",
      Buffer.from("return\n  '\xff'\n", "latin1"),
      "it is not UTF-8 at line 2, byte 4; save it in that encoding",
    ],
    [
      "src/b/init.server.lua",
      new Uint8Array([0xc3]),
      "it is not UTF-8 at line 1, byte 1; save it in that encoding",
    ],
    ["src/a.txt", new Uint8Array([0xff, 0xfe]), "it is not UTF-8; save it in that encoding"],
    ["src/a.meta.json", "[]", "expected an object"],
    ["src/a.csv", "Key,es\na,b\nc,d,e\n", "row 3 has another number of fields than the header: 3 and 2"],
  ])("a fault in %s is said once, with the file: %j", async (name, content, reason) => {
    const files = { ...library({ "src/a.luau": "A" }), [name]: content };
    await expect(linesAsync(files)).rejects.toThrow(new RegExp(`^[^:]*/${name}: ${reason}$`));
  });

  test("that hold arrays too deep for Luau are refused", () => {
    const files = { "src/a.json": "[".repeat(200) + "]".repeat(200) };
    expect(linesAsync(library(files))).rejects.toThrow("a.json: it is nested more than 100 deep");
  });

  test("of translations may have quotes inside a field, and list their facts in Rojo's order", async () => {
    const files = { "src/t.csv": 'es,Source,Key,Context,de\n5" lang,s,k,c,"d"\n' };
    const [, line] = await linesAsync(library(files));
    const contents = '[{"key":"k","context":"c","source":"s","values":{"de":"d","es":"5\\" lang"}}]';
    expect(line).toBe(`/Lib/t LocalizationTable Contents=String ${JSON.stringify(contents)}`);
  });

  test("of translations may have empty lines", async () => {
    const [, line] = await linesAsync(library({ "src/t.csv": "\n\r\nKey,es\r\n\r\nk,uno\r\n\r\n" }));
    const contents = '[{"key":"k","values":{"es":"uno"}}]';
    expect(line).toBe(`/Lib/t LocalizationTable Contents=String ${JSON.stringify(contents)}`);
  });

  test("of JSON models are nothing while they are empty", async () => {
    expect(await linesAsync(library({ "src/a.model.json": " \n" }))).toEqual(["/Lib Folder"]);
  });

  test("that say all themselves take nothing from a meta file", async () => {
    const files = {
      "src/a.model.json": { className: "BoolValue" },
      "src/a.meta.json": { properties: { Value: true } },
    };
    expect(await linesAsync(library(files))).toEqual(["/Lib Folder", "/Lib/a BoolValue"]);
  });

  test("called init also take the meta file of the folder's name", async () => {
    const files = { "src/a/init.server.luau": "A", "src/a/a.meta.json": { properties: { Disabled: true } } };
    expect(await linesAsync(library(files))).toEqual([
      "/Lib Folder",
      '/Lib/a Script Source=String "A" Disabled=Bool true',
    ]);
  });
});

describe("globIgnorePaths", () => {
  const files = {
    "src/a.spec.luau": "A",
    "src/b.spec.luau": "B",
    "src/!c.luau": "C",
    "src/lib/default.project.json": { tree: { $path: "in" } },
    "src/lib/in/d.spec.luau": "D",
    "src/lib/in/e.luau": "E",
  };

  test("hold for nested projects too, from the folder that they stand in", async () => {
    const globIgnorePaths = ["**/*.spec.luau", "in/e.luau", "src/!c.luau"];
    expect(await linesAsync(library(files, { globIgnorePaths }))).toEqual([
      "/Lib Folder",
      "/Lib/lib Folder",
      '/Lib/lib/e ModuleScript Source=String "E"',
    ]);
  });

  test("take back in what follows an exclamation mark; the last that fits decides", async () => {
    const globIgnorePaths = ["**/*.luau", "!**/b.*", "!src/!c.luau", "src/lib/**"];
    expect(await linesAsync(library(files, { globIgnorePaths }))).toEqual([
      "/Lib Folder",
      '/Lib/!c ModuleScript Source=String "C"',
      '/Lib/b.spec ModuleScript Source=String "B"',
      "/Lib/lib Folder",
    ]);
  });

  test.each([
    ["**", "globIgnorePaths must be"],
    [[1], "globIgnorePaths must be"],
    [["a["], '"a[" is not a glob: a bracket is never closed'],
    [["[]a"], '"[]a" is not a glob: a bracket is never closed'],
    [["{a"], '"{a" is not a glob: a brace is never closed'],
  ])("that are no list of globs are refused: %j", async (globIgnorePaths, message) => {
    await expect(linesAsync(library({ "src/a.luau": "" }, { globIgnorePaths }))).rejects.toThrow(message);
  });
});

describe("nested projects", () => {
  test("have legacy scripts unless they say otherwise", async () => {
    const files = {
      "src/a.client.luau": "A",
      "src/in/default.project.json": { tree: { $path: "code" } },
      "src/in/code/b.client.luau": "B",
    };
    expect(await linesAsync(library(files, { emitLegacyScripts: false }))).toEqual([
      "/Lib Folder",
      '/Lib/a Script RunContext=Enum 2 Source=String "A"',
      "/Lib/in Folder",
      '/Lib/in/b LocalScript Source=String "B"',
    ]);
  });

  test("may be named by their file, and may be nothing", async () => {
    const files = {
      "lib/default.project.json": { tree: { $className: "Model" } },
      "none/default.project.json": { tree: { $path: { optional: "later" } } },
      ...project({
        $className: "Folder",
        A: { $path: "lib/default.project.json" },
        B: { $path: { optional: "none" } },
      }),
    };
    expect(await linesAsync(files)).toEqual(["/P Folder", "/P/A Model NeedsPivotMigration=Bool false"]);
  });
});

describe("a path with nothing", () => {
  test("leaves the class that is stated or meant, and is told", async () => {
    const tree = {
      $className: "DataModel",
      Lighting: { $path: "none" },
      Chat: { $className: "Chat", $path: "no" },
    };
    expect(await linesAsync(project(tree))).toEqual(["/Chat Chat", "/Lighting Lighting"]);
    expect((await readFilesAsync(project(tree))).problems).toEqual([
      '"Chat": there is not a file that Rojo knows at no.',
      '"Lighting": there is not a file that Rojo knows at none.',
    ]);
  });

  test("names the folder as what stands for an init file", async () => {
    const files = {
      "src/init.luau": "I",
      ...project({ $className: "Folder", A: { $path: "src/init.luau" } }),
    };
    await expect(linesAsync(files)).rejects.toThrow(
      '"A": there is not a file that Rojo knows at src/init.luau; name its folder',
    );
  });
});

describe("attributes", () => {
  test("of a project take the place of those of its file", async () => {
    const inner = { className: "Folder", attributes: { old: 1 } };
    const files = {
      "m.model.json": inner,
      ...project({ $path: "m.model.json", $attributes: { new: true } }),
    };
    const attributes = encodeAttributes(new Map([["new", { type: "Bool", value: true }]]));
    expect(await linesAsync(files)).toEqual([
      `/P Folder AttributesSerialize=String ${JSON.stringify(attributes)}`,
    ]);
  });

  test("of model files refer by id too", async () => {
    const builder = new ModelBuilder();
    const root = builder.add("ObjectValue", NO_PARENT);
    const value = encodeAttributes(new Map([["Rojo_Target_Value", { type: "String", value: "t" }]]));
    builder.set(root, "AttributesSerialize", { type: "String", value });
    const files = {
      "m.rbxm": writeBinaryModel(builder.finish(), () => false),
      ...project({ $className: "Folder", A: { $path: "m.rbxm" }, B: { $className: "Folder", $id: "t" } }),
    };
    const [, line] = await linesAsync(files);
    expect(line).toContain("/P/A ObjectValue Value=Ref 2 ");
  });

  test("may be written as a property", async () => {
    const attributes = encodeAttributes(new Map([["a", { type: "Float64", value: 2 }]]));
    for (const Attributes of [{ Attributes: { a: { Float64: 2 } } }, { a: { Float64: 2 } }])
      expect(await linesAsync(project({ $className: "Folder", $properties: { Attributes } }))).toEqual([
        `/P Folder AttributesSerialize=String ${JSON.stringify(attributes)}`,
      ]);
  });
});

describe("values", () => {
  const lineAsync = async ($className: string, $properties: Files) =>
    (await linesAsync(project({ $className, $properties })))[0]?.replace("/P ", "");

  test("under a misspelt key of a node are left out, which is told, and those of a wrong type are refused", async () => {
    const tree = { $className: "Folder", A: { $className: "Folder", $classname: "Part" } };
    expect((await readFilesAsync(project(tree))).problems).toEqual([
      'default.project.json: $classname of "A" left out: Rojo knows no such key of a node.',
    ]);
    for (const key of ["$className", "$id", "$path"])
      await expect(linesAsync(project({ $className: "Folder", [key]: 1 }))).rejects.toThrow(
        `${key} must be a string`,
      );
  });

  test("of a child whose name begins with $ count, which is told", async () => {
    const tree = { $className: "Folder", $Gui: { $className: "Part", $Inner: { $className: "Folder" } } };
    expect(await linesAsync(project(tree))).toEqual(["/P Folder", "/P/$Gui Part", "/P/$Gui/$Inner Folder"]);
    expect((await readFilesAsync(project(tree))).problems).toEqual([
      'default.project.json: $Gui of "P" became a child, as Rojo does, which reserves names with $; rename it.',
      'default.project.json: $Inner of "$Gui" became a child, as Rojo does, which reserves names with $; rename it.',
    ]);
    const misspelt = project({ $className: "Folder", $propertys: {} });
    await expect(linesAsync(misspelt)).rejects.toThrow('"$propertys" needs a $className');
  });

  test("of a part's position and turn become its CFrame in every form, after a CFrame that is stated too", async () => {
    const Position = [1, 2, 3];
    const turned = "0,0,1,0,1,0,-1,0,0";
    const files = {
      "a.model.json": { className: "Part", properties: { Position } },
      "b/init.meta.json": { className: "Attachment", properties: { Orientation: { Vector3: [0, 90, 0] } } },
      "c.model.json": {
        className: "Part",
        properties: { Position, Rotation: [0, 90, 0], CFrame: [9, 9, 9, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
      },
      ...project({
        $className: "Folder",
        A: { $path: "a.model.json" },
        B: { $path: "b" },
        C: { $path: "c.model.json" },
        D: { $className: "Part", $properties: { Position: { Vector3: [0, -8, 0] } } },
        E: { $className: "Frame", $properties: { Rotation: 90 } },
      }),
    };
    expect(await linesAsync(files)).toEqual([
      "/P Folder",
      "/P/A Part CFrame=CFrame [1,2,3,1,0,0,0,1,0,0,0,1]",
      `/P/B Attachment CFrame=CFrame [0,0,0,${turned}]`,
      `/P/C Part CFrame=CFrame [1,2,3,${turned}]`,
      "/P/D Part CFrame=CFrame [0,-8,0,1,0,0,0,1,0,0,0,1]",
      "/P/E Frame Rotation=Float32 90",
    ]);
    expect((await readFilesAsync(files)).problems).toEqual([]);
  });

  test("that place files do not hold are left out, which is told once for each property", async () => {
    const tree = { $className: "Model", C: { $path: "c" } };
    const files = {
      "c/s.server.luau": "S",
      "c/s.meta.json": { properties: { Enabled: false } },
      "c/m.model.json": { className: "Humanoid", properties: { Health: 50 } },
      // Files hold the pivot, which scripts know as WorldPivot, under this name.
      "c/p.model.json": { className: "Actor", properties: { WorldPivotData: { OptionalCFrame: null } } },
      ...project(tree),
    };
    expect(await linesAsync(files)).toEqual([
      "/P Model NeedsPivotMigration=Bool false",
      "/P/C Folder",
      "/P/C/m Humanoid",
      "/P/C/p Actor NeedsPivotMigration=Bool false WorldPivotData=OptionalCFrame null",
      '/P/C/s Script Source=String "S"',
    ]);
    expect((await readFilesAsync(files)).problems).toEqual([
      "Humanoid.Health left out, as Rojo does: place files do not hold it.",
      "Script.Enabled left out, as Rojo does: place files do not hold it. Set Disabled instead.",
    ]);
  });

  test.each([
    ["Part", { BrickColor: 21 }, "Part.BrickColor expects BrickColor, got 21; Rojo takes it only as"],
    ["Team", { TeamColor: 21 }, 'Rojo takes it only as { "BrickColor": 21 }'],
    ["Part", { Material: 256 }, "Part.Material expects Enum.Material, got 256; Rojo takes the name"],
    ["Frame", { Size: [1, 0, 1, 0] }, "Frame.Size expects UDim2, got [1,0,1,0]; Rojo takes it only as"],
    ["Frame", { Size: { UDim2: [1, 0, 1, 0] } }, "Frame.Size expects UDim2"],
    ["ParticleEmitter", { Lifetime: [1, 2] }, "ParticleEmitter.Lifetime expects NumberRange"],
    ["Part", { Size: [[1, 2, 3]] }, "Part.Size expects Vector3"],
    [
      "Part",
      { CustomPhysicalProperties: { PhysicalProperties: { density: 1, friction: 1, elasticity: 0 } } },
      "with all six parts, acousticAbsorption too",
    ],
    ["TextLabel", { FontFace: { family: "rbxasset://f" } }, "TextLabel.FontFace expects Font"],
    ["Folder", { Attributes: { a: { Float64: 1 }, b: "plain" } }, "the attribute b has a value that needs"],
  ])("that Rojo refuses are refused: %s %j", async ($className, $properties, message) => {
    expect(linesAsync(project({ $className, $properties }))).rejects.toThrow(message);
  });

  test("that need their type are read with it", async () => {
    expect(await lineAsync("Team", { TeamColor: { BrickColor: 21 } })).toBe("Team TeamColor=BrickColor 21");
    const udim2 = {
      UDim2: [
        [1, 2],
        [3, 4],
      ],
    };
    expect(await lineAsync("Frame", { Size: udim2 })).toBe("Frame Size=UDim2 [1,2,3,4]");
    expect(await lineAsync("Part", { Material: { Enum: 256 } })).toBe("Part Material=Enum 256");
  });

  test("of whole numbers lose their fractions", async () => {
    expect(await lineAsync("IntValue", { Value: -7.9 })).toBe("IntValue Value=Int64 -7");
    expect(await lineAsync("NumberValue", { Value: -7.9 })).toBe("NumberValue Value=Float64 -7.9");
  });

  test("of a part's colour are bytes, as files have them", async () => {
    expect(await lineAsync("Part", { Color: [0.5, 0.25, 2] })).toBe("Part Color=Color3uint8 [128,64,255]");
    expect(await lineAsync("Frame", { BackgroundColor3: [0.5, 0, 1] })).toBe(
      "Frame BackgroundColor3=Color3 [0.5,0,1]",
    );
  });

  test("of content name an asset or nothing", async () => {
    expect(await lineAsync("MeshPart", { MeshContent: { Content: { Uri: "rbxasset://a" } } })).toBe(
      'MeshPart MeshContent=Content {"kind":"uri","uri":"rbxasset://a"}',
    );
    expect(await lineAsync("MeshPart", { MeshContent: { Content: "None" } })).toBe(
      'MeshPart MeshContent=Content {"kind":"none"}',
    );
  });

  test("of the terrain's colours are one blob, with the usual ones where nothing is said", async () => {
    const line = await lineAsync("Terrain", { MaterialColors: { Slate: [1, 2, 3] } });
    expect(line).toStartWith(
      'Terrain MaterialColors=String "\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000j\x7f?\\u0001\\u0002\\u0003\x7ff?',
    );
    expect(await lineAsync("Terrain", { MaterialColors: { MaterialColors: { Slate: [1, 2, 3] } } })).toBe(
      line,
    );
    expect(lineAsync("Terrain", { MaterialColors: { Cheese: [1, 2, 3] } })).rejects.toThrow(
      "Terrain.MaterialColors expects MaterialColors",
    );
  });
});
