/**
 * How a Luau value crosses the wire: as plain JSON where that is lossless, else as a tagged object `{ "type": … }`. A
 * table with a key `type` is therefore always sent as `entries`. A datatype that is made of numbers is one row in
 * values/datatypes.ts; any other is one row here and one line in the plugin's Serialize module.
 */
import type { z } from "zod";
import { DATATYPES, isLuauDatatype, LUAU_DATATYPES } from "../values/datatypes.ts";
import type { Datatype, LuauDatatype } from "../values/datatypes.ts";
import { limits } from "./limits.ts";
import { defineSchema } from "./schema.ts";
import type { Schema, Zod } from "./schema.ts";

export const serializedValueSchema = defineSchema((z) =>
  z.custom<SerializedValue>((value) => isSerializedValue(value), "expected a serialized value"),
);

/** A number inside a tagged value; JSON has no inf or nan, so those three travel as text. */
const component = (z: Zod) => z.union([z.number(), z.enum(["inf", "-inf", "nan"])]);
const components = (z: Zod, count: number) => z.array(component(z)).length(count);

function numberFields(z: Zod, name: LuauDatatype) {
  const { fields, words = "", isSequence, newer = 0 }: Datatype = DATATYPES[name];
  const count = fields.length;
  const list = z.array(component(z));
  const fitting =
    isSequence === true
      ? list.refine((numbers) => numbers.length % count === 0, `a multiple of ${count} numbers`)
      : list.min(count - newer).max(count);
  return { value: fitting.describe(words) };
}

const curveKey = (z: Zod) => ({
  time: component(z).describe("Seconds."),
  interpolation: z.string().describe("Name of the KeyInterpolationMode."),
  leftTangent: component(z).optional().describe("Slope on the left."),
  rightTangent: component(z).optional().describe("Slope on the right."),
});
const shapecastFilter = (z: Zod) => ({
  filterType: z.string().describe("Name of the RaycastFilterType."),
  filterDescendantsInstances: z.array(z.string()).describe("Paths of the Instances that the filter names."),
  excludeInstances: z
    .array(z.string())
    .optional()
    .describe("Paths of the Instances that the query leaves out."),
  includeInstances: z
    .array(z.string())
    .optional()
    .describe("Paths of the Instances that the query is limited to."),
  collisionGroup: z.string().describe("Name of the collision group."),
  respectCanCollide: z.boolean().describe("As the property of this name."),
  bruteForceAllSlow: z.boolean().describe("As the property of this name."),
});

/** tag → the fields beside `type`, for what is not made of numbers alone. */
const otherTypes = {
  nil: () => ({}),
  number: (z: Zod) => ({
    value: z.string().describe("`inf`, `-inf` or `nan`, or the decimal digits of an integer beyond 2^53."),
  }),
  bytes: (z: Zod) => ({ base64: z.string().describe("A string that is not valid UTF-8, as Base64.") }),
  buffer: (z: Zod) => ({ base64: z.string().describe("The content, as Base64.") }),
  table: (z: Zod) => ({
    entries: z
      .array(z.tuple([serializedValueSchema(z), serializedValueSchema(z)]))
      .describe("Pairs of key and value, for a table that no JSON array or object can stand for."),
    id: z.int().nonnegative().optional().describe("Its number, for a table that a `ref` within it names."),
  }),
  ref: (z: Zod) => ({
    id: z
      .int()
      .nonnegative()
      .describe(
        "Number of a table that contains this one: tables are counted from 0 as they begin in the text.",
      ),
  }),
  BrickColor: (z: Zod) => ({
    name: z.string().describe("Name of the colour."),
    value: z.int().describe("Number of the colour."),
  }),
  Faces: (z: Zod) => ({ value: z.array(z.string()).describe("Names of the faces that are set.") }),
  Axes: (z: Zod) => ({ value: z.array(z.string()).describe("Names of the axes that are set.") }),
  Font: (z: Zod) => ({
    family: z.string().describe("Asset of the font family."),
    weight: z.string().describe("Name of the FontWeight."),
    style: z.string().describe("Name of the FontStyle."),
  }),
  Content: (z: Zod) => ({
    sourceType: z.string().describe("Name of the ContentSourceType."),
    uri: z.string().optional().describe("The asset, if that is the source."),
  }),
  DateTime: (z: Zod) => ({ value: z.number().describe("Milliseconds since the Unix epoch.") }),
  TweenInfo: (z: Zod) => ({
    time: component(z).describe("Seconds."),
    easingStyle: z.string().describe("Name of the EasingStyle."),
    easingDirection: z.string().describe("Name of the EasingDirection."),
    repeatCount: z.int().describe("How often it repeats; -1 for ever."),
    reverses: z.boolean().describe("Whether it runs back each time."),
    delayTime: component(z).describe("Seconds before each run."),
  }),
  PathWaypoint: (z: Zod) => ({
    position: components(z, 3).describe("X, Y, Z."),
    action: z.string().describe("Name of the PathWaypointAction."),
    label: z.string().describe("Label of the waypoint."),
  }),
  Path2DControlPoint: (z: Zod) => ({
    value: components(z, 12).describe(
      "Position, left tangent, right tangent, each as the four numbers of a UDim2.",
    ),
  }),
  FloatCurveKey: (z: Zod) => ({ ...curveKey(z), value: component(z).describe("Value at that time.") }),
  RotationCurveKey: (z: Zod) => ({
    ...curveKey(z),
    value: components(z, 12).describe("Rotation at that time, as the twelve numbers of a CFrame."),
  }),
  ValueCurveKey: (z: Zod) => ({
    ...curveKey(z),
    value: serializedValueSchema(z).describe("Value at that time."),
  }),
  DockWidgetPluginGuiInfo: (z: Zod) => ({
    initialDockState: z
      .string()
      .optional()
      .describe("Name of the InitialDockState, where Studio lets scripts read it."),
    initialEnabled: z.boolean().describe("As the property of this name."),
    initialEnabledShouldOverrideRestore: z.boolean().describe("As the property of this name."),
    floatingXSize: z.int().describe("Width while it floats, in pixels."),
    floatingYSize: z.int().describe("Height while it floats, in pixels."),
    minWidth: z.int().describe("Smallest width, in pixels."),
    minHeight: z.int().describe("Smallest height, in pixels."),
  }),
  RaycastParams: (z: Zod) => ({
    ...shapecastFilter(z),
    ignoreWater: z.boolean().describe("Whether water is ignored."),
  }),
  OverlapParams: (z: Zod) => ({
    ...shapecastFilter(z),
    maxParts: z.int().describe("How many parts are found at most; 0 for all."),
    tolerance: component(z).describe("As the property of this name."),
  }),
  RaycastResult: (z: Zod) => ({
    instance: z.string().describe("Path of the Instance that was hit."),
    position: components(z, 3).describe("Where it was hit: X, Y, Z."),
    normal: components(z, 3).describe("Normal of the surface: X, Y, Z."),
    material: z.string().describe("Name of the Material."),
    distance: component(z).describe("Studs from the origin."),
  }),
  User: (z: Zod) => ({
    id: z.string().describe("Id of the account."),
    domainType: z.string().optional().describe("Name of the UserDomainType."),
    domainId: z.string().optional().describe("Id of the domain."),
  }),
  EnumItem: (z: Zod) => ({
    enum: z.string().describe("Name of the Enum."),
    name: z.string().describe("Name of the item."),
    value: z.int().describe("Number of the item."),
  }),
  Enum: (z: Zod) => ({ name: z.string().describe("Name of the Enum.") }),
  Instance: (z: Zod) => ({
    className: z.string().describe("Class of the Instance."),
    name: z.string().optional().describe("Name of the Instance."),
    path: z
      .string()
      .optional()
      .describe("Path from `game`; absent for an Object that is no Instance, or whose tree cannot be read."),
    id: z
      .string()
      .optional()
      .describe("Id of the Instance, such as `@17`, which stands for its path in any request."),
  }),
  function: (z: Zod) => ({ name: z.string().describe("Name of the function, empty for one without.") }),
  Unsupported: (z: Zod) => ({
    typeName: z.string().describe("Type of a value that has no lossless form, or that a limit cuts off."),
    toString: z.string().describe("The value as text, for people."),
  }),
} as const;

