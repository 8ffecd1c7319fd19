/**
 * What the reader of projects asks of a disk. Sync reads a project through a disk of its own, to see what the project would
 * be after changes that are not written yet.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { systemCodeOf } from "../../util/system-error.ts";

export interface ProjectDisk {
  /** Undefined where nothing is. Follows links. */
  readonly kindAsync: (path: string) => Promise<"file" | "folder" | undefined>;
  readonly namesAsync: (folder: string) => Promise<string[]>;
  /** Throws the system's error. */
  readonly readAsync: (file: string) => Promise<Uint8Array>;
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
  namesAsync: (folder) => readdir(folder),
  readAsync: (file) => readFile(file),
};

/** The text of a file of UTF-8; a byte order mark is no part of it. Throws for other bytes. */
export async function readDiskTextAsync(disk: ProjectDisk, file: string): Promise<string> {
  return new TextDecoder("utf-8", { fatal: true }).decode(await disk.readAsync(file));
}
