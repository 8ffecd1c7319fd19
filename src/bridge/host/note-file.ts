/** Small files of JSON in the state folder, of which the loss is no failure. */
import * as fs from "node:fs";
import { dirname } from "node:path";
import { log } from "../../log.ts";
import { systemReason } from "../../util/system-error.ts";

/** Replaces a note, which others find whole or as it was. */
export function writeNote(path: string, note: object): void {
  const draft = `${path}.${process.pid}`;
  try {
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    fs.writeFileSync(draft, `${JSON.stringify(note)}\n`, { mode: 0o600 });
    fs.renameSync(draft, path);
  } catch (error) {
    // The lack of a note is no failure: an error message names no pid, a command misses a Studio that is about to come
    // back, or Studio's own settings alone say what is allowed.
    log.debug(`${path} could not be written: ${systemReason(error)}`);
    fs.rmSync(draft, { force: true });
  }
}

/** Undefined where there is none that can be read. */
export function readNote(path: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
