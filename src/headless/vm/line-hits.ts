/**
 * Reads how often the lines and functions of a chunk have run. If `coverage_level` is 1, the compiler puts a counter into the bytecode
 * before each statement, and Luau itself counts in it.
 */
import { encodeUtf8, type LuauMemory } from "./memory.ts";

export interface FunctionHits {
  /** Empty for an anonymous function. */
  readonly name: string;
  /** The line on which the function begins. */
  readonly line: number;
  readonly hits: number;
}

export interface ChunkHits {
  /** For each line on which statements begin, the runs of the statement that ran most often. */
  readonly lines: ReadonlyMap<number, number>;
  /** All functions with a statement, without the chunk itself. */
  readonly functions: readonly FunctionHits[];
}

/** `Closure`, `Proto` and `TString` in the build of Luau that scripts/build-luau.ts accepts. */
const CLOSURE = { proto: 16 } as const;
const PROTO = {
  code: 12,
  children: 16,
  lineDeltas: 32,
  lineBases: 36,
  name: 52,
  codeSize: 72,
  childCount: 76,
  lineGapLog2: 96,
  firstLine: 100,
} as const;
const STRING_TEXT_AT = 20;

/** Instructions of Luau: the counter, and the instructions that are followed by an extra word. */
const COUNTER = 69;
const TWO_WORDS = new Set([
  7, 8, 12, 15, 16, 20, 27, 28, 29, 30, 31, 32, 53, 55, 58, 60, 66, 74, 75, 77, 78, 79, 80,
]);

/**
 * `address` is that of the chunk's function. `skipsFirst` leaves out the first statement of the chunk, which the engine may
 * have put there.
 */
export function readLineHits(memory: LuauMemory, address: number, skipsFirst: boolean): ChunkHits {
  const lines = new Map<number, number>();
  const functions: FunctionHits[] = [];
  const open = [{ proto: memory.readU32(address + CLOSURE.proto), isChunk: true }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { proto, isChunk } = at;
    const counters = countersOf(memory, proto).slice(isChunk && skipsFirst ? 1 : 0);
    for (const { line, hits } of counters) lines.set(line, Math.max(lines.get(line) ?? 0, hits));
    const [first] = counters;
    if (!isChunk && first !== undefined)
      functions.push({
        name: nameOf(memory, proto),
        line: memory.readU32(proto + PROTO.firstLine),
        hits: first.hits,
      });
    const children = memory.readU32(proto + PROTO.children);
    const count = memory.readU32(proto + PROTO.childCount);
    for (let index = 0; index < count; index += 1)
      open.push({ proto: memory.readU32(children + index * 4), isChunk: false });
  }
  return { lines, functions };
}

/** The counters of one function, without those of the functions in it. The first one counts its calls. */
function countersOf(memory: LuauMemory, proto: number): { readonly line: number; readonly hits: number }[] {
  const code = memory.readU32(proto + PROTO.code);
  const size = memory.readU32(proto + PROTO.codeSize);
  const deltas = memory.readU32(proto + PROTO.lineDeltas);
  const bases = memory.readU32(proto + PROTO.lineBases);
  const gap = memory.readU32(proto + PROTO.lineGapLog2);
  const counters: { line: number; hits: number }[] = [];
  for (let index = 0; index < size; index += 1) {
    const instruction = memory.readU32(code + index * 4);
    const operation = instruction & 0xff;
    if (operation === COUNTER) {
      const line = memory.readU32(bases + (index >> gap) * 4) + (memory.bytes[deltas + index] ?? 0);
      counters.push({ line, hits: instruction >>> 8 });
    }
    if (TWO_WORDS.has(operation)) index += 1;
  }
  return counters;
}

function nameOf(memory: LuauMemory, proto: number): string {
  const name = memory.readU32(proto + PROTO.name);
  return name === 0 ? "" : memory.readCString(name + STRING_TEXT_AT);
}

/**
 * Encodes hits for the engine as numbers of four bytes: the number of lines, and the hits of each line, -1 if no statement begins on it;
 * the number of functions, and for each function its line, its hits and the length of its name; then the names.
 */
export function encodeLineHits({ lines, functions }: ChunkHits): Uint8Array {
  let lineCount = 0;
  for (const line of lines.keys()) lineCount = Math.max(lineCount, line);
  const names = functions.map(({ name }) => encodeUtf8(name));
  const numbers = new Int32Array(2 + lineCount + functions.length * 3).fill(-1);
  numbers[0] = lineCount;
  for (const [line, hits] of lines) numbers[line] = hits;
  numbers[lineCount + 1] = functions.length;
  for (const [index, { line, hits }] of functions.entries())
    numbers.set([line, hits, names[index]?.length ?? 0], lineCount + 2 + index * 3);
  return Buffer.concat([new Uint8Array(numbers.buffer), ...names]);
}
