/**
 * Reads macOS executables, checks their signature page by page, and signs them ad hoc: without a certificate, which is
 * what Apple silicon demands of every program. Bun leaves the signature of its own runtime in programs for Intel Macs, and
 * it is wrong there.
 */
import { textAt } from "./executable-text.ts";

export interface MachO {
  readonly cpuType: number;
  readonly libraries: readonly string[];
  /** The oldest macOS that starts it, e.g. `13.0`. */
  readonly oldestMacOs: string | undefined;
  /** Where the signature is; undefined in a file that has none. */
  readonly signature:
    { readonly command: number; readonly offset: number; readonly size: number } | undefined;
  /** By name. */
  readonly segments: ReadonlyMap<string, Segment>;
}

interface Segment {
  /** Where the command that describes it is. */
  readonly command: number;
  readonly fileOffset: number;
  readonly fileSize: number;
}

const MAGIC = 0xfeedfacf;
const HEADER_SIZE = 32;
const LOAD_SEGMENT = 0x19;
const LOAD_LIBRARY = 0xc;
const LOAD_WEAK_LIBRARY = 0x80000018;
const LOAD_SIGNATURE = 0x1d;
const LOAD_BUILD_VERSION = 0x32;

/** Throws an Error for a file that is no 64-bit Mach-O. */
export function readMachO(file: Uint8Array): MachO {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw new Error("not a 64-bit Mach-O file");
  const libraries: string[] = [];
  const segments = new Map<string, Segment>();
  let signature: MachO["signature"];
  let oldestMacOs: string | undefined;
  let at = HEADER_SIZE;
  for (let left = view.getUint32(16, true); left > 0; left -= 1) {
    const kind = view.getUint32(at, true);
    if (kind === LOAD_SEGMENT) segments.set(textAt(file.subarray(0, at + 24), at + 8), segmentAt(view, at));
    if (kind === LOAD_LIBRARY || kind === LOAD_WEAK_LIBRARY)
      libraries.push(textAt(file, at + view.getUint32(at + 8, true)));
    if (kind === LOAD_SIGNATURE)
      signature = { command: at, offset: view.getUint32(at + 8, true), size: view.getUint32(at + 12, true) };
    if (kind === LOAD_BUILD_VERSION) oldestMacOs = versionText(view.getUint32(at + 12, true));
    at += view.getUint32(at + 4, true);
  }
  return { cpuType: view.getUint32(4, true), libraries, oldestMacOs, signature, segments };
}

function segmentAt(view: DataView, command: number): Segment {
  return {
    command,
    fileOffset: Number(view.getBigUint64(command + 40, true)),
    fileSize: Number(view.getBigUint64(command + 48, true)),
  };
}

const versionText = (packed: number): string => `${packed >>> 16}.${(packed >>> 8) & 0xff}`;

// A signature is big-endian, unlike the rest: a "super blob" that lists blobs, one of them the code directory, which has a
// hash of each page of the file in front of the signature.
const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const SUPER_BLOB_SIZE = 20;
const DIRECTORY_VERSION = 0x20400;
const DIRECTORY_SIZE = 88;
const FLAGS_AD_HOC_LINKER_SIGNED = 0x20002;
const SHA256 = 2;
const HASH_SIZE = 32;
const PAGE_BITS = 12;
const PAGE_SIZE = 1 << PAGE_BITS;
const MAIN_BINARY = 1n;
/** Segments end on a page of Apple silicon. */
const MEMORY_PAGE = 0x4000;

