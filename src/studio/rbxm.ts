/**
 * Reads and writes the binary model format as far as a plugin needs it: Instances with String, Bool and Enum
 * properties. Layout: docs/binary.md of rbx-dom (confirmed against files saved by Studio and by Rojo). Other property types are
 * skipped on reading; zstd chunks are refused.
 */
import {
  ByteReader,
  ByteWriter,
  deinterleave,
  deinterleaveReferents,
  interleave,
  interleaveReferents,
} from "../util/bytes.ts";
import { lz4Decode, lz4EncodeLiteral } from "../util/lz4-block.ts";

export type RbxmValue =
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "enum"; readonly value: number };

export interface RbxmInstance {
  readonly className: string;
  /** Written in this order; every Instance of a class must have the same keys. */
  readonly properties: ReadonlyMap<string, RbxmValue>;
  readonly children: readonly RbxmInstance[];
}

const MAGIC = new Uint8Array([
  0x3c, 0x72, 0x6f, 0x62, 0x6c, 0x6f, 0x78, 0x21, 0x89, 0xff, 0x0d, 0x0a, 0x1a, 0x0a,
]);
const FOOTER = new TextEncoder().encode("</roblox>");
const TYPE_IDS = { string: 0x01, bool: 0x02, enum: 0x12 } as const;
const NO_PARENT = -1;

interface Placed {
  readonly instance: RbxmInstance;
  readonly referent: number;
  readonly parent: number;
}

/**
 * One file with these roots. `compression: "literal"` (default) wraps each chunk in an LZ4 block without matches,
 * the form that Studio itself writes for short chunks.
 * UNVERIFIED: that Studio loads uncompressed chunks, which the format allows and no saved file was seen to have; hence the default.
 */
export function writeRbxm(
  roots: readonly RbxmInstance[],
  compression: "literal" | "none" = "literal",
): Uint8Array {
  const placed = place(roots);
  const classes = byClass(placed);
  const out = new ByteWriter();
  out.bytes(MAGIC).u16(0).u32(classes.length).u32(placed.length).bytes(new Uint8Array(8));
  const chunk = (name: string, data: Uint8Array, mode = compression) => writeChunk(out, name, data, mode);
  for (const [classId, [className, members]] of classes.entries()) {
    chunk("INST", instanceChunk(classId, className, members));
  }
  for (const [classId, [, members]] of classes.entries()) {
    for (const name of members[0]?.instance.properties.keys() ?? [])
      chunk("PROP", propertyChunk(classId, name, members));
  }
  chunk("PRNT", parentChunk(placed));
  chunk("END\0", FOOTER, "none");
  return out.finish();
}

/** Referents count in pre-order, as the roots are read from top to bottom. */
function place(roots: readonly RbxmInstance[]): Placed[] {
  const placed: Placed[] = [];
  const visit = (instance: RbxmInstance, parent: number): void => {
    const referent = placed.length;
    placed.push({ instance, referent, parent });
    for (const child of instance.children) visit(child, referent);
  };
  for (const root of roots) visit(root, NO_PARENT);
  return placed;
}

