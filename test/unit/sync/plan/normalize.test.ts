// When two values are the same although files, Studio and place files write them in different ways.
import { describe, expect, test } from "bun:test";
import type { FileValue } from "../../../../src/roblox/model.ts";
import { Normalizer } from "../../../../src/sync/plan/normalize.ts";
import { bool, node, number, schema, text } from "./trees.ts";

const normalizer = new Normalizer(schema);
const float = (value: number): FileValue => ({ type: "Float32", value });
const uri = (value: string): FileValue => ({ type: "Content", value: { kind: "uri", uri: value } });
const color = (...value: number[]): FileValue => ({ type: "Color3", value });
const bytes = (...value: number[]): FileValue => ({ type: "Color3uint8", value });

type Case = readonly [label: string, className: string, name: string, one: FileValue, other: FileValue];

const SAME: readonly Case[] = [
  [
    "a float written with more digits than 32 bits hold",
    "Part",
    "Transparency",
    number(0.1),
    float(Math.fround(0.1)),
  ],
  [
    "a whole number of 64 bits and the same as a number",
    "IntValue",
    "Value",
    { type: "Int64", value: 5n },
    number(5),
  ],
  [
    "an enum's item as a number and as an item",
    "Part",
    "Material",
    { type: "Enum", value: 256 },
    { type: "EnumItem", value: { enumName: "Material", number: 256 } },
  ],
  ["a part's colour as fractions and as bytes", "Part", "Color", color(1, 0, 128 / 255), bytes(255, 0, 128)],
  [
    "a colour between two bytes, whichever Studio takes",
    "Part",
    "Color",
    color(0.5, 0.5, 0.5),
    bytes(127, 128, 127),
  ],
  [
    "the parts of a vector in 32 bits",
    "Part",
    "Size",
    { type: "Vector3", value: [0.1, 1, 2] },
    { type: "Vector3", value: [Math.fround(0.1), 1, 2] },
  ],
  ["zero and negative zero", "Part", "Transparency", float(0), float(-0)],
  ["not a number and itself", "NumberValue", "Value", number(NaN), number(NaN)],
  ["lines that end in another way", "StringValue", "Value", text("a\r\nb"), text("a\nb")],
  ["an asset as a text and as content", "Decal", "Texture", text("rbxassetid://1"), uri("rbxassetid://1")],
  ["an asset as a number and as content", "CharacterMesh", "MeshId", number(1), uri("rbxassetid://1")],
  [
    "a font whose file was found already",
    "TextLabel",
    "FontFace",
    { type: "Font", value: { family: "f", weight: 400, style: 0, cachedFaceId: "" } },
    { type: "Font", value: { family: "f", weight: 400, style: 0, cachedFaceId: "x" } },
  ],
  [
    "a frame that may be missing and one that may not",
    "Model",
    "WorldPivotData",
    { type: "OptionalCFrame", value: [1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
    { type: "CFrame", value: [1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
  ],
];

const DIFFERENT: readonly Case[] = [
  [
    "numbers of 64 bits that round to one of 32",
    "NumberValue",
    "Value",
    number(0.1),
    number(Math.fround(0.1)),
  ],
  [
    "whole numbers that a double cannot tell apart",
    "IntValue",
    "Value",
    { type: "Int64", value: 9007199254740993n },
    { type: "Int64", value: 9007199254740992n },
  ],
  ["bytes of a colour that are neighbours", "Part", "Color", bytes(127, 0, 0), bytes(128, 0, 0)],
  ["a small change that Rojo's hash does not see", "Part", "Transparency", float(0.5), float(0.54)],
  [
    "offsets beyond 24 bits",
    "Frame",
    "Size",
    { type: "UDim2", value: [0, 16777217, 0, 0] },
    { type: "UDim2", value: [0, 16777216, 0, 0] },
  ],
  ["two assets as numbers", "CharacterMesh", "MeshId", number(1), number(2)],
  ["texts that differ in a blank", "StringValue", "Value", text("a "), text("a")],
];

describe("the same value", () => {
  for (const [label, className, name, one, other] of SAME)
    test(label, () => expect(normalizer.isSame(className, name, one, other)).toBe(true));
});

describe("another value", () => {
  for (const [label, className, name, one, other] of DIFFERENT)
    test(label, () => expect(normalizer.isSame(className, name, one, other)).toBe(false));
});

describe("the view of a node", () => {
  test("has properties under the names that scripts use", () => {
    const { properties } = normalizer.view(
      node("P", "Part", {
        properties: { size: { type: "Vector3", value: [1, 2, 3] }, Color3uint8: bytes(1, 2, 3) },
      }),
    );
    expect([...properties.keys()]).toEqual(["Size", "Color"]);
  });
  test("has old properties as those that have replaced them, unless these are stated too", () => {
    const round = (radius: number) => ({ type: "UDim", value: [0, radius] }) as const;
    const view = (properties: Record<string, FileValue>, studioId?: number) =>
      Object.fromEntries(
        [
          ...normalizer.view(node("C", "UICorner", { properties, ...(studioId ? { studioId } : {}) }))
            .properties,
        ].map(([key, { value }]) => [key, value.value]),
      );
    const stated = { TopLeftRadius: round(1), CornerRadius: round(4) };
    expect(view(stated)).toEqual({
      TopLeftRadius: [0, 1],
      TopRightRadius: [0, 4],
      BottomLeftRadius: [0, 4],
      BottomRightRadius: [0, 4],
    });
    // Studio gives all that are not default.
    expect(view(stated, 5)).toEqual({ TopLeftRadius: [0, 1] });
  });
  test("has tags apart from properties, in either form", () => {
    const listed = node("P", "Part", { properties: { Tags: { type: "Tags", value: ["a", "b"] } } });
    const joined = node("P", "Part", { tags: ["a", "b"] });
    for (const each of [listed, joined]) {
      expect(normalizer.view(each).tags).toEqual(new Set(["a", "b"]));
      expect(normalizer.view(each).properties.size).toBe(0);
    }
  });
  test("leaves out what differs between any two places, and attributes of Rojo and Roblox", () => {
    const { properties, attributes } = normalizer.view(
      node("P", "Part", {
        properties: { UniqueId: { type: "UniqueId", value: "x".repeat(16) }, Anchored: bool(true) },
        attributes: {
          Rojo_Id: text("1"),
          Rojo_Target_Value: text("2"),
          RBX_Secret: text("3"),
          Mine: text("4"),
        },
      }),
    );
    expect([...properties.keys(), ...attributes.keys()]).toEqual(["Anchored", "Mine"]);
  });
  test("knows defaults, also those of superclasses and of texts", () => {
    expect(normalizer.default("Part", "Transparency")).toEqual(float(0));
    expect(normalizer.default("Part", "Size")).toEqual({ type: "Vector3", value: [4, Math.fround(1.2), 2] });
    expect(normalizer.default("StringValue", "Value")).toEqual(text(""));
    expect(normalizer.default("TextLabel", "FontFace")).toEqual({
      type: "Font",
      value: {
        family: "rbxasset://fonts/families/LegacyArial.json",
        weight: 400,
        style: 0,
        cachedFaceId: "",
      },
    });
    expect(normalizer.default("NoSuchClass", "Value")).toBeUndefined();
  });
});
