/** Looks at what `--data` names before a process is started that could not report a fault. */
import { existsSync } from "node:fs";
import { MEMORY } from "./data-choice.ts";
import { openDataFolder } from "./data-folder.ts";
import { checkDataIsFreeAsync } from "./data-lock.ts";

/** Throws FILE_ERROR. A folder that is only read has to exist; any other is made later. */
export async function checkDataAsync(data: string, isWritten: boolean): Promise<void> {
  if (data === MEMORY) return;
  if (isWritten) await checkDataIsFreeAsync(data);
  if (!isWritten || existsSync(data)) openDataFolder(data, { isWritten: false });
}
