/** What the command line and its messages say of values, held against the plugin that reads the values in the end. */
import { expect, test } from "bun:test";
import { assignments } from "../../../../src/commands/edit/assignments.ts";
import { propertyFault, valueExamples } from "../../../../src/commands/edit/property-values.ts";
import { loadClassApiAsync } from "../../../../src/headless/index.ts";
import { BridgePeer } from "../../plugin/bridge-peer.ts";

/** A property of each type, where headless Studio can make an Instance with it. */
const PROPERTIES: { readonly [type: string]: readonly [className: string, property: string] } = {
  boolean: ["Part", "Anchored"],
  number: ["NumberValue", "Value"],
  string: ["StringValue", "Value"],
  ContentId: ["Decal", "Texture"],
  Vector2: ["Frame", "AnchorPoint"],
  Vector3: ["Part", "Size"],
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
  expect([...valueExamples.keys()].sort()).toEqual([...Object.keys(PROPERTIES), ...WITHOUT_PROPERTY].sort());
});

test("every example, as JSON and as words of the command line, is taken by the class data and by the plugin", async () => {
  const api = await loadClassApiAsync();
  using peer = await BridgePeer.connectAsync();
  for (const [typeName, [className, property]] of Object.entries(PROPERTIES)) {
    expect([className, property, api.member(className, property)?.type.replace(/\?$/, "")]).toEqual([
      className,
      property,
      typeName,
    ]);
    for (const word of formsIn(valueExamples.get(typeName) ?? "").flatMap(wordsFor)) {
      const { [property]: value } = assignments([`${property}=${word}`], "a property");
      const fault = propertyFault(className, property, value, api);
      const create = {
        op: "create" as const,
        className,
        parent: "Workspace",
        properties: { [property]: value },
      };
      const { items } = await peer.askAsync("applyPatch", { operations: [create as never], name: "try" });
      const said = { typeName, word, fault, ok: items[0]?.ok, message: items[0]?.message };
      expect(said).toEqual({ typeName, word, fault: undefined, ok: true, message: undefined } as never);
    }
  }
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
      op: "create" as const,
      className,
      parent: "Workspace",
      properties: { [property]: value },
    };
    const { items } = await peer.askAsync("applyPatch", { operations: [create as never], name: "try" });
    expect([className, property, items[0]?.code]).toEqual([className, property, "INVALID_VALUE"]);
  }
});
