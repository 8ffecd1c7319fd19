/** Reads `.rbxl` and `.rbxm`. Layout: docs/binary.md of rbx-dom. */
import { ByteReader, deinterleaveReferents } from "../util/bytes.ts";
import type { ByteString } from "../util/bytes.ts";
import { lz4Decode } from "../util/lz4-block.ts";
import { uniformValue } from "./binary-uniform.ts";
import type { ReadContext } from "./binary-arrays.ts";
import { codecOf } from "./binary-values.ts";
import { checkDepth, ColumnBuilder, type Model, type ModelClass, NO_PARENT } from "./model.ts";
import { isZstd, unzstd } from "./zstd.ts";

export const BINARY_MAGIC = "<roblox!\x89\xff\r\n\x1a\n";
const HEADER_BYTES = 32;
const VERSION = 0;
/** What all parts of a file together may unpack to. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;
const SERVICE_FORMAT = 1;
const SHARED_STRING_HASH_BYTES = 16;

export interface ReadModel {
  readonly model: Model;
  /** What the reader left out, one sentence each. */
  readonly problems: readonly string[];
}

interface ClassDraft {
  readonly className: string;
  readonly referents: readonly number[];
  readonly columns: Map<string, ColumnBuilder>;
}

interface Draft {
  readonly classes: Map<number, ClassDraft>;
  /** Temporary numbers by referent: the place in the order of the INST chunks. */
  readonly numbers: Map<number, number>;
  readonly sharedStrings: ByteString[];
  readonly problems: string[];
}

export const isBinaryModel = (file: Uint8Array): boolean =>
  Buffer.from(file.subarray(0, BINARY_MAGIC.length)).toString("latin1") === BINARY_MAGIC;

/**
 * Leaves out properties of the names in `ignored`. Throws an Error that says what is wrong with a file that is cut,
 * foreign or inconsistent.
 */
export function readBinaryModel(file: Uint8Array, ignored: ReadonlySet<string> = new Set()): ReadModel {
  if (!isBinaryModel(file)) throw new Error("not a binary Roblox file");
  const reader = new ByteReader(file);
  const header = new ByteReader(reader.bytes(HEADER_BYTES));
  header.bytes(BINARY_MAGIC.length);
  const version = header.u16();
  if (version !== VERSION) throw new Error(`version ${version} of the format is not known`);
  const draft: Draft = { classes: new Map(), numbers: new Map(), sharedStrings: [], problems: [] };
  // Properties are read when all Instances are known: a reference may lead to a class that comes later.
  const properties: ByteReader[] = [];
  let unpackedBytes = 0;
  for (;;) {
    const { name, data } = readChunk(reader, MAX_UNPACKED_BYTES - unpackedBytes);
    unpackedBytes += data.remaining;
    if (name === "SSTR") readSharedStrings(data, draft.sharedStrings);
    else if (name === "INST") readInstances(data, draft);
    else if (name === "PROP") properties.push(data);
    else if (name === "PRNT") return finish(draft, properties, data, ignored);
    else if (name === "END") throw new Error("the file has no parent table");
  }
}

function readChunk(reader: ByteReader, roomBytes: number): { name: string; data: ByteReader } {
  const name = Buffer.from(reader.bytes(4)).toString("latin1").replaceAll("\0", "");
  const packedBytes = reader.u32();
  const sizeBytes = reader.u32();
  reader.u32();
  if (sizeBytes > roomBytes) throw new Error("the file unpacks to more than 512 MB");
  if (packedBytes === 0) return { name, data: new ByteReader(reader.bytes(sizeBytes)) };
  const packed = reader.bytes(packedBytes);
  const unpacked = isZstd(packed) ? unzstd(packed, sizeBytes) : lz4Decode(packed, sizeBytes);
  return { name, data: new ByteReader(unpacked) };
}

function readSharedStrings(data: ByteReader, strings: ByteString[]): void {
  data.u32();
  for (let rest = data.u32(); rest > 0; rest--) {
    data.bytes(SHARED_STRING_HASH_BYTES);
    strings.push(data.byteString());
  }
}

