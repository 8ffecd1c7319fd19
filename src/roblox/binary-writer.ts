/** Writes `.rbxl` and `.rbxm`, with LZ4. Layout: docs/binary.md of rbx-dom. */
import { ByteWriter, bytesOf, interleaveReferents } from "../util/bytes.ts";
import type { ByteString } from "../util/bytes.ts";
import { lz4Encode } from "../util/lz4-block.ts";
import { BINARY_MAGIC } from "./binary-reader.ts";
import type { WriteContext } from "./binary-arrays.ts";
import { codecOf, typeIdOf } from "./binary-values.ts";
import {
  childrenOf,
  type FileValue,
  type Model,
  type ModelClass,
  type ModelColumn,
  NO_PARENT,
} from "./model.ts";

const FOOTER = new TextEncoder().encode("</roblox>");
/** Studio writes this for models; it says that parts are not joined by touching surfaces. */
const METADATA = new Map([["ExplicitAutoJoints", "true"]]);

/**
 * Every member of a class needs a value in each of its columns. `isService` tells which classes are marked as
 * services, so that Studio does not make them twice.
 */
export function writeBinaryModel(
  model: Model,
  isService: (className: string) => boolean,
): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter();
  const classes = model.classes.toSorted((a, b) => (a.className < b.className ? -1 : 1));
  out
    .bytes(bytesOf(BINARY_MAGIC))
    .u16(0)
    .u32(classes.length)
    .u32(model.parents.length)
    .bytes(new Uint8Array(8));
  const strings = new Map<ByteString, number>();
  const context: WriteContext = {
    sharedString: (value) => {
      const position = strings.get(value) ?? strings.size;
      strings.set(value, position);
      return position;
    },
  };
  // Before anything is written, because the shared strings they refer to come first.
  const properties = classes.flatMap((owner, classId) => propertyChunks(owner, classId, context));
  writeChunk(out, "META", metadataChunk());
  if (strings.size > 0) writeChunk(out, "SSTR", sharedStringChunk([...strings.keys()]));
  for (const [classId, owner] of classes.entries())
    writeChunk(out, "INST", instanceChunk(owner, classId, isService(owner.className)));
  for (const chunk of properties) writeChunk(out, "PROP", chunk);
  writeChunk(out, "PRNT", parentChunk(model));
  out.bytes(bytesOf("END\0")).u32(0).u32(FOOTER.length).u32(0).bytes(FOOTER);
  return out.finish();
}

function writeChunk(out: ByteWriter, name: string, data: Uint8Array): void {
  const packed = lz4Encode(data);
  out.bytes(bytesOf(name)).u32(packed.length).u32(data.length).u32(0).bytes(packed);
}

function metadataChunk(): Uint8Array {
  const out = new ByteWriter().u32(METADATA.size);
  for (const [key, value] of METADATA) out.string(key).string(value);
  return out.finish();
}

function sharedStringChunk(strings: readonly ByteString[]): Uint8Array {
  const out = new ByteWriter().u32(0).u32(strings.length);
  for (const text of strings)
    out.bytes(new Bun.CryptoHasher("md5").update(bytesOf(text)).digest()).byteString(text);
  return out.finish();
}

function instanceChunk({ className, members }: ModelClass, classId: number, isService: boolean): Uint8Array {
  const out = new ByteWriter()
    .u32(classId)
    .string(className)
    .u8(isService ? 1 : 0)
    .u32(members.length);
  out.bytes(interleaveReferents(members));
  if (isService) out.bytes(new Uint8Array(members.length).fill(1));
  return out.finish();
}

function propertyChunks(owner: ModelClass, classId: number, context: WriteContext): Uint8Array[] {
  const names = [...owner.columns.keys()].sort();
  return names.flatMap((name) => {
    const column = owner.columns.get(name);
    return column === undefined ? [] : [propertyChunk(owner, classId, name, column, context)];
  });
}

function propertyChunk(
  { className, members }: ModelClass,
  classId: number,
  name: string,
  { values, rows }: ModelColumn,
  context: WriteContext,
): Uint8Array {
  const label = `${className}.${name}`;
  const type = values[0]?.type;
  const typeId = type === undefined ? undefined : typeIdOf(type);
  const codec = typeId === undefined ? undefined : codecOf(typeId);
  if (typeId === undefined || codec === undefined) throw new Error(`${label} cannot be written as ${type}`);
  const other = values.find((value) => typeIdOf(value.type) !== typeId);
  if (other !== undefined) throw new Error(`${label} is both ${type} and ${other.type}`);
  const column: FileValue[] = [];
  for (let index = 0; index < members.length; index++) {
    const value = values[(rows[index] ?? 0) - 1];
    if (value === undefined) throw new Error(`${label} has no value for one of its Instances`);
    column.push(value);
  }
  const out = new ByteWriter().u32(classId).string(name).u8(typeId);
  codec.write(out, column, context);
  return out.finish();
}

/** Children before their parents, as Studio writes it. */
function parentChunk(model: Model): Uint8Array {
  const children = childrenOf(model);
  const ordered: number[] = [];
  // Parents first and the last child first, turned round.
  const waiting = [...(children.at(NO_PARENT) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    ordered.push(next);
    for (const child of children[next] ?? []) waiting.push(child);
  }
  ordered.reverse();
  const out = new ByteWriter().u8(0).u32(ordered.length).bytes(interleaveReferents(ordered));
  return out.bytes(interleaveReferents(ordered.map((id) => model.parents[id] ?? NO_PARENT))).finish();
}
