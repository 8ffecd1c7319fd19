/** Built files, read by rbx-dom: all Instances with their values, and defaults where nothing is said. */
import { describe, expect, test } from "bun:test";
import { readBinary, readXml } from "rbx-dom";
import { encodeAttributes } from "../../../../src/roblox/attributes.ts";
import { writeBinaryModel } from "../../../../src/roblox/binary-writer.ts";
import { ModelBuilder, NO_PARENT } from "../../../../src/roblox/model.ts";
import { realDisk } from "../../../../src/roblox/rojo/disk.ts";
import { readRojoTreeAsync } from "../../../../src/roblox/rojo/project.ts";
import { type BuildFormat, builtFile } from "../../../../src/roblox/rojo/build.ts";
import { describeDom, generatedDom } from "../generated.ts";
import { type Files, library, nodeAt, schema, withTreeAsync } from "./rojo-tree.ts";

async function builtLinesAsync(files: Files, format: BuildFormat): Promise<string[]> {
  const content = await withTreeAsync(files, ({ root }) => builtFile(root, schema, format).content);
  return describeDom(format.endsWith("x") ? readXml(content) : readBinary(content));
}

const place = (workspace: object): Files => ({
  "default.project.json": { name: "P", tree: { $className: "DataModel", Workspace: workspace } },
});
const made = (className: string, properties: object) => ({ $className: className, $properties: properties });