/** The same program with a signature that fits; `identifier` is the program's name in it. */
export function signAdHoc(file: Uint8Array, identifier: string): Uint8Array {
  const { signature, segments } = readMachO(file);
  const [text, linkEdit] = [segments.get("__TEXT"), segments.get("__LINKEDIT")];
  if (signature === undefined || text === undefined || linkEdit === undefined)
    throw new Error("this Mach-O file has no place for a signature");
  const name = new TextEncoder().encode(`${identifier}\0`);
  const codeSize = signature.offset;
  const pages = Math.ceil(codeSize / PAGE_SIZE);
  const hashesAt = DIRECTORY_SIZE + name.length;
  const directorySize = hashesAt + pages * HASH_SIZE;
  const blobSize = SUPER_BLOB_SIZE + directorySize;
  const signatureSize = Math.ceil(blobSize / 16) * 16;

  const signed = new Uint8Array(codeSize + signatureSize);
  signed.set(file.subarray(0, codeSize));
  const view = new DataView(signed.buffer);
  view.setUint32(signature.command + 12, signatureSize, true);
  const linkEditSize = signed.length - linkEdit.fileOffset;
  view.setBigUint64(linkEdit.command + 48, BigInt(linkEditSize), true);
  view.setBigUint64(linkEdit.command + 32, BigInt(Math.ceil(linkEditSize / MEMORY_PAGE) * MEMORY_PAGE), true);

  const directory = codeSize + SUPER_BLOB_SIZE;
  const words = [SUPER_BLOB, blobSize, 1, 0, SUPER_BLOB_SIZE];
  const directoryWords = [
    CODE_DIRECTORY,
    directorySize,
    DIRECTORY_VERSION,
    FLAGS_AD_HOC_LINKER_SIGNED,
    hashesAt,
  ];
  const sizes = [DIRECTORY_SIZE, 0, pages, codeSize];
  for (const [index, word] of [...words, ...directoryWords, ...sizes].entries())
    view.setUint32(codeSize + index * 4, word);
  signed.set([HASH_SIZE, SHA256, 0, PAGE_BITS], directory + 36);
  view.setBigUint64(directory + 64, BigInt(text.fileOffset));
  view.setBigUint64(directory + 72, BigInt(text.fileSize));
  view.setBigUint64(directory + 80, MAIN_BINARY);
  signed.set(name, directory + DIRECTORY_SIZE);
  for (let page = 0; page < pages; page += 1)
    signed.set(pageHash(signed, page, codeSize), directory + hashesAt + page * HASH_SIZE);
  return signed;
}

function pageHash(file: Uint8Array, page: number, codeSize: number): Uint8Array {
  const start = page * PAGE_SIZE;
  return new Bun.CryptoHasher("sha256")
    .update(file.subarray(start, Math.min(start + PAGE_SIZE, codeSize)))
    .digest();
}

/** What is wrong with the signature; macOS ends a program with such a fault as it starts. */
export function signatureFaults(file: Uint8Array): string[] {
  const { signature, segments } = readMachO(file);
  if (signature === undefined) return ["it has no signature"];
  const { offset, size } = signature;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const linkEdit = segments.get("__LINKEDIT");
  const faults: string[] = [];
  if (offset + size !== file.length) faults.push("its signature is not the end of the file");
  if (linkEdit === undefined || linkEdit.fileOffset + linkEdit.fileSize !== file.length)
    faults.push("its last segment is not the end of the file");
  if (view.getUint32(offset) !== SUPER_BLOB) return [...faults, "its signature is unreadable"];
  for (let blob = 0; blob < view.getUint32(offset + 8); blob += 1) {
    const at = offset + view.getUint32(offset + 16 + blob * 8);
    if (view.getUint32(at) === CODE_DIRECTORY) faults.push(...directoryFaults(file, view, at, offset));
  }
  return faults;
}

function directoryFaults(file: Uint8Array, view: DataView, at: number, codeSize: number): string[] {
  const faults: string[] = [];
  const [hashesAt, signedPages, signedSize] = [
    view.getUint32(at + 16),
    view.getUint32(at + 28),
    view.getUint32(at + 32),
  ];
  if (view.getUint8(at + 37) !== SHA256 || view.getUint8(at + 39) !== PAGE_BITS)
    return ["its pages are hashed in a way that is not known here"];
  if (signedSize !== codeSize) faults.push(`its signature covers ${signedSize} bytes of ${codeSize}`);
  let wrong = 0;
  for (let page = 0; page < signedPages; page += 1) {
    const listed = at + hashesAt + page * HASH_SIZE;
    if (Buffer.compare(pageHash(file, page, signedSize), file.subarray(listed, listed + HASH_SIZE)) !== 0)
      wrong += 1;
  }
  if (wrong > 0)
    faults.push(`${wrong} of its ${signedPages} pages have another hash than the signature says`);
  return faults;
}
