/** Reads a project and remembers which bytes it saw, so that a file that changes afterwards is never overwritten. */
import { dirname } from "node:path";
import { type DiskEntry, type ProjectDisk, realDisk } from "../../roblox/rojo/disk.ts";
import { readRojoTreeAsync, type RojoTree } from "../../roblox/rojo/project.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";

export interface ReadProject {
  readonly tree: RojoTree;
  /** The hash of each file that was read, by its absolute path. */
  readonly hashes: ReadonlyMap<string, string>;
  /** The names in each folder that was listed. */
  readonly folders: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Throws FileFault. */
export async function readProjectFilesAsync(
  file: string,
  schema: FileSchema,
  disk: ProjectDisk = realDisk,
): Promise<ReadProject> {
  const hashes = new Map<string, string>();
  const folders = new Map<string, ReadonlySet<string>>();
  const tree = await readRojoTreeAsync(file, schema, {
    kindAsync: (path) => disk.kindAsync(path),
    realPathAsync: (path) => disk.realPathAsync(path),
    entriesAsync: async (folder): Promise<DiskEntry[]> => {
      const entries = await disk.entriesAsync(folder);
      folders.set(folder, new Set(entries.map(({ name }) => name)));
      return entries;
    },
    readAsync: async (path) => {
      const content = await disk.readAsync(path);
      hashes.set(path, gitBlobHash(content));
      return content;
    },
  });
  return { tree, hashes, folders };
}

export function isListed({ folders }: ReadProject, path: string): boolean {
  const folder = dirname(path);
  return folders.get(folder)?.has(path.slice(folder.length).replace(/^[/\\]/, "")) === true;
}
