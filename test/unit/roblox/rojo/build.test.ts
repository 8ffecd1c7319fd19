/** Built files, read by rbx-dom: all Instances with their values, and defaults where nothing is said. */
import { describe, expect, test } from "bun:test";
import { readBinary, readXml } from "rbx-dom";
import { type BuildFormat, builtFile } from "../../../../src/roblox/rojo/build.ts";
import { describeDom, generatedDom } from "../generated.ts";
import { type Files, library, schema, withTreeAsync } from "./rojo-tree.ts";

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
      }),
      format,
    );
    expect(lines).toEqual(
      expect.arrayContaining([
        '/0 Workspace/0 A Part.Color = {"Color3uint8":[196,40,28]}',
        '/0 Workspace/2 C Sound.AudioContent = {"Content":{"Uri":"rbxassetid://1"}}',
        '/0 Workspace/3 D ScreenGui.ScreenInsets = {"Enum":1}',
        '/0 Workspace/4 E UICorner.TopRightRadius = {"UDim":[0,4]}',
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
