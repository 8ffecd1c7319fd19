/**
 * The datatypes that are made of numbers, one row each: what the numbers are, and how each format writes them. The readers and
 * writers of all formats take their names, counts and tags from here; `npm run gen` writes those of Luau. A datatype that is
 * made of anything else (Font, Content, Faces, EnumItem …) is written out where it is read.
 */

/** How files keep a number; Studio keeps those that are not whole with 32 bits. */
export type NumberKind = "float" | "int" | "int16" | "byte";

export interface Datatype {
  /** Where Luau finds the numbers, in the order in which every form lists them; of one keypoint, where it is a sequence. */
  readonly fields: readonly string[];
  /** What they are, for the page of the protocol. Absent for what Luau does not have. */
  readonly words?: string;
  /** How people and agents write one. Absent where no property is one. */
  readonly example?: string;
  readonly kinds?: readonly NumberKind[];
  /** At least two keypoints, one behind the other. */
  readonly isSequence?: true;
  /** Shorter forms: how many numbers they have, and what is left out. `again` repeats the one number. */
  readonly shorter?: { readonly [count: number]: readonly number[] | "again" };
  /** Its numbers are no fields, so that the plugin reads them by hand. */
  readonly isComputed?: true;
  /** How many of the last numbers older Studios and files do not have. */
  readonly newer?: number;
  /** What the constructor takes for each three numbers, where it does not take the numbers. */
  readonly madeOf?: "Vector3" | "Vector3int16";
  /** What an Instance without a value has; all zero where absent. */
  readonly zero?: readonly number[];
  /** In model and place files. `id` of the binary format, which writes component by component, in `order`, or `inTurn` value by value. */
  readonly binary?: { readonly id: number; readonly inTurn?: true; readonly order?: readonly number[] };
  /** The id in the blob of attributes. */
  readonly attribute?: number;
  /** In XML: the names of the elements within; `nested` as the fields are, `list` for a text of numbers. */
  readonly xml?: { readonly element: string; readonly parts: readonly string[] | "nested" | "list" };
  /** In Rojo's files: a list, also without the type in front (`plain`), or a list of lists of these sizes. */
  readonly rojo?: "plain" | "list" | readonly number[];
}

const MATRIX = ["R00", "R01", "R02", "R10", "R11", "R12", "R20", "R21", "R22"];
const NO_TURN = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const XYZ = ["X", "Y", "Z"];
const MIN_MAX = ["Min.X", "Min.Y", "Min.Z", "Max.X", "Max.Y", "Max.Z"];
const WHOLE = ["int16", "int16", "int16"] as const;

