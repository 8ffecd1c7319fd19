/** What the settings of a project say about its sync: `sync` in `sb.config.json`, and where its compiler puts files. */
import { dirname } from "node:path";
import { findProjectFileAsync } from "../project/find-project-file.ts";
import { settingsIn } from "../project/project-settings.ts";
import { compilerFoldersOf } from "../source-maps/compiler-folders.ts";
import { isBelow } from "../util/path-inside.ts";

export interface SyncSettings {
  readonly skips: readonly string[];
  readonly oneWay: readonly string[];
  /** Path of the Instance that the project, a library, becomes in an open Studio. */
  readonly into?: string | undefined;
}

/** Throws INVALID_INPUT for a file that cannot be read. */
export async function syncSettingsAsync(projectFile: string): Promise<SyncSettings> {
  const folder = dirname(projectFile);
  const found = await findProjectFileAsync(folder);
  const { skip = [], oneWay = compiledFolders(folder), into } = (found && settingsIn(found).sync) ?? {};
  return { skips: skip, oneWay, into };
}

/** A compiler that writes beside the sources, or above them, has no folder of its own. */
function compiledFolders(folder: string): readonly string[] {
  const { outDir, rootDirs } = compilerFoldersOf(folder);
  const hasOwn = outDir !== undefined && rootDirs.every((root) => root !== outDir && !isBelow(outDir, root));
  return hasOwn && isBelow(folder, outDir) ? [outDir] : [];
}
