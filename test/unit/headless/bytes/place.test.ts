/** Places in the engine: files that rbx-dom wrote are opened, looked at by scripts, saved, and read by rbx-dom again. */
import { describe, expect, test } from "bun:test";
import { createDom, type Dom, type InstanceSpec, readBinary, readXml } from "rbx-dom";
import { openClassData } from "../../../../src/roblox/class-data.ts";
import { readBinaryModel } from "../../../../src/roblox/binary-reader.ts";
import { writeBinaryModel } from "../../../../src/roblox/binary-writer.ts";
import { decodeEngineModel, encodePlace } from "../../../../src/headless/bytes/engine-bytes.ts";
import type { Model } from "../../../../src/roblox/model.ts";
import { FileSchema } from "../../../../src/roblox/schema.ts";
import { readXmlModel } from "../../../../src/roblox/xml-reader.ts";
import { writeXmlModel } from "../../../../src/roblox/xml-writer.ts";
import { toEngineModel } from "../../../../src/headless/bytes/to-engine.ts";
import { toFileModel } from "../../../../src/headless/bytes/to-file.ts";
import { HeadlessStudio } from "../../../../src/headless/window/studio.ts";
import { assets, noNetwork } from "../../../headless/run-spec.ts";
import { describeDom, flipped, generatedDom } from "../../roblox/generated.ts";

const schema = new FileSchema(openClassData(assets.classData()));

interface Opened {
  readonly lines: readonly string[];
  readonly saved: Dom;
}

function tryRead(file: Uint8Array): Model | undefined {
  try {
    return readBinaryModel(file).model;
  } catch {
    return undefined;
  }
}

/** Opens the place, which is XML or rbx-dom's, runs the script, saves the place. */
function open(file: Dom | string, script = ""): Opened {
  const { model } = typeof file === "string" ? readXmlModel(file) : readBinaryModel(file.toBinary());
  const { lines, saved } = openModel(model, script);
  return { lines, saved: readBinary(saved) };
}

function openModel(given: Model, script = ""): { lines: readonly string[]; saved: Uint8Array; xml: string } {
  const lines: string[] = [];
  let place = new Uint8Array();
  using studio = new HeadlessStudio({
    assets,
    host: { ...noNetwork, log: (_type, text) => void lines.push(text) },
    onPlaceSaved: (bytes) => void (place = new Uint8Array(bytes)),
  });
  studio.dispatch("openPlace", 0, encodePlace(toEngineModel(given, schema)));
  studio.runSource("=script", script);
  studio.dispatch("savePlace");
  const model = toFileModel(decodeEngineModel(place), schema);
  const saved = writeBinaryModel(model, (className) => schema.isService(className));
  return { lines, saved, xml: writeXmlModel(model) };
}

const inWorkspace = (...children: InstanceSpec[]): Dom =>
  createDom({ className: "DataModel", children: [{ className: "Workspace", name: "Workspace", children }] });

