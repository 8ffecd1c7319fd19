/** Gives a file a name that must be free, so that it never replaces what another program puts there meanwhile. */
import { constants } from "node:fs";
import { copyFile, link, open, unlink } from "node:fs/promises";
import { systemCodeOf } from "./system-error.ts";

/** Moves a file. Throws EEXIST where there is a file of the new name, or another error of the system. */
export async function placeFileAsync(from: string, to: string): Promise<void> {
  await linkOrCopyAsync(from, to);
  await retriedAsync(() => unlink(from));
}

/** The same file under a second name, or a copy where the system has no second names. Throws as `placeFileAsync` does. */
export async function linkOrCopyAsync(from: string, to: string): Promise<void> {
  try {
    await retriedAsync(() => link(from, to));
  } catch (error) {
    if (!CANNOT_LINK.has(systemCodeOf(error) ?? "")) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
    await using file = await open(to, "r+");
    await file.sync();
  }
}

/** File systems without hard links, another disk, and systems that allow links to owners only. */
const CANNOT_LINK = new Set([
  "EPERM",
  "EACCES",
  "EXDEV",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EINVAL",
  "EISDIR",
]);

const RETRIES_MS = [10, 30, 80, 200, 500];
/** Windows refuses for a moment while a virus scanner or an editor has the file open. */
const SHARING_ERRORS = new Set(["EBUSY", "EPERM", "EACCES"]);

/** Tries again on Windows what a sharing error has ended. */
export async function retriedAsync<Result>(act: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of process.platform === "win32" ? RETRIES_MS : []) {
    try {
      return await act();
    } catch (error) {
      if (!SHARING_ERRORS.has(systemCodeOf(error) ?? "")) throw error;
      await Bun.sleep(pauseMs);
    }
  }
  return act();
}