function readInstances(data: ByteReader, { classes, numbers }: Draft): void {
  const classId = data.u32();
  const className = data.string();
  const format = data.u8();
  const count = data.u32();
  const referents = deinterleaveReferents(data.bytes(count * 4));
  if (format === SERVICE_FORMAT) data.bytes(count);
  if (classes.has(classId)) throw new Error(`two classes have the number ${classId}`);
  for (const referent of referents) {
    if (numbers.has(referent)) throw new Error(`two Instances have the referent ${referent}`);
    numbers.set(referent, numbers.size);
  }
  classes.set(classId, { className, referents, columns: new Map() });
}

function readProperty(
  data: ByteReader,
  draft: Draft,
  context: ReadContext,
  ignored: ReadonlySet<string>,
): void {
  const classId = data.u32();
  const owner = draft.classes.get(classId);
  if (owner === undefined) throw new Error(`a property is of the class ${classId}, which does not exist`);
  const name = data.string();
  // Seen in files of old versions: a name and nothing after it.
  if (data.remaining === 0 || ignored.has(name)) return;
  const typeId = data.u8();
  const codec = codecOf(typeId);
  const label = `${owner.className}.${name}`;
  if (codec === undefined) {
    draft.problems.push(`${label} has values of the type ${typeId}, which is not known.`);
    return;
  }
  try {
    const count = owner.referents.length;
    const bytes = data.bytes(data.remaining);
    const single = uniformValue(typeId, bytes, count);
    const column = new ColumnBuilder();
    if (single === undefined) {
      for (const value of codec.read(new ByteReader(bytes), count, context)) column.push(value);
    } else {
      for (const value of codec.read(new ByteReader(single), 1, context)) column.repeat(value, count);
    }
    owner.columns.set(name, column);
  } catch (error) {
    throw new Error(`${label}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function finish(
  draft: Draft,
  properties: readonly ByteReader[],
  parentTable: ByteReader,
  ignored: ReadonlySet<string>,
): ReadModel {
  const { ids, parents } = readParents(parentTable, draft.numbers);
  const idOf = (referent: number): number | null => {
    const number = draft.numbers.get(referent);
    return number === undefined ? null : (ids[number] ?? null);
  };
  const context: ReadContext = { sharedStrings: draft.sharedStrings, idOf };
  for (const data of properties) readProperty(data, draft, context, ignored);
  const classes = [...draft.classes.values()].map(({ className, referents, columns }): ModelClass => ({
    className,
    members: referents.map((referent) => idOf(referent) ?? NO_PARENT),
    columns,
  }));
  return { model: { parents, classes }, problems: draft.problems };
}

/** The id of each temporary number, in depth-first order, and the parents by id. */
function readParents(data: ByteReader, numbers: ReadonlyMap<number, number>) {
  data.u8();
  const count = data.u32();
  const children: number[][] = Array.from({ length: numbers.size + 1 }, () => []);
  const owners = deinterleaveReferents(data.bytes(count * 4));
  const above = deinterleaveReferents(data.bytes(count * 4));
  const seen = new Set<number>();
  for (const [index, referent] of owners.entries()) {
    const child = numbers.get(referent);
    const parentReferent = above[index] ?? NO_PARENT;
    const parent = parentReferent === NO_PARENT ? NO_PARENT : numbers.get(parentReferent);
    if (child === undefined)
      throw new Error(`the parent table names an Instance that does not exist (${referent})`);
    if (parent === undefined)
      throw new Error(`an Instance names a parent that does not exist (${parentReferent})`);
    if (seen.has(child)) throw new Error(`an Instance has two parents (${referent})`);
    seen.add(child);
    children.at(parent)?.push(child);
  }
  return inDepthFirstOrder(children, numbers.size);
}

function inDepthFirstOrder(children: readonly (readonly number[])[], count: number) {
  const ids = new Array<number>(count).fill(NO_PARENT);
  const parents: number[] = [];
  const waiting = (children.at(NO_PARENT) ?? []).map((number) => ({ number, parent: NO_PARENT, depth: 0 }));
  waiting.reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { number, parent, depth } = next;
    checkDepth(depth);
    const id = parents.push(parent) - 1;
    ids[number] = id;
    const own = children[number] ?? [];
    for (let index = own.length - 1; index >= 0; index--)
      waiting.push({ number: own[index] ?? 0, parent: id, depth: depth + 1 });
  }
  if (parents.length !== count)
    throw new Error("Instances are missing from the parent table, or are their own ancestors");
  return { ids, parents };
}
