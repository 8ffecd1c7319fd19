/** Values between the plugin and files: each type there and back, and what either side alone has. */
import { expect, test } from "bun:test";
import { openClassData } from "../../../src/roblox/class-data.ts";
import type { FileValue } from "../../../src/roblox/model.ts";
import { FileSchema } from "../../../src/roblox/schema.ts";
import {
  attributeOfWire,
  attributeToWire,
  propertyOfWire,
  propertyToWire,
} from "../../../src/roblox/wire-values.ts";
import { isSerializedValue } from "../../../src/protocol/values.ts";
import { utf8ByteString } from "../../../src/util/bytes.ts";
import { assets } from "../../headless/run-spec.ts";

const schema = new FileSchema(openClassData(assets.classData()));
const f = Math.fround;

/** A property of each type that a script can write, with a value as files hold it. */
const properties: readonly (readonly [className: string, name: string, value: FileValue])[] = [
  ["Part", "Anchored", { type: "Bool", value: true }],
  ["StringValue", "Value", { type: "String", value: utf8ByteString("é ☕\n") }],
  ["StringValue", "Value", { type: "String", value: "\xff\xfe" }],
  ["ModuleScript", "Source", { type: "String", value: "return 1\n" }],
  ["Sound", "SoundId", { type: "String", value: "rbxassetid://1" }],
  ["IntValue", "Value", { type: "Int64", value: -(2n ** 53n) + 1n }],
  ["IntValue", "Value", { type: "Int64", value: 2n ** 62n + 1n }],
  ["ScreenGui", "DisplayOrder", { type: "Int32", value: -7 }],
  ["Part", "Transparency", { type: "Float32", value: f(0.1) }],
  ["NumberValue", "Value", { type: "Float64", value: 0.1 }],
  ["NumberValue", "Value", { type: "Float64", value: -Infinity }],
  ["Part", "Material", { type: "Enum", value: 288 }],
  ["BrickColorValue", "Value", { type: "BrickColor", value: 21 }],
  ["Part", "Color", { type: "Color3uint8", value: [255, 128, 0] }],
  ["Lighting", "Ambient", { type: "Color3", value: [f(0.1), 0.5, 1] }],
  ["Part", "Size", { type: "Vector3", value: [1, f(2.3), Infinity] }],
  ["ImageLabel", "ImageRectOffset", { type: "Vector2", value: [3, 4] }],
  ["Part", "CFrame", { type: "CFrame", value: [1, 2, 3, 0, 0, 1, 0, 1, 0, -1, 0, 0] }],
  ["UIPadding", "PaddingTop", { type: "UDim", value: [0.5, 10] }],
  ["Frame", "Size", { type: "UDim2", value: [0.5, 10, f(0.1), -4] }],
  ["ImageLabel", "SliceCenter", { type: "Rect", value: [1, 2, 3, 4] }],
  ["ParticleEmitter", "Lifetime", { type: "NumberRange", value: [1, 5] }],
  ["ParticleEmitter", "Size", { type: "NumberSequence", value: [0, 1, 0, 1, f(0.3), 0.25] }],
  ["ParticleEmitter", "Color", { type: "ColorSequence", value: [0, 1, 0, 0, 0, 1, 0, f(0.2), 1, 0] }],
  ["Handles", "Faces", { type: "Faces", value: 0b100011 }],
  ["ArcHandles", "Axes", { type: "Axes", value: 0b101 }],
  ["RayValue", "Value", { type: "Ray", value: [0, 10, 0, 0, -1, 0] }],
  [
    "Part",
    "CustomPhysicalProperties",
    { type: "PhysicalProperties", value: [f(0.7), f(0.3), 0.5, 1, 1, 0.25] },
  ],
  ["Part", "CustomPhysicalProperties", { type: "PhysicalProperties", value: null }],
  [
    "TextLabel",
    "FontFace",
    {
      type: "Font",
      value: {
        family: "rbxasset://fonts/families/SourceSansPro.json",
        weight: 700,
        style: 1,
        cachedFaceId: "",
      },
    },
  ],
  ["ImageLabel", "ImageContent", { type: "Content", value: { kind: "uri", uri: "rbxassetid://1" } }],
  ["ImageLabel", "ImageContent", { type: "Content", value: { kind: "none" } }],
];

test.each(properties)("%s.%s keeps %p on its way to the plugin and back", (className, name, value) => {
  const wire = propertyToWire(schema, className, name, value);
  expect(isSerializedValue(wire)).toBe(true);
  expect(propertyOfWire(schema, className, name, JSON.parse(JSON.stringify(wire)))).toEqual(value);
});

const attributes: readonly FileValue[] = [
  { type: "Bool", value: false },
  { type: "Float64", value: 0.1 },
  { type: "String", value: utf8ByteString("é") },
  { type: "EnumItem", value: { enumName: "Material", number: 288 } },
  { type: "BrickColor", value: 21 },
  { type: "Color3", value: [f(0.1), 0.5, 1] },
  { type: "Vector3", value: [1, 2, 3] },
  { type: "UDim2", value: [0.5, 1, 0.5, 2] },
  { type: "NumberRange", value: [1, 5] },
  { type: "CFrame", value: [1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
];

test.each(attributes)("an attribute keeps %p on its way to the plugin and back", (value) => {
  const wire = attributeToWire(schema, value);
  expect(wire === undefined ? undefined : attributeOfWire(JSON.parse(JSON.stringify(wire)))).toEqual(value);
});

test("old forms of files become what the property takes now", () => {
  const wire = (className: string, name: string, value: FileValue) =>
    propertyToWire(schema, className, name, value);
  expect(wire("ImageLabel", "ImageContent", { type: "String", value: "rbxassetid://1" })).toEqual({
    type: "Content",
    sourceType: "Uri",
    uri: "rbxassetid://1",
  });
  expect(wire("Sound", "SoundId", { type: "Content", value: { kind: "uri", uri: "rbxassetid://1" } })).toBe(
    "rbxassetid://1",
  );
  expect(wire("BrickColorValue", "Value", { type: "Int32", value: 21 })).toEqual({
    type: "BrickColor",
    name: "",
    value: 21,
  });
});

test("five parts of physical properties have the usual absorption", () => {
  expect(
    propertyOfWire(schema, "Part", "CustomPhysicalProperties", {
      type: "PhysicalProperties",
      value: [1, 0.5, 0.5, 1, 1],
    }),
  ).toEqual({ type: "PhysicalProperties", value: [1, 0.5, 0.5, 1, 1, 1] });
});

test("what only files hold is not sent, and what only Luau has is no file value", () => {
  expect(
    propertyToWire(schema, "UnionOperation", "AssetId", { type: "SharedString", value: "x" }),
  ).toBeUndefined();
  expect(
    propertyToWire(schema, "MeshPart", "PhysicalConfigData", { type: "String", value: "x" }),
  ).toBeUndefined();
  expect(attributeOfWire({ type: "nil" })).toBeUndefined();
  expect(attributeOfWire({ type: "Region3", value: [0, 0, 0, 1, 1, 1] })).toBeUndefined();
  expect(attributeOfWire({ type: "Unsupported", typeName: "thread", toString: "thread" })).toBeUndefined();
});
