/** Checks the folder of `--data` before the process of a headless Studio starts, because that process cannot report its faults. */
import { existsSync } from "node:fs";
import { MEMORY } from "./data-choice.ts";
import { chosenBy } from "./data-fault.ts";
import { openDataFolder } from "./data-folder.ts";
import { checkDataIsFreeAsync } from "./data-lock.ts";

/**
 * Throws FILE_ERROR for a folder that cannot be used. With `isWritten`, the folder may be absent, because the Studio makes
 * it; otherwise it has to exist. `name` says in messages what has chosen the folder, if that is not the flag.
 */
export async function checkDataAsync(data: string, isWritten: boolean, name?: string): Promise<void> {
  if (data === MEMORY) return;
  try {
    if (isWritten) await checkDataIsFreeAsync(data);
    if (!isWritten || existsSync(data)) openDataFolder(data, { isWritten: false });
  } catch (error) {
    throw name === undefined ? error : chosenBy(error, name);
  }
}
