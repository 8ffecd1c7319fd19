/** Values as JSON: whatever is written reads back as the same value, and what JSON cannot hold says why. */
import { describe, expect, test } from "bun:test";
import { openClassData } from "../../../../../src/roblox/class-data.ts";
import { AXES, FACES, type FileValue } from "../../../../../src/roblox/model.ts";
import { parseJsonAsync } from "../../../../../src/roblox/rojo/read-json.ts";
import {
  resolveAttribute,
  resolveProperty,
  resolveTaggedAttribute,
} from "../../../../../src/roblox/rojo/values.ts";
import {
  attributeJson,
  propertyJson,
  propertyKey,
  taggedAttributeJson,
  type WrittenValue,
} from "../../../../../src/roblox/rojo/write/values.ts";
import { utf8ByteString } from "../../../../../src/util/bytes.ts";
import { setJson } from "../../../../../src/util/json-edit.ts";
import { assets } from "../../../../headless/run-spec.ts";
import { randomFrom } from "../../generated.ts";
import { schema } from "../rojo-tree.ts";

const data = openClassData(assets.classData());

/** Through the text of a file, as readers get it. */
async function throughTextAsync(written: WrittenValue): Promise<unknown> {
  if ("unwritable" in written) throw new Error(written.unwritable);
  const read = await parseJsonAsync(setJson("", ["value"], written.json));
  return typeof read === "object" && read !== null && "value" in read ? read.value : undefined;
}

/** Floats are compared in 32 bits, because that is what files hold. */
function in32Bits(value: FileValue): unknown {
  const round = (number: number) => Math.fround(number);
  if (value.type === "Float32") return { ...value, value: round(value.value) };
  return Array.isArray(value.value)
    ? { ...value, value: value.value.map((part: unknown) => (typeof part === "number" ? round(part) : part)) }
    : value;
}

