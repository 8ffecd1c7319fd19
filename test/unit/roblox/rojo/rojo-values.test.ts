/** Attributes and values in the files of a Rojo project, as Rojo reads them. */
import { describe, expect, test } from "bun:test";
import { writeBinaryModel } from "../../../../src/roblox/binary-writer.ts";
import { encodeAttributes } from "../../../../src/roblox/attributes.ts";
import { ModelBuilder, NO_PARENT } from "../../../../src/roblox/model.ts";
import { type Files, linesAsync, readFilesAsync } from "./rojo-tree.ts";

const project = (tree: Files, settings: Files = {}): Files => ({
  "default.project.json": { name: "P", tree, ...settings },
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
