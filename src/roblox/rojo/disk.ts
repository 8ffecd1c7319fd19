/**
 * What the reader of projects asks of a disk. Sync reads a project through a disk of its own, to see what the project would
 * be after changes that are not written yet.
 */
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { systemCodeOf } from "../../util/system-error.ts";

export type DiskKind = "file" | "folder";

export interface DiskEntry {
  readonly name: string;
  /** `link`: a link, or something else whose kind a look at the folder does not tell. */
  readonly kind: DiskKind | "link";
}

export interface ProjectDisk {
  /** Undefined where nothing is. Follows links. */
  readonly kindAsync: (path: string) => Promise<DiskKind | undefined>;
  readonly entriesAsync: (folder: string) => Promise<DiskEntry[]>;
  /** Throws the system's error. */
  readonly readAsync: (file: string) => Promise<Uint8Array>;
  /** The path without links. Throws the system's error. */
  readonly realPathAsync: (path: string) => Promise<string>;
}

export const realDisk: ProjectDisk = {
  kindAsync: async (path) => {
    const facts = await stat(path).catch((error: unknown) => {
      if (systemCodeOf(error) === "ENOENT") return undefined;
      throw error;
    });
    if (facts === undefined) return undefined;
    return facts.isDirectory() ? "folder" : "file";
  },
  entriesAsync: async (folder) => {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.map((entry): DiskEntry => {
      const { name } = entry;
      if (entry.isDirectory()) return { name, kind: "folder" };
      return { name, kind: entry.isFile() ? "file" : "link" };
    });
  },
  readAsync: (file) => readFile(file),
  realPathAsync: (path) => realpath(path),
};

/** The text of a file of UTF-8; a byte order mark is no part of it. Throws for other bytes. */
export async function readDiskTextAsync(disk: ProjectDisk, file: string): Promise<string> {
  return new TextDecoder("utf-8", { fatal: true }).decode(await disk.readAsync(file));
}