function byClass(placed: readonly Placed[]): [className: string, members: Placed[]][] {
  const groups = Map.groupBy(placed, ({ instance }) => instance.className);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

function writeChunk(out: ByteWriter, name: string, data: Uint8Array, mode: "literal" | "none"): void {
  const packed = mode === "literal" ? lz4EncodeLiteral(data) : data;
  out.bytes(new TextEncoder().encode(name));
  out
    .u32(mode === "literal" ? packed.length : 0)
    .u32(data.length)
    .u32(0)
    .bytes(packed);
}

function instanceChunk(classId: number, className: string, members: readonly Placed[]): Uint8Array {
  const out = new ByteWriter();
  out.u32(classId).string(className).u8(0).u32(members.length);
  return out.bytes(interleaveReferents(members.map((member) => member.referent))).finish();
}

function propertyChunk(classId: number, name: string, members: readonly Placed[]): Uint8Array {
  const values = members.map(({ instance }) => {
    const value = instance.properties.get(name);
    if (value === undefined)
      throw new Error(`a ${instance.className} lacks the property ${name} that others have`);
    return value;
  });
  const out = new ByteWriter();
  out
    .u32(classId)
    .string(name)
    .u8(TYPE_IDS[values[0]?.type ?? "string"]);
  for (const value of values) {
    if (value.type === "string") out.string(value.value);
    if (value.type === "bool") out.u8(value.value ? 1 : 0);
  }
  const enums = values.flatMap((value) => (value.type === "enum" ? [value.value] : []));
  return out.bytes(interleave(enums)).finish();
}

/** Children before parents, as Studio writes it. */
function parentChunk(placed: readonly Placed[]): Uint8Array {
  const ordered = postOrder(placed);
  const out = new ByteWriter();
  out.u8(0).u32(ordered.length);
  out.bytes(interleaveReferents(ordered.map(({ referent }) => referent)));
  return out.bytes(interleaveReferents(ordered.map(({ parent }) => parent))).finish();
}

function postOrder(placed: readonly Placed[]): Placed[] {
  const children = Map.groupBy(placed, ({ parent }) => parent);
  const ordered: Placed[] = [];
  const visit = (node: Placed): void => {
    for (const child of children.get(node.referent) ?? []) visit(child);
    ordered.push(node);
  };
  for (const root of children.get(NO_PARENT) ?? []) visit(root);
  return ordered;
}

function readReferents(reader: ByteReader, count: number): number[] {
  return deinterleaveReferents(reader.bytes(count * 4));
}

interface Draft {
  readonly className: string;
  readonly properties: Map<string, RbxmValue>;
  readonly children: Draft[];
}

/** The roots of a file. Throws an Error that says what is wrong with a file that is cut, foreign or inconsistent. */
export function readRbxm(file: Uint8Array): RbxmInstance[] {
  const reader = new ByteReader(file);
  const magic = reader.bytes(MAGIC.length);
  if (!magic.every((byte, index) => byte === MAGIC[index])) throw new Error("not a binary Roblox model file");
  reader.bytes(32 - MAGIC.length);
  const drafts = new Map<number, Draft>();
  const classes = new Map<number, Draft[]>();
  for (;;) {
    const { name, data } = readChunk(reader);
    if (name === "INST") readInstances(data, drafts, classes);
    if (name === "PROP") readProperty(data, classes);
    if (name === "PRNT") return readParents(data, drafts);
    if (name === "END") throw new Error("the file has no parent table");
  }
}

function readChunk(reader: ByteReader): { name: string; data: ByteReader } {
  const name = new TextDecoder().decode(reader.bytes(4)).replaceAll("\0", "");
  const packedLength = reader.u32();
  const length = reader.u32();
  reader.u32();
  if (packedLength === 0) return { name, data: new ByteReader(reader.bytes(length)) };
  return { name, data: new ByteReader(lz4Decode(reader.bytes(packedLength), length)) };
}

function readInstances(data: ByteReader, drafts: Map<number, Draft>, classes: Map<number, Draft[]>): void {
  const classId = data.u32();
  const className = data.string();
  data.u8();
  const members = readReferents(data, data.u32()).map((referent) => {
    const draft: Draft = { className, properties: new Map(), children: [] };
    drafts.set(referent, draft);
    return draft;
  });
  classes.set(classId, members);
}

function readProperty(data: ByteReader, classes: ReadonlyMap<number, readonly Draft[]>): void {
  const members = classes.get(data.u32()) ?? [];
  const name = data.string();
  const type = data.u8();
  if (type === TYPE_IDS.string)
    for (const draft of members) draft.properties.set(name, { type: "string", value: data.string() });
  if (type === TYPE_IDS.bool)
    for (const draft of members) draft.properties.set(name, { type: "bool", value: data.u8() === 1 });
  if (type === TYPE_IDS.enum) {
    const values = deinterleave(data.bytes(members.length * 4));
    for (const [index, draft] of members.entries())
      draft.properties.set(name, { type: "enum", value: values[index] ?? 0 });
  }
}

function readParents(data: ByteReader, drafts: ReadonlyMap<number, Draft>): Draft[] {
  data.u8();
  const count = data.u32();
  const parents = new Map<number, number>();
  const children = readReferents(data, count);
  for (const [index, parent] of readReferents(data, count).entries())
    parents.set(children[index] ?? NO_PARENT, parent);
  const roots: Draft[] = [];
  // Instances are listed children first, so siblings are attached in the order of their referents instead.
  for (const [referent, draft] of [...drafts].sort(([a], [b]) => a - b)) {
    const parent = parents.get(referent) ?? NO_PARENT;
    const siblings = parent === NO_PARENT ? roots : drafts.get(parent)?.children;
    if (siblings === undefined) throw new Error(`an Instance names a parent that does not exist (${parent})`);
    siblings.push(draft);
  }
  return roots;
}
