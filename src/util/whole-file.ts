/** Writes a file so that it is whole or untouched, whatever happens on the way. */
import { open, readlink, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { placeFileAsync } from "./place-file.ts";
import { randomHex } from "./random-hex.ts";

/** Throws the system's error. A device or a pipe cannot be replaced and is written as it is. */
export async function writeWholeFileAsync(path: string, content: Uint8Array): Promise<void> {
  const target = await realpath(path).catch(() => linkTargetAsync(path));
  const present = await stat(target).catch(() => undefined);
  if (present !== undefined && !present.isFile()) return writeFile(target, content);
  const staging = `${target}.${randomHex(4)}.tmp`;
  try {
    await using file = await open(staging, "wx");
    if (present !== undefined) await file.chmod(present.mode & 0o777);
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(staging, { force: true });
    throw error;
  }
  await rename(staging, target).catch(async (error: unknown) => {
    await rm(staging, { force: true });
    throw error;
  });
}

/**
 * Writes a file that is not there yet. Throws EEXIST for one that is, also where another program was faster. `mode`: who may
 * read and write it.
 */
export async function writeNewFileAsync(path: string, content: Uint8Array, mode?: number): Promise<void> {
  const staging = `${path}.${randomHex(4)}.tmp`;
  try {
    await writeFile(staging, content, { flag: "wx", flush: true, ...(mode === undefined ? {} : { mode }) });
    await placeFileAsync(staging, path);
  } finally {
    await rm(staging, { force: true });
  }
}

/** A link may lead to a file that does not exist yet, and stays a link. */
async function linkTargetAsync(path: string): Promise<string> {
  return readlink(path).then(
    (target) => resolve(dirname(path), target),
    () => path,
  );
}
