/** Finds the file of a check behind a path that a program prints, which may be relative, follow links, or be written for Windows. */
import { realpath } from "node:fs/promises";
import { posix, win32 } from "node:path";
import { isWithin, pathInside } from "../../util/path-inside.ts";
import type { NameOf } from "./read-report.ts";

/** `files` are absolute. Their names are relative to `folder`, with slashes, where they are in it. */
export async function knownFilesAsync(
  folder: string,
  files: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Promise<NameOf> {
  const { resolve } = platform === "win32" ? win32 : posix;
  // Windows takes names that differ only in case, and both kinds of slashes, for the same.
  const keyOf = (path: string): string =>
    platform === "win32" ? resolve(folder, path).replaceAll("\\", "/").toLowerCase() : resolve(folder, path);
  const names = new Map<string, string>();
  for (const file of files) {
    const name = shownName(folder, file);
    names.set(keyOf(await realpath(file).catch(() => file)), name);
    names.set(keyOf(file), name);
  }
  return (path) => names.get(keyOf(path));
}

/** The path of a file as findings name it. */
export function shownName(folder: string, file: string): string {
  return isWithin(folder, file) ? pathInside(folder, file) : file.replaceAll("\\", "/");
}
