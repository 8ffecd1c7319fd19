/**
 * Reads facts from a Linux executable: its processor, its loader, and the libraries and symbol versions that it needs.
 */
import { textAt } from "./executable-text.ts";

export interface Elf {
  readonly machine: number;
  /** The program that loads it, e.g. `/lib64/ld-linux-x86-64.so.2`. */
  readonly interpreter: string | undefined;
  readonly libraries: readonly string[];
  /** Versions of symbols that it takes from libraries, e.g. `GLIBC_2.17`. */
  readonly symbolVersions: readonly string[];
}

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly size: number;
}

const MAGIC = 0x7f454c46;
const SEGMENT_LOAD = 1;
const SEGMENT_DYNAMIC = 2;
const SEGMENT_INTERPRETER = 3;
const DYNAMIC_END = 0;
const DYNAMIC_NEEDED = 1;
const DYNAMIC_STRINGS = 5;
const DYNAMIC_VERSIONS_NEEDED = 0x6ffffffe;

/** Throws an Error for a file that is no 64-bit little-endian ELF. Of a file's start, only what is in it is read. */
export function readElf(file: Uint8Array): Elf {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.getUint32(0) !== MAGIC || file[4] !== 2 || file[5] !== 1) throw new Error("not a 64-bit ELF file");
  const segments = segmentsOf(view);
  const interpreter = segments.find(({ type }) => type === SEGMENT_INTERPRETER);
  return {
    machine: view.getUint16(18, true),
    interpreter: interpreter === undefined ? undefined : textAt(file, interpreter.offset),
    ...dynamicPart(view, file, segments),
  };
}

function segmentsOf(view: DataView): Segment[] {
  const table = Number(view.getBigUint64(32, true));
  const entrySize = view.getUint16(54, true);
  return Array.from({ length: view.getUint16(56, true) }, (_, index) => {
    const at = table + index * entrySize;
    return {
      type: view.getUint32(at, true),
      offset: Number(view.getBigUint64(at + 8, true)),
      address: Number(view.getBigUint64(at + 16, true)),
      size: Number(view.getBigUint64(at + 32, true)),
    };
  });
}

/** Where the byte with this address is in the file. */
function offsetOf(address: number, segments: readonly Segment[]): number {
  const home = segments.find(
    (segment) =>
      segment.type === SEGMENT_LOAD && address >= segment.address && address < segment.address + segment.size,
  );
  if (home === undefined) throw new Error(`no part of the file is loaded at ${address}`);
  return address - home.address + home.offset;
}

function dynamicPart(
  view: DataView,
  file: Uint8Array,
  segments: readonly Segment[],
): Pick<Elf, "libraries" | "symbolVersions"> {
  const dynamic = segments.find(({ type }) => type === SEGMENT_DYNAMIC);
  if (dynamic === undefined || dynamic.offset + dynamic.size > file.length)
    return { libraries: [], symbolVersions: [] };
  const entries = dynamicEntries(view, dynamic);
  const addressOf = (wanted: number) => entries.find(({ tag }) => tag === wanted)?.value;
  const [strings, versions] = [addressOf(DYNAMIC_STRINGS), addressOf(DYNAMIC_VERSIONS_NEEDED)];
  if (strings === undefined) throw new Error("an ELF file without names of libraries");
  const names = offsetOf(strings, segments);
  return {
    libraries: entries
      .filter(({ tag }) => tag === DYNAMIC_NEEDED)
      .map(({ value }) => textAt(file, names + value)),
    symbolVersions: versions === undefined ? [] : versionsAt(view, file, offsetOf(versions, segments), names),
  };
}

function dynamicEntries(view: DataView, { offset, size }: Segment): { tag: number; value: number }[] {
  const entries: { tag: number; value: number }[] = [];
  for (let at = offset; at < offset + size; at += 16) {
    const tag = Number(view.getBigInt64(at, true));
    if (tag === DYNAMIC_END) break;
    entries.push({ tag, value: Number(view.getBigUint64(at + 8, true)) });
  }
  return entries;
}

/** A list of libraries, each with a list of versions; every entry says how far away the next one is. */
function versionsAt(view: DataView, file: Uint8Array, start: number, names: number): string[] {
  const versions: string[] = [];
  for (let library = start, step = -1; step !== 0; library += step) {
    let entry = library + view.getUint32(library + 8, true);
    for (let count = view.getUint16(library + 2, true); count > 0; count -= 1) {
      versions.push(textAt(file, names + view.getUint32(entry + 8, true)));
      entry += view.getUint32(entry + 12, true);
    }
    step = view.getUint32(library + 12, true);
  }
  return versions;
}
