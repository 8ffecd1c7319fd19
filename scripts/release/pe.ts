/**
 * Reads facts from a Windows executable: its processor, whether it is a console program, and the DLLs that it needs.
 */
import { textAt } from "./executable-text.ts";

export interface Pe {
  readonly machine: number;
  readonly subsystem: number;
  readonly libraries: readonly string[];
}

interface Section {
  readonly address: number;
  readonly size: number;
  readonly fileOffset: number;
}

const MAGIC = 0x5a4d;
const SIGNATURE = 0x4550;
const OPTIONAL_HEADER_64 = 0x20b;
const IMPORT_ENTRY_SIZE = 20;

/** Throws an Error for a file that is no 64-bit PE. */
export function readPe(file: Uint8Array): Pe {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const header = view.getUint16(0, true) === MAGIC ? view.getUint32(0x3c, true) : -1;
  if (header < 0 || view.getUint32(header, true) !== SIGNATURE) throw new Error("not a PE file");
  const optional = header + 24;
  if (view.getUint16(optional, true) !== OPTIONAL_HEADER_64) throw new Error("not a 64-bit PE file");
  const sectionTable = optional + view.getUint16(header + 20, true);
  const sections = Array.from({ length: view.getUint16(header + 6, true) }, (_, index) => {
    const at = sectionTable + index * 40;
    return {
      address: view.getUint32(at + 12, true),
      size: view.getUint32(at + 16, true),
      fileOffset: view.getUint32(at + 20, true),
    };
  });
  return {
    machine: view.getUint16(header + 4, true),
    subsystem: view.getUint16(optional + 68, true),
    libraries: importedLibraries(view, file, sections, view.getUint32(optional + 120, true)),
  };
}

/** A list of entries of one size, which ends with an empty one. */
function importedLibraries(
  view: DataView,
  file: Uint8Array,
  sections: readonly Section[],
  table: number,
): string[] {
  const libraries: string[] = [];
  for (let at = offsetOf(table, sections); ; at += IMPORT_ENTRY_SIZE) {
    const name = view.getUint32(at + 12, true);
    if (name === 0) return libraries;
    libraries.push(textAt(file, offsetOf(name, sections)));
  }
}

function offsetOf(address: number, sections: readonly Section[]): number {
  const home = sections.find(
    (section) => address >= section.address && address < section.address + section.size,
  );
  if (home === undefined) throw new Error(`no part of the file is loaded at ${address}`);
  return address - home.address + home.fileOffset;
}
