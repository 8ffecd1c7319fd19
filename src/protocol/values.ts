/**
 * How a Luau value crosses the wire (spec 2 §6, extended to every Roblox datatype). Plain JSON where that is
 * lossless, a tagged object `{ "type": … }` where it is not; a table with a key `type` is therefore always sent as
 * `entries`. Adding a datatype is one row here, one example, and one line in the plugin's Serialize module.
 */
import * as z from "zod";
import { limits } from "./limits.ts";

export const serializedValueSchema = z.custom<SerializedValue>(
  (value) => isSerializedValue(value),
  "expected a serialized value",
);

const finite = z.number();
/** A number inside a tagged value; JSON has no inf or nan, so those three travel as text. */
const component = z.union([finite, z.enum(["inf", "-inf", "nan"])]);
const components = (count: number) => z.array(component).length(count);
const repeatedComponents = (stride: number) =>
  z.array(component).refine((list) => list.length % stride === 0, `a multiple of ${stride} numbers`);

const curveKey = () => ({
  time: component,
  interpolation: z.string(),
  leftTangent: component.optional(),
  rightTangent: component.optional(),
});
const shapecastFilter = () => ({
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
  number: () => ({ value: z.string() }),
  bytes: () => ({ base64: z.string() }),
  buffer: () => ({ base64: z.string() }),
  table: () => ({ entries: z.array(z.tuple([serializedValueSchema, serializedValueSchema])) }),
  /** A table already being written further out; `id` counts tables in the order they are first met, from 0. */
  ref: () => ({ id: z.int().nonnegative() }),
  Vector2: () => ({ value: components(2) }),
  Vector3: () => ({ value: components(3) }),
  Vector2int16: () => ({ value: components(2) }),
  Vector3int16: () => ({ value: components(3) }),
  /** Position x y z, then the rotation matrix row by row. */
  CFrame: () => ({ value: components(12) }),
  Color3: () => ({ value: components(3) }),
  BrickColor: () => ({ name: z.string(), value: z.int() }),
  UDim: () => ({ value: components(2) }),
  /** X scale, X offset, Y scale, Y offset. */
  UDim2: () => ({ value: components(4) }),
  /** Min x y, max x y. */
  Rect: () => ({ value: components(4) }),
  NumberRange: () => ({ value: components(2) }),
  /** Time, value, envelope. */
  NumberSequenceKeypoint: () => ({ value: components(3) }),
  /** Time, value, envelope of each keypoint in turn. */
  NumberSequence: () => ({ value: repeatedComponents(3) }),
  /** Time, r, g, b. */
  ColorSequenceKeypoint: () => ({ value: components(4) }),
  ColorSequence: () => ({ value: repeatedComponents(4) }),
  /** Density, friction, elasticity, their weights, and acoustic absorption where the engine has it. */
  PhysicalProperties: () => ({ value: z.array(component).min(5).max(6) }),
  Faces: () => ({ value: z.array(z.string()) }),
  Axes: () => ({ value: z.array(z.string()) }),
  /** Origin, direction. */
  Ray: () => ({ value: components(6) }),
  /** Min corner, max corner. */
  Region3: () => ({ value: components(6) }),
  Region3int16: () => ({ value: components(6) }),
  Font: () => ({ family: z.string(), weight: z.string(), style: z.string() }),
  Content: () => ({ sourceType: z.string(), uri: z.string().optional() }),
  /** Milliseconds since the Unix epoch. */
  DateTime: () => ({ value: finite }),
  TweenInfo: () => ({
    time: component,
    easingStyle: z.string(),
    easingDirection: z.string(),
    repeatCount: z.int(),
    reverses: z.boolean(),
    delayTime: component,
  }),
  PathWaypoint: () => ({ position: components(3), action: z.string(), label: z.string() }),
  /** Position, left tangent, right tangent, each as a UDim2. */
  Path2DControlPoint: () => ({ value: components(12) }),
  FloatCurveKey: () => ({ ...curveKey(), value: component }),
  RotationCurveKey: () => ({ ...curveKey(), value: components(12) }),
  ValueCurveKey: () => ({ ...curveKey(), value: serializedValueSchema }),
  DockWidgetPluginGuiInfo: () => ({
    initialDockState: z.string(),
    initialEnabled: z.boolean(),
    initialEnabledShouldOverrideRestore: z.boolean(),
    floatingXSize: z.int(),
    floatingYSize: z.int(),
    minWidth: z.int(),
    minHeight: z.int(),
  }),
  RaycastParams: () => ({ ...shapecastFilter(), ignoreWater: z.boolean() }),
  OverlapParams: () => ({ ...shapecastFilter(), maxParts: z.int(), tolerance: component }),
  RaycastResult: () => ({
    instance: z.string(),
    position: components(3),
    normal: components(3),
    material: z.string(),
    distance: component,
  }),
  User: () => ({ id: z.string(), domainType: z.string().optional(), domainId: z.string().optional() }),
  EnumItem: () => ({ enum: z.string(), name: z.string(), value: z.int() }),
  Enum: () => ({ name: z.string() }),
  /** `path` is absent for an Object that is no Instance, or whose tree cannot be read. */
  Instance: () => ({
    className: z.string(),
    name: z.string().optional(),
    path: z.string().optional(),
    id: z.string().optional(),
  }),
  function: () => ({ name: z.string() }),
  /** Display only: what has no lossless form (threads, signals, secrets), or what a limit cut. */
  Unsupported: () => ({ typeName: z.string(), toString: z.string() }),
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

const tagSchemas = new Map<string, z.ZodType>();

function tagSchema(tag: string): z.ZodType | undefined {
  if (!isValueType(tag)) return undefined;
  let schema = tagSchemas.get(tag);
  if (schema === undefined) {
    schema = z.object({ type: z.literal(tag), ...valueTypes[tag]() });
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
  return isCommonTagged(tag, value) || (tagSchema(tag)?.safeParse(value).success ?? true);
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