export const DATATYPES = {
  Vector2: {
    fields: ["X", "Y"],
    words: "X, Y.",
    example: "[0, 5]",
    binary: { id: 0x0d },
    attribute: 0x10,
    xml: { element: "Vector2", parts: ["X", "Y"] },
    rojo: "plain",
  },
  Vector3: {
    fields: XYZ,
    words: "X, Y, Z.",
    example: "[0, 5, 0]",
    binary: { id: 0x0e },
    attribute: 0x11,
    xml: { element: "Vector3", parts: XYZ },
    rojo: "plain",
  },
  Vector2int16: { fields: ["X", "Y"], words: "X, Y.", example: "[0, 5]", kinds: ["int16", "int16"] },
  Vector3int16: {
    fields: XYZ,
    words: "X, Y, Z.",
    example: "[0, 5, 0]",
    kinds: WHOLE,
    binary: { id: 0x14, inTurn: true },
    xml: { element: "Vector3int16", parts: XYZ },
    rojo: "list",
  },
  CFrame: {
    fields: [...XYZ, ...MATRIX],
    words: "Position X, Y, Z, then the rotation matrix row by row.",
    example: "[0, 5, 0] or twelve numbers",
    shorter: { 3: NO_TURN },
    isComputed: true,
    zero: [0, 0, 0, ...NO_TURN],
    binary: { id: 0x10 },
    attribute: 0x14,
    xml: { element: "CoordinateFrame", parts: [...XYZ, ...MATRIX] },
    rojo: "plain",
  },
  Color3: {
    fields: ["R", "G", "B"],
    words: "Red, green, blue, each from 0 to 1.",
    example: '"#ff8800" or [1, 0.5, 0]',
    binary: { id: 0x0c },
    attribute: 0x0f,
    xml: { element: "Color3", parts: ["R", "G", "B"] },
    rojo: "plain",
  },
  /** How files keep the colours of parts. */
  Color3uint8: {
    fields: ["R", "G", "B"],
    kinds: ["byte", "byte", "byte"],
    binary: { id: 0x1a },
    rojo: "list",
  },
  UDim: {
    fields: ["Scale", "Offset"],
    words: "Scale, offset.",
    example: "[0.5, 10]",
    kinds: ["float", "int"],
    binary: { id: 0x06 },
    attribute: 0x09,
    xml: { element: "UDim", parts: ["S", "O"] },
    rojo: "list",
  },
  UDim2: {
    fields: ["X.Scale", "X.Offset", "Y.Scale", "Y.Offset"],
    words: "X scale, X offset, Y scale, Y offset.",
    example: '"{0.5,0},{0,20}" or [0.5, 0, 0, 20]',
    kinds: ["float", "int", "float", "int"],
    binary: { id: 0x07, order: [0, 2, 1, 3] },
    attribute: 0x0a,
    xml: { element: "UDim2", parts: ["XS", "XO", "YS", "YO"] },
    rojo: [2, 2],
  },
  Rect: {
    fields: ["Min.X", "Min.Y", "Max.X", "Max.Y"],
    words: "Min X, min Y, max X, max Y.",
    example: "[0, 0, 10, 10]",
    binary: { id: 0x18 },
    attribute: 0x1c,
    xml: { element: "Rect2D", parts: "nested" },
    rojo: [2, 2],
  },
  NumberRange: {
    fields: ["Min", "Max"],
    words: "Min, max.",
    example: "[1, 5]",
    shorter: { 1: "again" },
    binary: { id: 0x17, inTurn: true },
    attribute: 0x1b,
    xml: { element: "NumberRange", parts: "list" },
    rojo: "list",
  },
  NumberSequenceKeypoint: { fields: ["Time", "Value", "Envelope"], words: "Time, value, envelope." },
  NumberSequence: {
    fields: ["Time", "Value", "Envelope"],
    words: "Time, value, envelope of each keypoint in turn.",
    example: "[0, 1, 0, 1, 0, 0] (time, value, envelope of each point)",
    isSequence: true,
    zero: [0, 0, 0, 1, 0, 0],
    binary: { id: 0x15, inTurn: true },
    attribute: 0x17,
    xml: { element: "NumberSequence", parts: "list" },
  },
  ColorSequenceKeypoint: {
    fields: ["Time", "Value.R", "Value.G", "Value.B"],
    words: "Time, red, green, blue.",
  },
  ColorSequence: {
    fields: ["Time", "Value.R", "Value.G", "Value.B"],
    words: "Time, red, green, blue of each keypoint in turn.",
    example: '"#ff8800" or [0, 1, 0, 0, 1, 0, 0, 1] (time, red, green, blue of each point)',
    isSequence: true,
    zero: [0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
    binary: { id: 0x16, inTurn: true },
    attribute: 0x19,
    xml: { element: "ColorSequence", parts: "list" },
  },
  PhysicalProperties: {
    fields: ["Density", "Friction", "Elasticity", "FrictionWeight", "ElasticityWeight", "AcousticAbsorption"],
    words:
      "Density, friction, elasticity, friction weight, elasticity weight, and acoustic absorption if the engine has it.",
    example: "[0.7, 0.3, 0.5, 1, 1]",
    // UNVERIFIED: an absent AcousticAbsorption means 1, as rbx-dom reads it.
    shorter: { 3: [1, 1, 1], 5: [1] },
    newer: 1,
    isComputed: true,
  },
  Ray: {
    fields: ["Origin.X", "Origin.Y", "Origin.Z", "Direction.X", "Direction.Y", "Direction.Z"],
    words: "Origin X, Y, Z, direction X, Y, Z.",
    example: "[0, 10, 0, 0, -1, 0]",
    madeOf: "Vector3",
    binary: { id: 0x08, inTurn: true },
    xml: { element: "Ray", parts: "nested" },
  },
  Region3: {
    fields: MIN_MAX,
    words: "Min corner X, Y, Z, max corner X, Y, Z.",
    example: "[0, 0, 0, 4, 4, 4]",
    isComputed: true,
    madeOf: "Vector3",
  },
  Region3int16: {
    fields: MIN_MAX,
    words: "Min corner X, Y, Z, max corner X, Y, Z.",
    example: "[0, 0, 0, 4, 4, 4]",
    kinds: [...WHOLE, ...WHOLE],
    madeOf: "Vector3int16",
  },
} as const satisfies { readonly [name: string]: Datatype };

type Rows = typeof DATATYPES;

/** Those that Luau has. */
export type LuauDatatype = {
  [Name in keyof Rows]: Rows[Name] extends { words: string } ? Name : never;
}[keyof Rows];
/** Those that files hold as a list of numbers. */
export type TupleType = {
  [Name in keyof Rows]: Rows[Name] extends { binary: object } ? Name : never;
}[keyof Rows];

const ROWS: { readonly [name: string]: Datatype } = DATATYPES;

/** Undefined for a name that is not of a datatype made of numbers. */
export const datatype = (name: string): Datatype | undefined =>
  Object.hasOwn(ROWS, name) ? ROWS[name] : undefined;

const isName = (name: string): name is keyof Rows => Object.hasOwn(ROWS, name);
export const isTupleType = (name: string): name is TupleType =>
  ROWS[name]?.binary !== undefined && isName(name);
export const isLuauDatatype = (name: string): name is LuauDatatype =>
  ROWS[name]?.words !== undefined && isName(name);

const NAMES = Object.keys(ROWS);
export const TUPLE_TYPES: readonly TupleType[] = NAMES.filter(isTupleType);
export const LUAU_DATATYPES: readonly LuauDatatype[] = NAMES.filter(isLuauDatatype);

/** Those that a Luau constructor makes of the numbers as they are. */
export const FLAT_DATATYPES: readonly LuauDatatype[] = LUAU_DATATYPES.filter((name) => {
  const { example, isSequence, madeOf, newer }: Datatype = DATATYPES[name];
  return example !== undefined && [isSequence, madeOf, newer].every((fact) => fact === undefined);
});

/** How many numbers make one, for what is no sequence. */
export const countOf = (name: Exclude<keyof Rows, "NumberSequence" | "ColorSequence">): number =>
  DATATYPES[name].fields.length;

/** How many numbers one has in files, or each keypoint of a sequence, where a colour has an envelope behind it. */
export const fileStrideOf = (type: TupleType): number =>
  DATATYPES[type].fields.length + (type === "ColorSequence" ? 1 : 0);

/** The numbers of a form that leaves some out. */
export function wholeForm(name: string, numbers: readonly number[]): readonly number[] {
  const missing = datatype(name)?.shorter?.[numbers.length];
  return missing === undefined ? numbers : [...numbers, ...(missing === "again" ? numbers : missing)];
}

/** The names of the parts of physical properties in Rojo's files. */
export const PHYSICAL_NAMES: readonly string[] = DATATYPES.PhysicalProperties.fields.map(
  (field) => field.charAt(0).toLowerCase() + field.slice(1),
);

/** Fields such as `Min.X` by what stands before the dot, in their order. */
export function nestedFields(fields: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const field of fields) {
    const [group = "", part = ""] = field.split(".");
    groups.set(group, [...(groups.get(group) ?? []), part]);
  }
  return groups;
}

/** What an Instance without a value has in a file. */
export const zeroOfTuple = (type: TupleType): readonly number[] =>
  ROWS[type]?.zero ?? new Array<number>(ROWS[type]?.fields.length ?? 0).fill(0);
