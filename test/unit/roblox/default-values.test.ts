/** Defaults from the class data, compared with those that rbx-dom writes for Instances that say nothing. */
import { expect, test } from "bun:test";
import { createDom, type InstanceSpec } from "rbx-dom";
import { toEngineModel } from "../../../src/headless/bytes/to-engine.ts";
import { toFileModel } from "../../../src/headless/bytes/to-file.ts";
import { readBinaryModel } from "../../../src/roblox/binary-reader.ts";
import { openClassData } from "../../../src/roblox/class-data.ts";
import { defaultValue } from "../../../src/roblox/default-values.ts";
import type { FileValue, Model } from "../../../src/roblox/model.ts";
import { FileSchema } from "../../../src/roblox/schema.ts";
import { assets } from "../../headless/run-spec.ts";

const schema = new FileSchema(openClassData(assets.classData()));

type Told = NonNullable<InstanceSpec["properties"]>;
const FRAME = {
  position: [1, 2, 3],
  orientation: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
};

/** Values that are not the default, of every type of property that has one. */
const TOLD: { readonly [className: string]: Told } = {
  Part: {
    Anchored: { Bool: true },
    Size: { Vector3: [1, 2, 3] },
    Color: { Color3uint8: [1, 2, 3] },
    Material: { Enum: 272 },
    Transparency: { Float32: 0.5 },
    MaterialVariant: { String: "x" },
    RootPriority: { Int32: 3 },
  },
  TextLabel: {
    Size: {
      UDim2: [
        [1, 2],
        [3, 4],
      ],
    },
    TextColor3: { Color3: [0, 1, 0] },
    Text: { String: "hello" },
    AnchorPoint: { Vector2: [1, 1] },
  },
  ImageLabel: {
    SliceCenter: {
      Rect: [
        [1, 2],
        [3, 4],
      ],
    },
    ImageContent: { Content: { Uri: "rbxassetid://1" } },
  },
  ParticleEmitter: { Lifetime: { NumberRange: [1, 2] }, Rate: { Float32: 7 } },
  Attachment: { CFrame: { CFrame: FRAME }, Visible: { Bool: true } },
  AlignPosition: { Color: { BrickColor: 1 } },
  UICorner: { CornerRadius: { UDim: [1, 2] } },
  Sound: { PlaybackSpeed: { Float32: 2 } },
};

/** A property's value in the second of two Instances, or undefined. */
function valueOfSecond(model: Model, name: string): FileValue | undefined {
  const column = model.classes[0]?.columns.get(name);
  return column?.values[(column.rows[1] ?? 0) - 1];
}

test.each(Object.entries(TOLD))(
  "a %s that says nothing gets in a file what rbx-dom gives it",
  (className, properties) => {
    const children = [
      { className, name: "a", properties },
      { className, name: "b" },
    ];
    const { model: whole } = readBinaryModel(createDom({ className: "DataModel", children }).toBinary());
    const sparse = {
      ...whole,
      classes: whole.classes.map((owner) => ({
        ...owner,
        columns: new Map(
          [...owner.columns].map(([name, column]) => [name, { ...column, rows: [column.rows[0] ?? 0, 0] }]),
        ),
      })),
    };
    const filled = toFileModel(toEngineModel(sparse, schema).model, schema);
    const names = [...(whole.classes[0]?.columns.keys() ?? [])].filter((name) => name !== "Name");
    expect(names.length).toBeGreaterThanOrEqual(Object.keys(properties).length);
    const valuesIn = (model: Model) => names.map((name) => [name, valueOfSecond(model, name)]);
    expect(valuesIn(filled)).toEqual(valuesIn(whole));
  },
);

test("there is none for a property that the class data does not know, or gives no default", () => {
  expect(defaultValue(schema, "Part", "Nonsense")).toBeUndefined();
  expect(defaultValue(schema, "ObjectValue", "Value")).toBeUndefined();
  expect(defaultValue(schema, "Nonsense", "Name")).toBeUndefined();
});

test("sequences, fonts, faces and axes are read as files write them", () => {
  expect(defaultValue(schema, "TextLabel", "FontFace")).toEqual({
    type: "Font",
    value: { family: "rbxasset://fonts/families/LegacyArial.json", weight: 400, style: 0, cachedFaceId: "" },
  });
  expect(defaultValue(schema, "Beam", "Color")).toEqual({
    type: "ColorSequence",
    value: [0, 1, 1, 1, 0, 1, 1, 1, 1, 0],
  });
  expect(defaultValue(schema, "Beam", "Transparency")).toEqual({
    type: "NumberSequence",
    value: [0, 0.5, 0, 1, 0.5, 0],
  });
  expect(defaultValue(schema, "Handles", "Faces")).toEqual({ type: "Faces", value: 63 });
  expect(defaultValue(schema, "ArcHandles", "Axes")).toEqual({ type: "Axes", value: 7 });
});
