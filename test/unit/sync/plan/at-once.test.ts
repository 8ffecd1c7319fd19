/** What counts as equal at first sight must also be equal at the closer look, which shares no code with it. */
import { expect, test } from "bun:test";
import type { FileValue } from "../../../../src/roblox/model.ts";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { type AspectOptions, isPair } from "../../../../src/sync/plan/aspects.ts";
import { AlikeValues } from "../../../../src/sync/plan/at-once.ts";
import { differencesOf } from "../../../../src/sync/plan/differences.ts";
import { entriesOf } from "../../../../src/sync/plan/entries.ts";
import { isEqualAtOnce } from "../../../../src/sync/plan/make-items.ts";
import { Normalizer } from "../../../../src/sync/plan/normalize.ts";
import { randomFrom } from "../../roblox/generated.ts";
import { utf8ByteString } from "../../../../src/util/bytes.ts";
import { bool, node, schema, text } from "./trees.ts";

const tuple = (type: "Vector3" | "CFrame" | "Color3" | "Color3uint8", ...value: number[]): FileValue => ({
  type,
  value,
});
const turned = [0, 0, -1, 0, 1, 0, 1, 0, 0];
const FRAMES = [tuple("CFrame", 1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1), tuple("CFrame", 1, 2, 3, ...turned)];

/** Values that a file may hold, by the names that files and scripts use. */
const IN_FILES: Readonly<Record<string, readonly FileValue[]>> = {
  size: [tuple("Vector3", 4, 1, 2), tuple("Vector3", 4, 1.2, 2)],
  Size: [tuple("Vector3", 4, 1, 2)],
  Color3uint8: [tuple("Color3uint8", 163, 162, 165), tuple("Color3uint8", 1, 2, 3)],
  Color: [tuple("Color3", 163 / 255, 162 / 255, 165 / 255)],
  BrickColor: [{ type: "Int32", value: 194 }],
  Anchored: [bool(false), bool(true)],
  CanCollide: [bool(true)],
  Transparency: [
    { type: "Float32", value: 0 },
    { type: "Float64", value: 0.1 },
  ],
  CFrame: FRAMES,
  Position: [tuple("Vector3", 1, 2, 3)],
  formFactorRaw: [{ type: "Enum", value: 1 }],
  UniqueId: [{ type: "UniqueId", value: utf8ByteString("0123456789abcdef") }],
  Tags: [text(""), text("A")],
  Material: [{ type: "Enum", value: 256 }],
  Unknown: [bool(true)],
};
/** As the reader of Studio has them: by the names of scripts, without defaults. */
const IN_STUDIO: Readonly<Record<string, readonly FileValue[]>> = {
  Size: [tuple("Vector3", 4, 1, 2), tuple("Vector3", 4, Math.fround(1.2), 2)],
  Color: [tuple("Color3uint8", 1, 2, 3)],
  Anchored: [bool(true)],
  Transparency: [{ type: "Float32", value: Math.fround(0.1) }],
  CFrame: FRAMES,
  Tags: [text("A")],
  Shape: [{ type: "Enum", value: 0 }],
};

function nodeOf(random: () => number, values: Readonly<Record<string, readonly FileValue[]>>): RojoNode {
  const properties: Record<string, FileValue> = {};
  for (const [name, choices] of Object.entries(values)) {
    const value = choices[Math.floor(random() * choices.length)];
    if (random() < 0.3 && value !== undefined) properties[name] = value;
  }
  return node("Block", "Part", { properties });
}

