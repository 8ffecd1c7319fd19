/**
 * The halves of a part's CFrame: Position, and Orientation or Rotation. Scripts and Rojo projects know them; place files hold
 * the CFrame alone. An Attachment has them too.
 */
import type { FileValue } from "./model.ts";
import type { FileSchema } from "./schema.ts";

export const FRAME = "CFrame";
const POSITION = "Position";
/** The degrees about the axes; each name has an order of its own in which they are applied. */
const TURNS = ["Orientation", "Rotation"] as const;
type Turn = (typeof TURNS)[number];
const HALVES: readonly string[] = [POSITION, ...TURNS];

/** Row by row. */
type Matrix = readonly number[];
type Values = ReadonlyMap<string, FileValue>;

/** Whether a name means a half of the class's CFrame. Other classes have properties of these names that files hold. */
export function isFrameHalf(schema: FileSchema, className: string, name: string): boolean {
  if (!HALVES.includes(name)) return false;
  const property = schema.property(className, name);
  return (
    property?.kind === "property" &&
    !property.isSaved &&
    schema.property(className, FRAME)?.kind === "property"
  );
}

/** Whether any of the names is a half. */
export const statesHalf = (
  schema: FileSchema,
  className: string,
  values: { has(name: string): boolean },
): boolean => HALVES.some((name) => values.has(name) && isFrameHalf(schema, className, name));

/** The CFrame that a CFrame and its halves mean together; halves alone stay halves. */
export const withOneFrame = (schema: FileSchema, className: string, values: Values): Values =>
  values.has(FRAME) && statesHalf(schema, className, values)
    ? withWholeFrame(schema, className, values)
    : values;

export const isTurn = (name: string): name is Turn => TURNS.some((turn) => turn === name);

/**
 * The properties with a CFrame in place of its halves, which count after a CFrame that is stated too. The same map where none is
 * stated.
 */
export function withWholeFrame(schema: FileSchema, className: string, values: Values): Values {
  const halves = [...values.keys()].filter((name) => isFrameHalf(schema, className, name));
  if (halves.length === 0) return values;
  const whole = new Map([...values].filter(([name]) => !halves.includes(name)));
  let frame = numbersIn(values.get(FRAME)) ?? [0, 0, 0, ...IDENTITY];
  for (const name of halves) {
    const parts = numbersIn(values.get(name));
    if (parts?.length !== 3) continue;
    frame = isTurn(name) ? [...frame.slice(0, 3), ...matrixOf(name, parts)] : [...parts, ...frame.slice(3)];
  }
  return whole.set(FRAME, { type: FRAME, value: frame });
}

/** The halves that a CFrame has; none without one. */
export function halvesOf(frame: FileValue | undefined): Values {
  const numbers = numbersIn(frame);
  if (numbers?.length !== 12) return new Map();
  const matrix = numbers.slice(3);
  const vector = (value: readonly number[]): FileValue => ({ type: "Vector3", value });
  return new Map([
    [POSITION, vector(numbers.slice(0, 3))],
    ...TURNS.map((turn) => [turn, vector(anglesOf(turn, matrix))] as const),
  ]);
}

/** Angles pass through matrices of float32, and several angles mean one rotation. */
const SAME_TURN = 1e-5;

export function isSameTurn(turn: Turn, one: FileValue, other: FileValue): boolean {
  const [left, right] = [one, other].map((value) => {
    const parts = numbersIn(value);
    return parts?.length === 3 ? matrixOf(turn, parts) : undefined;
  });
  if (left === undefined || right === undefined) return false;
  return left.every((part, index) => Math.abs(part - (right[index] ?? Number.NaN)) <= SAME_TURN);
}

const IDENTITY: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];

function numbersIn(value: FileValue | undefined): readonly number[] | undefined {
  const held: unknown = value?.value;
  return Array.isArray(held) && held.every((part) => typeof part === "number") ? held : undefined;
}

/** docs: BasePart.Rotation is about X, Y and Z in this order, BasePart.Orientation about Y, X and Z. */
function matrixOf(turn: Turn, degrees: readonly number[]): Matrix {
  const [x = 0, y = 0, z = 0] = degrees.map((angle) => (angle * Math.PI) / 180);
  const about = {
    x: [1, 0, 0, 0, Math.cos(x), -Math.sin(x), 0, Math.sin(x), Math.cos(x)],
    y: [Math.cos(y), 0, Math.sin(y), 0, 1, 0, -Math.sin(y), 0, Math.cos(y)],
    z: [Math.cos(z), -Math.sin(z), 0, Math.sin(z), Math.cos(z), 0, 0, 0, 1],
  };
  const turned =
    turn === "Rotation"
      ? product(product(about.x, about.y), about.z)
      : product(product(about.y, about.x), about.z);
  return turned.map(withoutNoise);
}

/** A sine of a right angle is not exactly 0 or 1. */
const withoutNoise = (part: number): number => Math.round(part * 1e12) / 1e12 + 0;

function product(left: Matrix, right: Matrix): Matrix {
  const at = (matrix: Matrix, row: number, column: number) => matrix[row * 3 + column] ?? 0;
  return IDENTITY.map((_, index) => {
    const [row, column] = [Math.floor(index / 3), index % 3];
    return [0, 1, 2].reduce((sum, step) => sum + at(left, row, step) * at(right, step, column), 0);
  });
}

/** A rotation of float32 says no more about an angle than four decimals of a degree. */
const SHOWN = 1e4;

/**
 * The last angle is found by turning the first one back. Near a right angle in the middle, where the first one means
 * little, both still give the rotation together.
 */
function anglesOf(turn: Turn, matrix: Matrix): readonly number[] {
  const [r00 = 0, r01 = 0, r02 = 0, r10 = 0, r11 = 0, r12 = 0, r20 = 0, r21 = 0, r22 = 0] = matrix;
  const [x, y] =
    turn === "Rotation"
      ? [Math.atan2(-r12, r22), Math.atan2(r02, Math.hypot(r12, r22))]
      : [Math.atan2(-r12, Math.hypot(r02, r22)), Math.atan2(r02, r22)];
  const first = turn === "Rotation" ? x : y;
  const [sine, cosine] = [Math.sin(first), Math.cos(first)];
  const z =
    turn === "Rotation"
      ? Math.atan2(cosine * r10 + sine * r20, cosine * r11 + sine * r21)
      : Math.atan2(sine * r21 - cosine * r01, cosine * r00 - sine * r20);
  return [x, y, z].map((angle) => Math.round(((angle * 180) / Math.PI) * SHOWN) / SHOWN + 0);
}