class Values {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  int = (limit: number): number => Math.floor(this.#random() * limit);
  pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[this.int(items.length)] ?? items[0];
  /** Any bits that make a finite number, and the numbers that people use. */
  float = (): number => {
    const bits = new DataView(new ArrayBuffer(4));
    bits.setUint32(0, this.int(2 ** 32));
    const value = bits.getFloat32(0);
    return this.pick(
      [0, -0, 0.1, -1.5, 1e-7, 3.4028234663852886e38, 5, Number.isFinite(value) ? value : 1].map(
        Math.fround,
      ) as [number, ...number[]],
    );
  };
  double = (): number => this.pick([0, -0, 0.1, 1e300, -5e-324, 2 ** 53 + 2, this.#random() * 1e9, -1 / 3]);
  long = (): bigint =>
    this.pick([0n, -1n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n, BigInt(this.int(2 ** 32))]);
  text = () => utf8ByteString(this.pick(["", "a", "ü€😀", 'q"\\\n\t\u0000', "[1,2]", "\u2028"]));
  floats = (count: number): number[] => Array.from({ length: count }, this.float);
  pixels = (): number => this.int(4000) - 2000;

  /** As the reader gives them, by the type of the property. Undefined for types that JSON does not have. */
  of(type: string, fileName: string): FileValue | undefined {
    if (type.startsWith("Enum.")) {
      const [, ...numbers] = (data.enumItems(type.slice(5)) ?? "")
        .split(",")
        .map((item) => Number(item.split("=")[1]));
      const [first, ...others] = numbers;
      return first === undefined
        ? undefined
        : { type: "Enum", value: this.pick([first, ...others, 987_654]) };
    }
    switch (type) {
      case "bool":
      case "Bool":
        return { type: "Bool", value: this.int(2) === 1 };
      case "float":
      case "Float32":
        return { type: "Float32", value: this.float() };
      case "double":
        return { type: "Float64", value: this.double() };
      case "int":
      case "Int32":
        return { type: "Int32", value: this.int(2 ** 32) - 2 ** 31 };
      case "int64":
      case "Int64":
        return { type: "Int64", value: this.long() };
      case "string":
      case "String":
      case "ContentId":
      case "BinaryString":
        return { type: "String", value: type === "BinaryString" ? "\xff\x00\x80" : this.text() };
      case "Content":
        return this.int(2) === 0 ? { type: "String", value: this.text() } : { type, value: { kind: "none" } };
      case "Tags":
        return { type: "String", value: this.pick(["", "one", "one\0two"]) };
      case "BrickColor":
        return { type, value: this.pick([1, 21, 1004]) };
      case "Faces":
      case "Axes":
        return { type, value: this.int(2 ** (type === "Faces" ? FACES.length : AXES.length)) };
      case "Color3":
        return fileName === "Color3uint8"
          ? { type: "Color3uint8", value: [this.int(256), this.int(256), this.int(256)] }
          : { type, value: this.floats(3) };
      case "Vector2":
      case "NumberRange":
        return { type, value: this.floats(2) };
      case "Vector3":
        return { type, value: this.floats(3) };
      case "CFrame":
        return { type, value: this.floats(12) };
      case "OptionalCFrame":
        return { type, value: this.int(2) === 0 ? null : this.floats(12) };
      case "UDim":
        return { type, value: [this.float(), this.pixels()] };
      case "UDim2":
        return { type, value: [this.float(), this.pixels(), this.float(), this.pixels()] };
      case "Rect":
        return { type, value: this.floats(4) };
      case "Ray":
        return { type, value: this.floats(6) };
      case "NumberSequence":
        return { type, value: this.floats(3 * (2 + this.int(3))) };
      case "ColorSequence":
        return { type, value: [1, 2].flatMap(() => [...this.floats(4), 0]) };
      case "PhysicalProperties":
        return { type, value: this.int(3) === 0 ? null : this.floats(6) };
      case "Font":
        return {
          type,
          value: {
            family: this.text(),
            weight: 100 * (1 + this.int(9)),
            style: this.int(2),
            cachedFaceId: "",
          },
        };
      case "MaterialColors":
        return {
          type: "String",
          value:
            "\0".repeat(6) + Array.from({ length: 63 }, () => String.fromCharCode(this.int(256))).join(""),
        };
      default:
        return undefined;
    }
  }

  attribute(): FileValue {
    const type = this.pick([
      "UDim",
      "UDim2",
      "BrickColor",
      "Color3",
      "Vector2",
      "Vector3",
      "CFrame",
      "NumberSequence",
      "ColorSequence",
      "NumberRange",
      "Rect",
      "Font",
      "text",
      "bytes",
      "double",
      "flag",
      "item",
    ]);
    if (type === "text") return { type: "String", value: this.text() };
    if (type === "bytes") return { type: "String", value: "\xff\xfe" };
    if (type === "double") return { type: "Float64", value: this.double() };
    if (type === "flag") return { type: "Bool", value: this.int(2) === 1 };
    if (type === "item") return { type: "EnumItem", value: { enumName: "Material", number: 272 } };
    const value = this.of(type, "");
    if (value === undefined) throw new Error(`no ${type}`);
    return value;
  }
}

test("every property of every class reads back as what was written", async () => {
  const values = new Values(17);
  const types = new Set<string>();
  for (const className of data.classNames()) {
    for (const name of propertiesOf(className)) {
      const property = schema.property(className, name);
      const fileName = schema.fileName(className, name);
      const type = property?.type ?? "";
      const value = values.of(type, fileName);
      if (value === undefined) continue;
      types.add(value.type);
      const key = propertyKey(schema, className, name);
      const read = resolveProperty(
        schema,
        className,
        key,
        await throughTextAsync(propertyJson(schema, className, key, value)),
      );
      expect({ className, name, read: in32Bits(read) }).toEqual({ className, name, read: in32Bits(value) });
    }
  }
  expect([...types].sort()).toEqual([
    "Axes",
    "Bool",
    "BrickColor",
    "CFrame",
    "Color3",
    "Color3uint8",
    "ColorSequence",
    "Content",
    "Enum",
    "Faces",
    "Float32",
    "Float64",
    "Font",
    "Int32",
    "Int64",
    "NumberRange",
    "NumberSequence",
    "PhysicalProperties",
    "Ray",
    "Rect",
    "String",
    "UDim",
    "UDim2",
    "Vector2",
    "Vector3",
  ]);
});

/** The names that a class declares itself and that files hold. */
function propertiesOf(className: string): string[] {
  const [, , properties = "", , , , , files = ""] = (data.classLine(className) ?? "").split("|");
  const own = properties.split(",").flatMap((entry) => {
    const [name = "", , flags = ""] = entry.split(":");
    return flags.includes("s") && !name.includes("%") ? [name] : [];
  });
  const hidden = files.split(",").flatMap((entry) => /^(\w+):/.exec(entry)?.[1] ?? []);
  return [...own, ...hidden.filter((name) => name !== "Attributes")];
}

test("every kind of attribute reads back as what was written, with and without its type", async () => {
  const values = new Values(3);
  for (let count = 0; count < 400; count++) {
    const value = values.attribute();
    const plain = resolveAttribute("x", await throughTextAsync(attributeJson(value)));
    expect(in32Bits(plain)).toEqual(in32Bits(value));
    const tagged = resolveTaggedAttribute("x", await throughTextAsync(taggedAttributeJson(value)));
    expect(in32Bits(tagged)).toEqual(in32Bits(value));
  }
});

describe("a value is written", () => {
  const jsonOf = (className: string, name: string, value: FileValue) => {
    const written = propertyJson(schema, className, name, value);
    return "json" in written ? written.json : written.unwritable;
  };

  test.each([
    ["Part", "Transparency", { type: "Float32", value: Math.fround(0.1) }, 0.1],
    ["Part", "Transparency", { type: "Float64", value: 0.1 }, 0.1],
    ["Part", "Material", { type: "Enum", value: 272 }, "SmoothPlastic"],
    ["Part", "Material", { type: "EnumItem", value: { enumName: "Material", number: 272 } }, "SmoothPlastic"],
    ["Part", "Color", { type: "Color3uint8", value: [163, 162, 165] }, [0.6392157, 0.63529414, 0.64705884]],
    [
      "Model",
      "WorldPivotData",
      { type: "CFrame", value: [1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
      {
        OptionalCFrame: {
          position: [1, 2, 3],
          orientation: [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
        },
      },
    ],
    [
      "Part",
      "CFrame",
      { type: "CFrame", value: [1, 2.5, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
      [1, 2.5, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1],
    ],
    ["IntValue", "Value", { type: "Int64", value: 12n }, 12],
    ["IntValue", "Value", { type: "Int64", value: 2n ** 53n + 1n }, { Int64: 2n ** 53n + 1n }],
    [
      "Sound",
      "SoundId",
      { type: "Content", value: { kind: "uri", uri: "rbxassetid://1" } },
      "rbxassetid://1",
    ],
    ["Folder", "Tags", { type: "Tags", value: ["a", "b"] }, ["a", "b"]],
    ["Folder", "Nothing", { type: "Float32", value: 0.5 }, { Float32: 0.5 }],
    [
      "Folder",
      "Nothing",
      { type: "Opaque", value: { type: "String", value: "\xff" } },
      { BinaryString: "/w==" },
    ],
    ["Part", "Transparency", { type: "Float32", value: Infinity }, "is infinite, which JSON cannot hold"],
    [
      "MeshPart",
      "PhysicsData",
      { type: "SharedString", value: "x" },
      "is of the type SharedString, which has no form in JSON",
    ],
    [
      "ObjectValue",
      "Value",
      { type: "Ref", value: 3 },
      "refers to an Instance; files say that by an attribute",
    ],
  ] as const)("%s.%s", (className, name, value, json) => {
    expect(jsonOf(className, name, value)).toEqual(json);
  });

  test("under the name that Rojo does not drop", () => {
    expect(propertyKey(schema, "Part", "size")).toBe("Size");
    expect(propertyKey(schema, "Part", "Color3uint8")).toBe("Color");
    expect(propertyKey(schema, "Model", "WorldPivotData")).toBe("WorldPivotData");
    expect(propertyKey(schema, "Folder", "Nothing")).toBe("Nothing");
  });
});