describe.each(["rbxl", "rbxlx"] as const)("a place as %s", (format) => {
  test("has old properties as those that have replaced them", async () => {
    const lines = await builtLinesAsync(
      place({
        A: made("Part", { BrickColor: { BrickColor: 21 } }),
        B: made("TextLabel", { Font: "GothamBold" }),
        C: made("Sound", { SoundId: "rbxassetid://1" }),
        D: made("ScreenGui", { IgnoreGuiInset: true }),
        E: made("UICorner", { CornerRadius: { UDim: [0, 4] } }),
        F: made("CharacterMesh", { BaseTextureId: 5 }),
      }),
      format,
    );
    expect(lines).toEqual(
      expect.arrayContaining([
        '/0 Workspace/0 A Part.Color = {"Color3uint8":[196,40,28]}',
        '/0 Workspace/2 C Sound.AudioContent = {"Content":{"Uri":"rbxassetid://1"}}',
        '/0 Workspace/3 D ScreenGui.ScreenInsets = {"Enum":1}',
        '/0 Workspace/4 E UICorner.TopRightRadius = {"UDim":[0,4]}',
        '/0 Workspace/5 F CharacterMesh.BaseTextureContent = {"Content":{"Uri":"rbxassetid://5"}}',
      ]),
    );
    expect(lines.find((line) => line.includes("FontFace"))).toMatch(/GothamSSm.json".*"weight":"Bold"/);
  });

  test("has whole numbers of 64 bits to the last digit", async () => {
    const lines = await builtLinesAsync(place({ I: made("IntValue", { Value: { Int64: 1 } }) }), format);
    expect(lines.join()).toContain('"Int64":"1"');
  });
});

describe.each(["rbxm", "rbxmx"] as const)("a model as %s", (format) => {
  test("holds all values of a model file, and defaults for Instances that say nothing beside it", async () => {
    const dom = generatedDom(7, 60);
    const tree = {
      $className: "Folder",
      Plain: { $className: "Part" },
      PlainModel: { $className: "Model" },
      Whole: { $path: `whole.${format}` },
    };
    const whole = format === "rbxmx" ? dom.toXml() : dom.toBinary();
    const files = { "default.project.json": { name: "P", tree }, [`whole.${format}`]: new Uint8Array(whole) };
    const lines = await builtLinesAsync(files, format);
    const original = format === "rbxmx" ? readXml(whole) : readBinary(whole);
    const moved = describeDom(original).map((line) => line.replaceAll("/0 Workspace", "/0 P/2 Whole"));
    expect(moved.filter((line) => !lines.includes(line))).toEqual([]);
    const plain = lines.filter((line) => line.startsWith("/0 P/0 Plain Part."));
    expect(plain).toEqual(
      format === "rbxmx"
        ? []
        : expect.arrayContaining([
            '/0 P/0 Plain Part.Size = {"Vector3":[4,1.2000000476837158,2]}',
            '/0 P/0 Plain Part.Color = {"Color3uint8":[163,162,165]}',
            '/0 P/0 Plain Part.SourceAssetId = {"Int64":"-1"}',
          ]),
    );
  });
});

test("models that stay as their files have them build the same file as those that are taken apart", async () => {
  const builder = new ModelBuilder();
  const root = builder.add("Model", NO_PARENT);
  const part = builder.add("Part", root);
  const value = builder.add("ObjectValue", part);
  for (const [id, name] of [
    [root, "Root"],
    [part, "Core"],
    [value, "Value"],
  ] as const)
    builder.set(id, "Name", { type: "String", value: name });
  builder.set(root, "PrimaryPart", { type: "Ref", value: part });
  builder.set(root, "Tags", { type: "String", value: "own" });
  builder.set(value, "Value", { type: "Ref", value: root });
  const named = new ModelBuilder();
  const target = named.add("Folder", NO_PARENT);
  named.set(target, "Name", { type: "String", value: "Named" });
  named.set(target, "AttributesSerialize", {
    type: "String",
    value: encodeAttributes(new Map([["Rojo_Id", { type: "String", value: "x" }]])),
  });
  const dom = generatedDom(11, 40);
  const node = (path: string) => ({
    $path: path,
    $properties: { Tags: ["other"] },
    Added: { $className: "Part" },
  });
  const files: Files = {
    "default.project.json": {
      name: "P",
      tree: {
        $className: "Folder",
        A: node("a.rbxm"),
        B: { $path: "a.rbxm" },
        C: { $path: "whole.rbxm" },
        D: { $path: "named.rbxm" },
        E: { $className: "ObjectValue", $attributes: { Rojo_Target_Value: "x" } },
      },
    },
    "a.rbxm": writeBinaryModel(builder.finish(), () => false),
    "named.rbxm": writeBinaryModel(named.finish(), () => false),
    "whole.rbxm": new Uint8Array(dom.toBinary()),
  };
  const [kept, apart] = await withTreeAsync(files, async ({ root: tree, file }) => {
    const { root: keptTree } = await readRojoTreeAsync(file, schema, realDisk, { keepsModels: true });
    expect(nodeAt(keptTree, "A").children.map(({ name }) => name)).toEqual(["Added"]);
    return [keptTree, tree].map((each) => describeDom(readBinary(builtFile(each, schema, "rbxm").content)));
  });
  expect(kept).toEqual(apart ?? []);
  expect(kept).toEqual(
    expect.arrayContaining([
      "/0 P/0 A Model.PrimaryPart = /0 P/0 A/0 Core",
      "/0 P/0 A/0 Core/0 Value ObjectValue.Value = /0 P/0 A",
      "/0 P/1 B/0 Core/0 Value ObjectValue.Value = /0 P/1 B",
      "/0 P/4 E ObjectValue.Value = /0 P/3 D",
      '/0 P/0 A Model.Tags = {"Tags":["other"]}',
      '/0 P/1 B Model.Tags = {"Tags":["own"]}',
    ]),
  );
});

test("a reference by an id is one, unless two Instances have the id", async () => {
  const pointer = { className: "ObjectValue", attributes: { Rojo_Target_Value: "x" } };
  const target = { className: "Folder", id: "x" };
  const files = library({ "src/a.model.json": pointer, "src/b.model.json": target });
  expect((await builtLinesAsync(files, "rbxm")).join("\n")).toContain("ObjectValue.Value = /0 Lib/1 b");
  const twice = { ...files, "src/c.model.json": target };
  expect((await builtLinesAsync(twice, "rbxm")).join("\n")).not.toContain("ObjectValue.Value = /0 Lib");
});

test("a model that a project names twice has its identities once", async () => {
  const dom = generatedDom(3, 5);
  const [workspace = ""] = dom.children(dom.rootRef);
  dom.setProperty(workspace, "UniqueId", { UniqueId: "0123456789abcdef0123456789abcdef" });
  const files: Files = {
    "default.project.json": {
      name: "P",
      tree: { $className: "Folder", A: { $path: "m.rbxm" }, B: { $path: "m.rbxm" } },
    },
    "m.rbxm": new Uint8Array(dom.toBinary()),
  };
  const lines = await builtLinesAsync(files, "rbxm");
  expect(lines.filter((line) => line.includes("UniqueId") && line.includes("89abcdef"))).toHaveLength(1);
});
