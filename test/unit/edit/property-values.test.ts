/** What the command line and its messages say of values, held against the plugin that reads the values in the end. */
import { expect, test } from "bun:test";
import { assignments } from "../../../src/edit/assignments.ts";
import { propertyAssignment } from "../../../src/command-kit/scripts/assignment-text.ts";
import { valueText } from "../../../src/output/value-text.ts";
import { propertyFault, typeRows } from "../../../src/edit/property-values.ts";
import { loadClassApiAsync } from "../../../src/headless/index.ts";
import { openClassData } from "../../../src/roblox/class-data.ts";
import { propertyOfJson } from "../../../src/roblox/plain-values.ts";
import { publicProperty } from "../../../src/roblox/public-values.ts";
import { FileSchema } from "../../../src/roblox/schema.ts";
import type { SerializedValue } from "../../../src/protocol/values.ts";
import { assets } from "../../headless/run-spec.ts";
import { BridgePeer } from "../plugin/bridge-peer.ts";

const schema = new FileSchema(openClassData(assets.classData()));

/** A property of each type, where headless Studio can make an Instance with it. */
const PROPERTIES: { readonly [type: string]: readonly [className: string, property: string] } = {
  boolean: ["Part", "Anchored"],
  number: ["NumberValue", "Value"],
  string: ["StringValue", "Value"],
  ContentId: ["Decal", "Texture"],
  Vector2: ["Frame", "AnchorPoint"],
  Vector3: ["SpecialMesh", "Offset"],
  CFrame: ["Part", "CFrame"],
  Color3: ["Part", "Color"],
  BrickColor: ["Part", "BrickColor"],
  UDim: ["UICorner", "CornerRadius"],
  UDim2: ["Frame", "Size"],
  Rect: ["ImageLabel", "SliceCenter"],
  NumberRange: ["ParticleEmitter", "Lifetime"],
  NumberSequence: ["ParticleEmitter", "Size"],
  ColorSequence: ["ParticleEmitter", "Color"],
  PhysicalProperties: ["Part", "CustomPhysicalProperties"],
  Ray: ["RayValue", "Value"],
  Font: ["TextLabel", "FontFace"],
  Faces: ["Handles", "Faces"],
  Axes: ["ArcHandles", "Axes"],
};
/** No Instance that can be made has a property of these types. */
const WITHOUT_PROPERTY = ["Content", "Vector2int16", "Vector3int16", "Region3", "Region3int16", "DateTime"];

/** The forms in an example: `"#ff8800" or [1, 0.5, 0] (red, green, blue)`. */
const formsIn = (example: string): string[] =>
  example
    .replace(/ \([^)]*\)$/, "")
    .split(" or ")
    .filter((form) => form !== "twelve numbers");

/** As a person writes the form behind NAME=. */
const wordsFor = (form: string): string[] => {
  const value: unknown = JSON.parse(form);
  const numbers = Array.isArray(value) && value.every((item) => typeof item === "number");
  return [form, ...(typeof value === "string" ? [value] : []), ...(numbers ? [value.join(",")] : [])];
};

test("every example has a property that it is tried on, or none has its type", () => {
  expect([...typeRows.keys()].sort()).toEqual([...Object.keys(PROPERTIES), ...WITHOUT_PROPERTY].sort());
});

test("every example, as JSON and as words of the command line, is taken by the class data and the plugin, and read as one value", async () => {
  const api = await loadClassApiAsync();
  using peer = await BridgePeer.connectAsync();
  for (const [typeName, [className, property]] of Object.entries(PROPERTIES)) {
    expect([className, property, api.member(className, property)?.type.replace(/\?$/, "")]).toEqual([
      className,
      property,
      typeName,
    ]);
    for (const word of formsIn(typeRows.get(typeName)?.example ?? "").flatMap(wordsFor)) {
      const { [property]: value } = assignments([`${property}=${word}`], "a property");
      const fault = propertyFault(className, property, value, api);
      const create = {
        op: "create",
        className,
        parent: "Workspace",
        properties: { [property]: value },
      };
      const { items } = await peer.patchAsync([create]);
      const said = { typeName, word, fault, ok: items[0]?.ok, message: items[0]?.message };
      expect<unknown>(said).toEqual({ typeName, word, fault: undefined, ok: true, message: undefined });
      const id = items[0]?.id ?? "";
      const { instance } = await peer.askAsync("queryDataModel", { path: id, properties: [property] });
      const read = propertyOfJson(schema, className, property, value as SerializedValue);
      const shown = read && publicProperty(schema, className, property, read);
      expect([typeName, word, shown]).toEqual([typeName, word, instance.properties?.[property]]);
    }
  }
});