export type ValueType = keyof typeof otherTypes | LuauDatatype;

const isOther = (tag: string): tag is keyof typeof otherTypes => Object.hasOwn(otherTypes, tag);
const isValueType = (tag: string): tag is ValueType => isOther(tag) || isLuauDatatype(tag);

/** Every tag. */
export const VALUE_TYPES: readonly ValueType[] = [
  ...Object.keys(otherTypes).filter(isOther),
  ...LUAU_DATATYPES,
];

/** The fields beside `type`. */
export const fieldsOfTag = (z: Zod, tag: ValueType) =>
  isOther(tag) ? otherTypes[tag](z) : numberFields(z, tag);

export type TaggedValue = { readonly type: string } & { readonly [field: string]: unknown };
export type SerializedValue =
  | null
  | boolean
  | number
  | string
  | readonly SerializedValue[]
  | TaggedValue
  | { readonly [key: string]: SerializedValue };

/** A schema is made when a value of that type is first met, because a run seldom meets more than two. */
const tagSchemas = new Map<string, Schema<z.ZodType>>();

function tagSchema(tag: string): Schema<z.ZodType> | undefined {
  if (!isValueType(tag)) return undefined;
  let schema = tagSchemas.get(tag);
  if (schema === undefined) {
    schema = defineSchema((z) => z.object({ type: z.literal(tag), ...fieldsOfTag(z, tag) }));
    tagSchemas.set(tag, schema);
  }
  return schema;
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

/** How many numbers a datatype has, where that is always the same. */
const fixedCounts = new Map<string, number>(
  LUAU_DATATYPES.flatMap((name) => {
    const { fields, isSequence, newer }: Datatype = DATATYPES[name];
    return isSequence === undefined && newer === undefined ? [[name, fields.length]] : [];
  }),
);

/** The values that a place is full of, told without their schema; false only means that the schema must decide. */
function isCommonTagged(tag: string, value: object): boolean {
  if (tag === "Instance") {
    const isText = (field: unknown) => field === undefined || typeof field === "string";
    const { className, name, path, id }: { [field: string]: unknown } = { ...value };
    return typeof className === "string" && isText(name) && isText(path) && isText(id);
  }
  const count = fixedCounts.get(tag);
  if (count === undefined || !("value" in value) || !Array.isArray(value.value)) return false;
  return value.value.length === count && value.value.every((item) => typeof item === "number");
}

/**
 * The same value with `type` first and the other keys by name: Luau sends the members of a table in no order. JSON reads
 * best, and compares, when it always has the same.
 */
export function inOrder(value: SerializedValue): SerializedValue {
  return ordered(value) as SerializedValue;
}

function ordered(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => keyOrder(one, other))
      .map(([key, member]) => [key, ordered(member)]),
  );
}

function keyOrder(one: string, other: string): number {
  if (one === "type" || other === "type") return one === "type" ? -1 : 1;
  return one < other ? -1 : 1;
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
