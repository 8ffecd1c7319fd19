/** Keeps what a run writes inside of the project. */
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { unwritableFile } from "../files/unwritable-file.ts";
import { isWithin } from "../util/path-inside.ts";

/** Throws unless the file lies below the project's folder after all symbolic links have been followed. */
export async function checkOwnFileAsync(folder: string, file: string): Promise<void> {
  const own = await realpath(folder);
  for (let path = file; ; path = dirname(path)) {
    const real = await realpath(path).catch(() => undefined);
    if (real !== undefined && isWithin(own, real)) return;
    if (real !== undefined || path === dirname(path)) throw outside(file);
  }
}

export const outside = (file: string): Error =>
  unwritableFile(file, new Error("it would lie outside of the project"));
