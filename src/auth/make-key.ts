/**
 * Makes the machine's key where there is none: private, whole, and the same for processes that race for it. Apart from
 * `key-file.ts`, because it happens once on a machine.
 */
import * as fs from "node:fs";
import { dirname } from "node:path";
import { randomHex } from "../util/random-hex.ts";
import { systemCodeOf } from "../util/system-error.ts";

const KEY_BYTES = 32;

/** Makes the key unless another process has just made it. Throws the system's error. */
export function makeKey(path: string): void {
  const folder = dirname(path);
  const draft = `${path}.${process.pid}.${randomHex(4)}`;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (process.platform !== "win32" && (fs.statSync(folder).mode & 0o077) !== 0) fs.chmodSync(folder, 0o700);
    fs.writeFileSync(draft, `${randomHex(KEY_BYTES)}\n`, { mode: 0o600, flag: "wx", flush: true });
    publish(draft, path);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** Gives the finished draft its name unless another process was first; readers never see half a key. */
function publish(draft: string, path: string): void {
  try {
    fs.linkSync(draft, path);
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return;
    copyUnlessPresent(draft, path);
  }
}

/** For file systems without hard links. Deletes a partly written copy. */
function copyUnlessPresent(draft: string, path: string): void {
  let descriptor: number;
  try {
    descriptor = fs.openSync(path, "wx", 0o600);
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return;
    throw error;
  }
  try {
    fs.writeFileSync(descriptor, fs.readFileSync(draft), { flush: true });
  } catch (error) {
    fs.rmSync(path, { force: true });
    throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}