test("what is equal at first sight has no difference at the closer look", () => {
  const random = randomFrom(11);
  let equal = 0;
  for (let round = 0; round < 40_000; round += 1) {
    const [file, studio] = [nodeOf(random, IN_FILES), nodeOf(random, IN_STUDIO)];
    const base = random() < 0.5 ? undefined : nodeOf(random, random() < 0.5 ? IN_FILES : IN_STUDIO);
    if (base !== undefined && random() < 0.5) base.studioOnly = new Map();
    const normalizer = new Normalizer(schema);
    const place = (child: RojoNode) => node("game", "DataModel", { children: [child] });
    const trees = { files: place(file), studio: place(studio), ...(base && { base: place(base) }) };
    const entries = entriesOf(trees, normalizer);
    for (const properties of [undefined, "changed", "all"] as const) {
      const isForScripts = random() < 0.5;
      const options: AspectOptions = {
        normalizer,
        meaning: { normalizer, knowsDefaults: true },
        entries,
        properties,
        ignoreReferents: false,
        isForScripts,
      };
      const entry = entries.of(file);
      if (entry === undefined || !isPair(entry) || !isEqualAtOnce(entry, options)) continue;
      equal += 1;
      expect(
        differencesOf(entry, options),
        JSON.stringify([[...file.properties], [...studio.properties]]),
      ).toEqual([]);
    }
  }
  expect(equal).toBeGreaterThan(1_000);
});

test("names and defaults that only files have need no closer look", () => {
  const file = node("Block", "Part", {
    properties: {
      size: tuple("Vector3", 4, 1, 2.5),
      Color3uint8: tuple("Color3uint8", 1, 2, 3),
      Anchored: bool(false),
      Tags: text(""),
    },
  });
  const studio = node("Block", "Part", {
    properties: { Size: tuple("Vector3", 4, 1, 2.5), Color: tuple("Color3uint8", 1, 2, 3) },
  });
  const normalizer = new Normalizer(schema);
  const place = (child: RojoNode) => node("game", "DataModel", { children: [child] });
  const entries = entriesOf({ files: place(file), studio: place(studio) }, normalizer);
  const entry = entries.of(file);
  const options: AspectOptions = {
    normalizer,
    meaning: { normalizer, knowsDefaults: true },
    entries,
    properties: "all",
    ignoreReferents: false,
    isForScripts: true,
  };
  expect(entry !== undefined && isPair(entry) && isEqualAtOnce(entry, options)).toBe(true);
});

test("values that an earlier plan has found equal are found again, and changed ones are not", () => {
  const alike = new AlikeValues();
  const place = (child: RojoNode) => node("game", "DataModel", { children: [child] });
  const isEqual = (file: RojoNode, studio: RojoNode) => {
    const normalizer = new Normalizer(schema);
    const entries = entriesOf({ files: place(file), studio: place(studio) }, normalizer);
    const options: AspectOptions = {
      normalizer,
      meaning: { normalizer, knowsDefaults: true, alike },
      entries,
      properties: "all",
      ignoreReferents: false,
      isForScripts: true,
    };
    const entry = entries.of(file);
    return entry !== undefined && isPair(entry) && isEqualAtOnce(entry, options);
  };
  const block = (name: string, properties: Record<string, FileValue>) => node(name, "Part", { properties });
  const file = block("Block", { size: tuple("Vector3", 4, 1, 2) });
  const studio = block("Block", { Size: tuple("Vector3", 4, 1, 2) });
  const unequal = block("Block", { Size: tuple("Vector3", 4, 1, 3) });

  expect(isEqual(file, unequal)).toBe(false);
  expect(alike.has(file.properties, unequal.properties)).toBe(false);
  expect(isEqual(file, studio)).toBe(true);
  expect(alike.has(file.properties, studio.properties)).toBe(true);
  // Names, attributes and values that were read again are compared all the same.
  expect(isEqual(file, { ...studio, name: "Other" })).toBe(false);
  expect(isEqual(file, { ...studio, attributes: new Map([["A", bool(true)]]) })).toBe(false);
  expect(isEqual(file, unequal)).toBe(false);
  expect(isEqual(file, studio)).toBe(true);
});

test("sources are compared each time", () => {
  const alike = new AlikeValues();
  const [file, studio] = [new Map([["Source", text("return 1")]]), new Map([["Source", text("return 1")]])];
  alike.add(file, studio);
  expect(alike.has(file, studio)).toBe(false);
});
