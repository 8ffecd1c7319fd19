/** Whether a path lies in a folder, where links lead. It is apart, because a command starts without `node:fs`. */
import { realpathSync } from "node:fs";
import { isWithin } from "./path-inside.ts";

/** As `isWithin`, also where links lead. A path that does not exist counts by its name. */
export function isReallyWithin(folder: string, path: string): boolean {
  if (!isWithin(folder, path)) return false;
  try {
    return isWithin(realpathSync(folder), realpathSync(path));
  } catch {
    return true;
  }
}