test("what results show of a value can be copied into sb set", async () => {
  const api = await loadClassApiAsync();
  using peer = await BridgePeer.connectAsync();
  for (const [typeName, [className, property]] of Object.entries(PROPERTIES)) {
    const [form = ""] = formsIn(typeRows.get(typeName)?.example ?? "");
    const example: unknown = JSON.parse(form);
    const create = {
      op: "create",
      className,
      parent: "Workspace",
      name: typeName,
      properties: { [property]: example },
    };
    await peer.patchAsync([create]);
    const readAsync = async (path: string) => {
      const { instance } = await peer.askAsync("queryDataModel", { path, properties: [property] });
      return instance.properties?.[property] ?? null;
    };
    const value = await readAsync(`game.Workspace.${typeName}`);
    const shown = [
      propertyAssignment(property, value).replace(/^'(.*)'$/, "$1"),
      ...(typeof value === "string" ? [] : [`${property}=${valueText(value)}`]),
    ];
    for (const [index, word] of shown.entries()) {
      const properties = assignments([word], "a property");
      expect([word, propertyFault(className, property, properties[property], api)]).toEqual([
        word,
        undefined,
      ]);
      const name = `${typeName}${index}`;
      const copy = { op: "create", className, parent: "Workspace", name, properties };
      const { items } = await peer.patchAsync([copy]);
      expect([word, items[0]?.message]).toEqual([word, undefined]);
      expect([word, await readAsync(`game.Workspace.${name}`)]).toEqual([word, value]);
    }
  }
});

test("a word of the command line stays as it was written, where only the type tells what it means", () => {
  const words = ["A=1e3", "B=007", "C=.5", "D=5", "E=true", 'F="5"', "G=0x10"];
  expect(assignments(words, "a property")).toEqual({
    A: "1e3",
    B: "007",
    C: ".5",
    D: 5,
    E: true,
    F: "5",
    G: "0x10",
  });
  expect(assignments(words, "an attribute")).toEqual({
    A: 1_000,
    B: 7,
    C: 0.5,
    D: 5,
    E: true,
    F: "5",
    G: 16,
  });
  expect(() => assignments(["A=1", "B=2", "A=3"], "a property")).toThrow("A is given twice.");
  expect(() => assignments(["A=1e999"], "an attribute")).toThrow("too large");
});

test("what the class data refuses, the plugin refuses too", async () => {
  const api = await loadClassApiAsync();
  using peer = await BridgePeer.connectAsync();
  const wrong: readonly [className: string, property: string, value: unknown][] = [
    ["Part", "Anchored", "yes"],
    ["Part", "Size", [1, 2]],
    ["Part", "Size", "1,2"],
    ["Part", "Color", "red"],
    ["Part", "Material", "Neonn"],
    ["Part", "CFrame", [1, 2, 3, 4]],
    ["Frame", "Size", [1, 2, 3]],
    ["NumberValue", "Value", "much"],
    ["StringValue", "Value", true],
    ["ParticleEmitter", "Color", [0, 1, 0, 0]],
    ["Handles", "Faces", 3],
  ];
  for (const [className, property, value] of wrong) {
    expect([className, property, propertyFault(className, property, value, api)?.code]).toEqual([
      className,
      property,
      "INVALID_VALUE",
    ]);
    const create = {
      op: "create",
      className,
      parent: "Workspace",
      properties: { [property]: value },
    };
    const { items } = await peer.patchAsync([create]);
    expect([className, property, items[0]?.code]).toEqual([className, property, "INVALID_VALUE"]);
  }
});
