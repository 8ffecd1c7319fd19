/**
 * Reads a project and keeps what it saw, so that a plan can be checked against exactly that, and a file that changes
 * afterwards is never overwritten.
 */
import { basename, dirname } from "node:path";
import { type DiskEntry, type ProjectDisk, realDisk } from "../../roblox/rojo/disk.ts";
import type { FileMemory } from "../../roblox/rojo/file-memory.ts";
import { readRojoTreeAsync, type RojoTree } from "../../roblox/rojo/project.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";

export interface ReadProject {
  readonly tree: RojoTree;
  /** The files and folders as they were when they were read. */
  readonly disk: SeenDisk;
}

export interface ReadProjectOptions {
  readonly disk?: ProjectDisk;
  /** Of earlier readings of this project. */
  readonly memory?: FileMemory | undefined;
}

/** Throws FileFault. */
export async function readProjectFilesAsync(
  file: string,
  schema: FileSchema,
  { disk = realDisk, memory }: ReadProjectOptions = {},
): Promise<ReadProject> {
  const seen = new SeenDisk(disk);
  return { tree: await readRojoTreeAsync(file, schema, seen, { memory }), disk: seen };
}

/** A disk that reads each file and each folder once, and then always answers the same. */
export class SeenDisk implements ProjectDisk {
  readonly #disk: ProjectDisk;
  readonly #contents = new Map<string, Uint8Array>();
  readonly #folders = new Map<string, readonly DiskEntry[]>();
  readonly #hashes = new Map<string, string>();

  constructor(disk: ProjectDisk) {
    this.#disk = disk;
  }

  async kindAsync(path: string) {
    if (this.#contents.has(path)) return "file" as const;
    return this.#folders.has(path) ? ("folder" as const) : this.#disk.kindAsync(path);
  }

  async entriesAsync(folder: string): Promise<DiskEntry[]> {
    const entries = this.#folders.get(folder) ?? (await this.#disk.entriesAsync(folder));
    this.#folders.set(folder, entries);
    return [...entries];
  }

  async readAsync(file: string): Promise<Uint8Array> {
    const content = this.#contents.get(file) ?? (await this.#disk.readAsync(file));
    this.#contents.set(file, content);
    return content;
  }

  realPathAsync(path: string): Promise<string> {
    return this.#disk.realPathAsync(path);
  }

  /** Of a file that was read; undefined for any other. */
  hashOf(file: string): string | undefined {
    const content = this.#contents.get(file);
    if (content === undefined) return undefined;
    const hash = this.#hashes.get(file) ?? gitBlobHash(content);
    this.#hashes.set(file, hash);
    return hash;
  }

  /** Whether a folder that was listed has the name. */
  isListed(path: string): boolean {
    return this.#folders.get(dirname(path))?.some(({ name }) => name === basename(path)) === true;
  }
}
