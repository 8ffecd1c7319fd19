/**
 * How a Luau value crosses the wire (spec 2 §6, extended to every Roblox datatype). Plain JSON where that is
 * lossless, a tagged object `{ "type": … }` where it is not; a table with a key `type` is therefore always sent as
 * `entries`. Adding a datatype is one row here, one example, and one line in the plugin's Serialize module.
 */
import type { z } from "zod";
import { limits } from "./limits.ts";
import { defineSchema } from "./schema.ts";
import type { Schema, Zod } from "./schema.ts";

export const serializedValueSchema = defineSchema((z) =>
  z.custom<SerializedValue>((value) => isSerializedValue(value), "expected a serialized value"),
);

/** A number inside a tagged value; JSON has no inf or nan, so those three travel as text. */
const component = (z: Zod) => z.union([z.number(), z.enum(["inf", "-inf", "nan"])]);
const components = (z: Zod, count: number) => z.array(component(z)).length(count);
const repeatedComponents = (z: Zod, stride: number) =>
  z.array(component(z)).refine((list) => list.length % stride === 0, `a multiple of ${stride} numbers`);

const curveKey = (z: Zod) => ({
  time: component(z),
  interpolation: z.string(),
  leftTangent: component(z).optional(),
  rightTangent: component(z).optional(),
});
const shapecastFilter = (z: Zod) => ({
  filterType: z.string(),
  filterDescendantsInstances: z.array(z.string()),
  collisionGroup: z.string(),
  respectCanCollide: z.boolean(),
  bruteForceAllSlow: z.boolean(),
});

/** tag → the fields beside `type`, made when a value of that type is first met: a run seldom meets more than two. */
export const valueTypes = {
  nil: () => ({}),
  /** Non-finite numbers by name, integers beyond 2^53 as decimal digits. */
  number: (z: Zod) => ({ value: z.string() }),
  bytes: (z: Zod) => ({ base64: z.string() }),
  buffer: (z: Zod) => ({ base64: z.string() }),
  table: (z: Zod) => ({ entries: z.array(z.tuple([serializedValueSchema(z), serializedValueSchema(z)])) }),
  /** A table already being written further out; `id` counts tables in the order they are first met, from 0. */
  ref: (z: Zod) => ({ id: z.int().nonnegative() }),
  Vector2: (z: Zod) => ({ value: components(z, 2) }),
  Vector3: (z: Zod) => ({ value: components(z, 3) }),
  Vector2int16: (z: Zod) => ({ value: components(z, 2) }),
  Vector3int16: (z: Zod) => ({ value: components(z, 3) }),
  /** Position x y z, then the rotation matrix row by row. */
  CFrame: (z: Zod) => ({ value: components(z, 12) }),
  Color3: (z: Zod) => ({ value: components(z, 3) }),
  BrickColor: (z: Zod) => ({ name: z.string(), value: z.int() }),
  UDim: (z: Zod) => ({ value: components(z, 2) }),
  /** X scale, X offset, Y scale, Y offset. */
  UDim2: (z: Zod) => ({ value: components(z, 4) }),
  /** Min x y, max x y. */
  Rect: (z: Zod) => ({ value: components(z, 4) }),
  NumberRange: (z: Zod) => ({ value: components(z, 2) }),
  /** Time, value, envelope. */
  NumberSequenceKeypoint: (z: Zod) => ({ value: components(z, 3) }),
  /** Time, value, envelope of each keypoint in turn. */
  NumberSequence: (z: Zod) => ({ value: repeatedComponents(z, 3) }),
  /** Time, r, g, b. */
  ColorSequenceKeypoint: (z: Zod) => ({ value: components(z, 4) }),
  ColorSequence: (z: Zod) => ({ value: repeatedComponents(z, 4) }),
  /** Density, friction, elasticity, their weights, and acoustic absorption where the engine has it. */
  PhysicalProperties: (z: Zod) => ({ value: z.array(component(z)).min(5).max(6) }),
  Faces: (z: Zod) => ({ value: z.array(z.string()) }),
  Axes: (z: Zod) => ({ value: z.array(z.string()) }),
  /** Origin, direction. */
  Ray: (z: Zod) => ({ value: components(z, 6) }),
  /** Min corner, max corner. */
  Region3: (z: Zod) => ({ value: components(z, 6) }),
  Region3int16: (z: Zod) => ({ value: components(z, 6) }),
  Font: (z: Zod) => ({ family: z.string(), weight: z.string(), style: z.string() }),
  Content: (z: Zod) => ({ sourceType: z.string(), uri: z.string().optional() }),
  /** Milliseconds since the Unix epoch. */
  DateTime: (z: Zod) => ({ value: z.number() }),
  TweenInfo: (z: Zod) => ({
    time: component(z),
    easingStyle: z.string(),
    easingDirection: z.string(),
    repeatCount: z.int(),
    reverses: z.boolean(),
    delayTime: component(z),
  }),
  PathWaypoint: (z: Zod) => ({ position: components(z, 3), action: z.string(), label: z.string() }),
  /** Position, left tangent, right tangent, each as a UDim2. */
  Path2DControlPoint: (z: Zod) => ({ value: components(z, 12) }),
  FloatCurveKey: (z: Zod) => ({ ...curveKey(z), value: component(z) }),
  RotationCurveKey: (z: Zod) => ({ ...curveKey(z), value: components(z, 12) }),
  ValueCurveKey: (z: Zod) => ({ ...curveKey(z), value: serializedValueSchema(z) }),
  DockWidgetPluginGuiInfo: (z: Zod) => ({
    initialDockState: z.string(),
    initialEnabled: z.boolean(),
    initialEnabledShouldOverrideRestore: z.boolean(),
    floatingXSize: z.int(),
    floatingYSize: z.int(),
    minWidth: z.int(),
    minHeight: z.int(),
  }),
  RaycastParams: (z: Zod) => ({ ...shapecastFilter(z), ignoreWater: z.boolean() }),
  OverlapParams: (z: Zod) => ({ ...shapecastFilter(z), maxParts: z.int(), tolerance: component(z) }),
  RaycastResult: (z: Zod) => ({
    instance: z.string(),
    position: components(z, 3),
    normal: components(z, 3),
    material: z.string(),
    distance: component(z),
  }),
  User: (z: Zod) => ({ id: z.string(), domainType: z.string().optional(), domainId: z.string().optional() }),
  EnumItem: (z: Zod) => ({ enum: z.string(), name: z.string(), value: z.int() }),
  Enum: (z: Zod) => ({ name: z.string() }),
  /** `path` is absent for an Object that is no Instance, or whose tree cannot be read. */
  Instance: (z: Zod) => ({
    className: z.string(),
    name: z.string().optional(),
    path: z.string().optional(),
    id: z.string().optional(),
  }),
  function: (z: Zod) => ({ name: z.string() }),
  /** Display only: what has no lossless form (threads, signals, secrets), or what a limit cut. */
  Unsupported: (z: Zod) => ({ typeName: z.string(), toString: z.string() }),
} as const;

