import { describe, expect, test } from "bun:test";
import { dataModelInstanceSchema } from "../../../src/protocol/fields/instances.ts";
import { readDataModelInstance } from "../../../src/protocol/data-model-instance.ts";

const part = {
  name: "Part",
  className: "Part",
  path: "game.Workspace.Part",
  properties: { Position: { type: "Vector3", value: [1, 2, "nan"] }, Anchored: true },
  attributes: [],
  childCount: 1,
};

describe("reading an Instance quickly", () => {
  test.each<[string, unknown]>([
    ["a plain one", part],
    ["one with children, of which one has none", { ...part, children: [part, { ...part, children: [] }] }],
    ["one with fields that are not known yet", { ...part, future: 1 }],
    ["a tag that is not known yet", { ...part, properties: { New: { type: "Quaternion", w: 1 } } }],
    ["no object", "Part"],
    ["no path", { ...part, path: undefined }],
    ["a negative count", { ...part, childCount: -1 }],
    ["a broken count", { ...part, childCount: 0.5 }],
    ["a list for properties", { ...part, properties: [1] }],
    ["no attributes", { ...part, attributes: undefined }],
    ["a property that is no value", { ...part, properties: { Position: { type: "Vector3", value: [1] } } }],
    ["children that are no list", { ...part, children: {} }],
    ["a child that is none", { ...part, children: [part, null] }],
  ])("agrees with the schema about %s", (_, value) => {
    const slow = dataModelInstanceSchema().safeParse(value);
    expect<unknown>(readDataModelInstance(value)).toEqual(slow.success ? slow.data : undefined);
  });
});
