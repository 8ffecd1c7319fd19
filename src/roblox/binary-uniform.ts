/**
 * Finds columns in which all Instances have the same value, as in most columns of a place. It compares their bytes and
 * keeps one value, so that the others are not decoded.
 */
import { type Datatype, DATATYPES, TUPLE_TYPES } from "../values/datatypes.ts";
import { TYPE_IDS } from "./binary-values.ts";

/** Types whose arrays are bytes of the same place next to each other, so that equal values are runs of equal bytes. */
const IN_PLANES = new Set<number>([
  TYPE_IDS.Bool,
  TYPE_IDS.Int32,
  TYPE_IDS.Float32,
  TYPE_IDS.Faces,
  TYPE_IDS.Axes,
  TYPE_IDS.BrickColor,
  TYPE_IDS.Enum,
  TYPE_IDS.Int64,
  TYPE_IDS.SharedString,
  TYPE_IDS.SecurityCapabilities,
  ...TUPLE_TYPES.flatMap((type) => {
    const { id, inTurn }: NonNullable<Datatype["binary"]> = DATATYPES[type].binary;
    return inTurn === true || type === "CFrame" ? [] : [id];
  }),
]);
const FRAME_BYTES = 13;

/** The array of one value that `data` repeats `count` times; undefined where values differ, or may. */
export function uniformValue(typeId: number, data: Uint8Array, count: number): Uint8Array | undefined {
  if (count < 2 || data.length === 0) return undefined;
  if (typeId === TYPE_IDS.String) return repeatedText(data, count);
  return isInPlanes(typeId, data, count) ? firstOfPlanes(data, count) : undefined;
}

function isInPlanes(typeId: number, data: Uint8Array, count: number): boolean {
  // Only rotations that are one byte are in planes, as are physical properties that are none.
  if (typeId === DATATYPES.CFrame.binary.id) return data[0] !== 0 && data.length === count * FRAME_BYTES;
  if (typeId === TYPE_IDS.PhysicalProperties) return data.length === count;
  return IN_PLANES.has(typeId) && data.length % count === 0;
}

function firstOfPlanes(data: Uint8Array, count: number): Uint8Array | undefined {
  const first = new Uint8Array(data.length / count);
  for (let plane = 0; plane < first.length; plane++) {
    const from = plane * count;
    const byte = data[from];
    for (let at = from + 1; at < from + count; at++) if (data[at] !== byte) return undefined;
    first[plane] = byte ?? 0;
  }
  return first;
}

/** Each text has its length in front, so equal ones are rows of equal bytes. */
function repeatedText(data: Uint8Array, count: number): Uint8Array | undefined {
  const width = data.length / count;
  if (!Number.isInteger(width)) return undefined;
  const length = new DataView(data.buffer, data.byteOffset, data.length).getUint32(0, true);
  if (length + 4 !== width) return undefined;
  for (let at = width; at < data.length; at++) if (data[at] !== data[at - width]) return undefined;
  return data.subarray(0, width);
}