export type ValueType = keyof typeof valueTypes;

export type TaggedValue = { readonly type: string } & { readonly [field: string]: unknown };
export type SerializedValue =
  | null
  | boolean
  | number
  | string
  | readonly SerializedValue[]
  | TaggedValue
  | { readonly [key: string]: SerializedValue };

const tagSchemas = new Map<string, Schema<z.ZodType>>();

function tagSchema(tag: string): Schema<z.ZodType> | undefined {
  if (!isValueType(tag)) return undefined;
  let schema = tagSchemas.get(tag);
  if (schema === undefined) {
    schema = defineSchema((z) => z.object({ type: z.literal(tag), ...valueTypes[tag](z) }));
    tagSchemas.set(tag, schema);
  }
  return schema;
}

function isValueType(tag: string): tag is ValueType {
  return Object.hasOwn(valueTypes, tag);
}

/** True for any tree this page describes. A tag unknown here comes from a newer plugin and is passed on as it is. */
export function isSerializedValue(value: unknown, depth = 0): value is SerializedValue {
  if (value === null || typeof value === "boolean" || typeof value === "number" || typeof value === "string")
    return true;
  if (typeof value !== "object" || depth > limits.jsonDepth) return false;
  if (Array.isArray(value)) return value.every((item) => isSerializedValue(item, depth + 1));
  const tag = "type" in value ? value.type : undefined;
  if (typeof tag !== "string")
    return Object.values(value).every((item) => isSerializedValue(item, depth + 1));
  if (isCommonTagged(tag, value)) return true;
  const schema = tagSchema(tag);
  return schema === undefined || schema.read(value) !== undefined;
}

const commonNumberCounts: { readonly [tag: string]: number } = {
  Vector2: 2,
  Vector3: 3,
  CFrame: 12,
  Color3: 3,
};

/** The values that a place is full of, told without their schema; false only means that the schema must decide. */
function isCommonTagged(tag: string, value: object): boolean {
  if (tag === "Instance") {
    const isText = (field: unknown) => field === undefined || typeof field === "string";
    const { className, name, path, id }: { [field: string]: unknown } = { ...value };
    return typeof className === "string" && isText(name) && isText(path) && isText(id);
  }
  const count = Object.hasOwn(commonNumberCounts, tag) ? commonNumberCounts[tag] : undefined;
  if (count === undefined || !("value" in value) || !Array.isArray(value.value)) return false;
  return value.value.length === count && value.value.every((item) => typeof item === "number");
}

export function isTagged(value: SerializedValue): value is TaggedValue {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    "type" in value &&
    typeof value["type"] === "string"
  );
}
