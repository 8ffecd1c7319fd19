/** Where typed lines are kept from one terminal to the next; only its owner may read it. */
import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { stateFolder } from "../util/state-folder.ts";

/** Undefined where there can be none; a terminal works without. */
export function prepareHistoryFile(folder: string = stateFolder()): string | undefined {
  const path = join(folder, "terminal-history");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
    return path;
  } catch {
    return undefined;
  }
}
