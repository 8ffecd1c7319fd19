/** Rewrites the declared sizes of a wasm module's memory and function table. Knows nothing of Luau. */

const SECTION = { table: 4, memory: 5 } as const;
const FUNCREF = 0x70;
const HAS_MAXIMUM = 1;

interface WasmLimits {
  /** What the memory begins with, in wasm pages of 64 KiB. */
  readonly pages: number;
  readonly maxPages: number;
  /** In function table slots. */
  readonly maxTable: number;
}

/** A copy of `wasm` with other sizes; throws when the sections don't have the one shape that is understood. */
export function setLimits(wasm: Uint8Array, limits: WasmLimits): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [wasm.subarray(0, 8)];
  let at = 8;
  while (at < wasm.length) {
    const id = wasm[at];
    const [length, bodyAt] = readUnsigned(wasm, at + 1);
    const body = wasm.subarray(bodyAt, bodyAt + length);
    if (id === SECTION.memory)
      parts.push(section(SECTION.memory, withLimits(body, [], limits.maxPages, limits.pages)));
    else if (id === SECTION.table)
      parts.push(section(SECTION.table, withLimits(body, [FUNCREF], limits.maxTable)));
    else parts.push(wasm.subarray(at, bodyAt + length));
    at = bodyAt + length;
  }
  return concat(parts);
}

/** The body of a section with exactly one entry: prefix bytes, then limits that have a maximum. Keeps a minimum that is not given. */
function withLimits(
  body: Uint8Array,
  prefix: readonly number[],
  maximum: number,
  minimum?: number,
): number[] {
  const head = [1, ...prefix, HAS_MAXIMUM];
  if (!head.every((byte, index) => body[index] === byte)) throw new Error("wasm limits: unexpected section");
  const [declared] = readUnsigned(body, head.length);
  return [...head, ...unsigned(minimum ?? declared), ...unsigned(maximum)];
}

function section(id: number, body: readonly number[]): Uint8Array {
  return Uint8Array.from([id, ...unsigned(body.length), ...body]);
}

function readUnsigned(bytes: Uint8Array, start: number): readonly [value: number, next: number] {
  let value = 0;
  let at = start;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    if (byte === undefined) throw new Error("wasm limits: truncated number");
    value |= (byte & 127) << shift;
    if (byte < 128) return [value >>> 0, at];
  }
}

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 127;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 128);
  } while (rest !== 0);
  return bytes;
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
