/**
 * What the reader of projects asks of a disk. Sync reads a project through a disk of its own, to see what the project would
 * be after changes that are not written yet.
 */
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";

export type DiskKind = "file" | "folder";

export interface DiskEntry {
  readonly name: string;
  /** `link`: a link, or something else whose kind a look at the folder does not tell. */
  readonly kind: DiskKind | "link";
}

export interface ProjectDisk {
  /** Undefined where nothing is, and for what is neither, such as a pipe. Follows links. */
  readonly kindAsync: (path: string) => Promise<DiskKind | undefined>;
  readonly entriesAsync: (folder: string) => Promise<DiskEntry[]>;
  /** Throws the system's error. */
  readonly readAsync: (file: string) => Promise<Uint8Array>;
  /** The path without links. Throws the system's error. */
  readonly realPathAsync: (path: string) => Promise<string>;
}

/** How long other work of the process waits for the reading of files, such as what Studio has answered meanwhile. */
const TURN_MS = 20;
let turnAtMs = 0;

/** Lets timers and input have their turn, because the disk itself waits for each answer. */
async function takeTurnsAsync(): Promise<void> {
  if (performance.now() - turnAtMs < TURN_MS) return;
  await new Promise((resolve) => setImmediate(resolve));
  turnAtMs = performance.now();
}

/**
 * It waits for each answer, because thousands of small files take several times as long when each is asked for through
 * the system's threads.
 */
export const realDisk: ProjectDisk = {
  kindAsync: async (path) => {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts?.isDirectory() === true) return "folder";
    // Reading a pipe would wait for its writer.
    return facts?.isFile() === true ? "file" : undefined;
  },
  entriesAsync: async (folder) => {
    await takeTurnsAsync();
    return readdirSync(folder, { withFileTypes: true }).map((entry): DiskEntry => {
      const { name } = entry;
      if (entry.isDirectory()) return { name, kind: "folder" };
      return { name, kind: entry.isFile() ? "file" : "link" };
    });
  },
  readAsync: async (file) => {
    await takeTurnsAsync();
    return readFileSync(file);
  },
  realPathAsync: async (path) => realpathSync(path),
};

/** Hears of a file that was read, with its content. */
export type OnRead = (file: string, content: Uint8Array) => void;

/** The same disk, which tells of each file that is read. */
export function tellingDisk(disk: ProjectDisk, onRead: OnRead): ProjectDisk {
  return {
    ...disk,
    readAsync: async (file) => {
      const content = await disk.readAsync(file);
      onRead(file, content);
      return content;
    },
  };
}

/** The text of a file of UTF-8; a byte order mark is no part of it. Throws an Error for other bytes. */
export async function readDiskTextAsync(disk: ProjectDisk, file: string): Promise<string> {
  return strictText(await disk.readAsync(file));
}

/** As `readDiskTextAsync`, of bytes that were read. */
export function strictText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("it is not UTF-8; save it in that encoding");
  }
}