describe("a place in the engine", () => {
  test("keeps everything that a file says", () => {
    for (const seed of [21, 22, 23]) {
      const dom = generatedDom(seed, 80);
      const { lines, saved } = open(dom);
      const after = new Set(describeDom(saved).map(withoutPositions));
      const lost = describeDom(readBinary(dom.toBinary()))
        .map(withoutPositions)
        .filter((line) => !after.has(line) && !NOTHING.test(line));
      expect({ lines, lost }).toEqual({ lines: [], lost: [] });
    }
  });

  test("is what scripts see", () => {
    const dom = inWorkspace(
      {
        className: "Part",
        name: "Block",
        properties: {
          CFrame: {
            CFrame: {
              position: [1, 2, 3],
              orientation: [
                [0, 0, 1],
                [0, 1, 0],
                [-1, 0, 0],
              ],
            },
          },
          Color: { Color3uint8: [255, 0, 0] },
          Material: { Enum: 272 },
          Attributes: { Attributes: { n: { Float64: 5 } } },
          Tags: { Tags: ["t"] },
        },
      },
      { className: "ObjectValue", name: "Link" },
    );
    const { lines } = open(
      dom,
      `local part = workspace.Block
      print(part.Position, part.Orientation, part.Color, part.Material, part:GetAttribute("n"), part:HasTag("t"))
      print(workspace.Link.Value, #workspace:GetChildren(), workspace.CurrentCamera, workspace.Terrain)`,
    );
    expect(lines).toEqual([
      "1, 2, 3 0, 90, 0 1, 0, 0 Enum.Material.SmoothPlastic 5 true",
      "nil 4 Camera Terrain",
    ]);
  });

  test("takes the file's camera and terrain for its own", () => {
    const { lines } = open(
      inWorkspace({ className: "Camera", name: "Mine" }, { className: "Terrain", name: "Terrain" }),
      "print(#workspace:GetChildren(), workspace.CurrentCamera)",
    );
    expect(lines).toEqual(["2 Mine"]);
  });

  test("puts a model's Instances below Workspace", () => {
    const dom = createDom({ className: "DataModel", children: [{ className: "Folder", name: "Lib" }] });
    expect(open(dom, "print(workspace.Lib.ClassName)").lines).toEqual(["Folder"]);
  });

  test("a place that does not say has immediate signals", () => {
    const script = `local order = "unfired"
      workspace.ChildAdded:Once(function() order = "fired" end)
      Instance.new("Folder", workspace)
      print(order)`;
    const deferred = createDom({
      className: "DataModel",
      children: [{ className: "Workspace", name: "Workspace", properties: { SignalBehavior: { Enum: 2 } } }],
    });
    expect([...open(inWorkspace(), script).lines, ...open(deferred, script).lines]).toEqual([
      "fired",
      "unfired",
    ]);
  });

  test("says once what it does not know, and goes on", () => {
    const item = (className: string, name: string, rest = "") =>
      `<Item class="${className}"><Properties><string name="Name">${name}</string>${rest}</Properties></Item>`;
    const file = `<roblox version="4"><Item class="Workspace"><Properties></Properties>
      ${item("Zorp", "A", '<int64 name="Big">5</int64>')}${item("Zorp", "B")}
      ${item("Part", "P1", '<double name="Wibble">1</double>')}
      ${item("Part", "P2", '<double name="Wibble">2</double><string name="Anchored">no</string>')}
    </Item></roblox>`;
    const { lines, saved } = open(file, "print(#workspace:GetDescendants(), workspace.P2.Anchored)");
    expect(lines).toEqual([
      "2 Instances of the unknown class Zorp left out.",
      "Part.Anchored left out: expected bool, got String.",
      "1 unknown property kept unread: Part.Wibble.",
      "4 false",
    ]);
    expect(describeDom(saved).filter((line) => line.includes("Wibble"))).toHaveLength(2);
  });

  test("takes an old property only where no newer one replaces it", () => {
    const part = (name: string, rest: string) =>
      `<Item class="Part"><Properties><string name="Name">${name}</string>${rest}</Properties></Item>`;
    const file = `<roblox version="4"><Item class="Workspace"><Properties></Properties>
      ${part("Old", '<int name="BrickColor">21</int>')}
      ${part("Both", '<Color3uint8 name="Color3uint8">4278190335</Color3uint8><int name="BrickColor">21</int>')}
      <Item class="TextLabel"><Properties><token name="Font">4</token></Properties></Item>
      <Item class="Decal"><Properties><Content name="Texture"><url>rbxassetid://9</url></Content></Properties></Item>
      <Item class="UICorner"><Properties><UDim name="BottomLeftRadius"><S>0</S><O>1</O></UDim>
        <UDim name="CornerRadius"><S>0</S><O>2</O></UDim></Properties></Item>
    </Item></roblox>`;
    const script = `print(workspace.Old.BrickColor, workspace.Both.Color)
      print(workspace.TextLabel.FontFace == Font.fromEnum(Enum.Font.SourceSansBold), workspace.Decal.TextureContent.Uri)
      print(workspace.UICorner.BottomLeftRadius, workspace.UICorner.CornerRadius)`;
    expect(open(file, script).lines).toEqual(["Bright red 0, 0, 1", "true rbxassetid://9", "0, 1 0, 8"]);
  });

  test("keeps the element of what scripts cannot see when it is saved as XML, from either format", () => {
    const union = [
      '<ContentId name="AssetId"><url>rbxassetid://7</url></ContentId>',
      '<BinaryString name="LODData">AQI=</BinaryString>',
      '<NetAssetRef name="SolidMeshHolder">CY9rzUYh03PK3k6DJie09g==</NetAssetRef>',
    ];
    const file = `<roblox version="4"><Item class="Workspace"><Properties></Properties>
      <Item class="UnionOperation"><Properties>${union.join("")}</Properties></Item>
      <Item class="NegateOperation"><Properties><ContentId name="AssetId"><null></null></ContentId></Properties></Item>
      <Item class="WrapLayer"><Properties><ContentId name="TemporaryReferenceId"><null></null></ContentId>
      <string name="NewerThanThis">text</string></Properties></Item></Item>
      <SharedStrings><SharedString md5="CY9rzUYh03PK3k6DJie09g==">dGVzdA==</SharedString></SharedStrings></roblox>`;
    const { model } = readXmlModel(file);
    const fromXml = openModel(model).xml;
    const fromBinary = openModel(readBinaryModel(writeBinaryModel(model, () => false)).model).xml;
    for (const xml of [fromXml, fromBinary]) {
      expect(union.filter((element) => !xml.includes(element))).toEqual([]);
      expect(xml).toContain('<ContentId name="AssetId"><null></null></ContentId>');
      expect(xml).toContain('<ContentId name="TemporaryReferenceId"><null></null></ContentId>');
      expect(xml).toContain('<string name="NewerThanThis">text</string>');
      expect(describeDom(readXml(Buffer.from(xml))).join("\n")).toContain("SolidMeshHolder");
    }
  });

  test("of a damaged file that can still be read is opened and saved all the same", () => {
    const file = generatedDom(31, 40).toBinary({ compression: "none" });
    const models = Array.from({ length: 150 }, (_, seed) => tryRead(flipped(file, seed))).filter(
      (model) => model !== undefined,
    );
    const defects = models.flatMap((model) =>
      openModel(model).lines.filter((line) => line.includes("defect")),
    );
    expect({ isEnough: models.length > 20, defects }).toEqual({ isEnough: true, defects: [] });
  });

  test("loses attributes that cannot be read, and says so once", () => {
    const item = (name: string) =>
      `<Item class="Folder"><Properties><string name="Name">${name}</string>
        <BinaryString name="AttributesSerialize">AQAAAAEAAABheA==</BinaryString></Properties></Item>`;
    const file = `<roblox version="4"><Item class="Workspace"><Properties></Properties>${item("A")}${item("B")}</Item></roblox>`;
    expect(open(file, "print(workspace.B.Name)").lines).toEqual([
      "Folder.Attributes left out: an attribute has the type 120, which is not known.",
      "B",
    ]);
  });

  test("keeps what Studio saves for itself beside the services", () => {
    const own = ["Instance", "StudioData", "Selection"];
    const items = own.map((className) => {
      const name = className === "Instance" ? "FilteredSelection" : className;
      return `<Item class="${className}"><Properties><string name="Name">${name}</string></Properties></Item>`;
    });
    const file = `<roblox version="4">${items.join("")}</roblox>`;
    const { lines, saved } = open(file, 'print(workspace:FindFirstChild("FilteredSelection"))');
    expect(lines).toEqual(["nil"]);
    const after = describeDom(saved).map(withoutPositions).join("\n");
    expect(after).toContain("/FilteredSelection Instance");
    expect(after).toContain("/StudioData StudioData");
    expect(after).toContain("/Selection Selection");
    const fresh = open('<roblox version="4"></roblox>', 'game:GetService("Selection")').saved;
    expect(describeDom(fresh).filter((line) => line.includes("Selection"))).toEqual([]);
  });

  test("has no second DataModel, and each service once", () => {
    const file = `<roblox version="4"><Item class="DataModel"><Properties></Properties></Item>
      <Item class="Lighting"><Properties></Properties><Item class="Sky"><Properties></Properties></Item></Item>
      <Item class="Lighting"><Properties></Properties></Item></roblox>`;
    const script = `print(#game:GetService("Lighting"):GetChildren(), #workspace:GetChildren())`;
    expect(open(file, script).lines).toEqual(["1 2"]);
  });

  test("is saved as scripts have changed it, without what is not Archivable", () => {
    const { saved } = open(
      inWorkspace({ className: "Part", name: "Old" }),
      `workspace.Old.Name = "New"
      local secret = Instance.new("Folder", workspace)
      secret.Name, secret.Archivable = "Secret", false
      Instance.new("Folder", secret)
      Instance.new("IntValue", game.ServerStorage).Value = 7`,
    );
    const lines = describeDom(saved).map(withoutPositions);
    expect(lines).toContain("/Workspace/New Part");
    expect(lines).toContain('/ServerStorage/Value IntValue.Value = {"Int64":"7"}');
    expect(lines.filter((line) => /Secret|Old/.test(line))).toEqual([]);
  });
});

/** Values that mean the same as none. */
const NOTHING = /\{"OptionalCFrame":null\}|\{"PhysicalProperties":"Default"\}/;

/** The engine adds what every place has, so positions shift. */
const withoutPositions = (line: string): string => line.replace(/\/\d+ /g, "/");
