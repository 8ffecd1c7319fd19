/** One process at a time writes a folder of data: the file `lock` in it names that process. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isProcessAlive } from "../../util/process-alive.ts";
import { randomHex } from "../../util/random-hex.ts";
import { systemCodeOf, systemReason } from "../../util/system-error.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";

const ATTEMPTS = 10;

/** Makes the folder where it does not exist. Throws an error for people where it cannot be used. */
export function lockDataFolder(folder: string): Disposable {
  const path = join(folder, "lock");
  const text = `${process.pid}\n`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (created(path, text)) return { [Symbol.dispose]: () => release(path, text) };
      const owner = readOr(path, "");
      if (owner !== "" && isProcessAlive(Number(owner))) throw inUse(folder, owner.trim());
      takeAway(path, owner, folder);
    }
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    throw new Error(`--data: cannot use ${visibleOnOneLine(folder)}: ${systemReason(error)}.`);
  }
  throw inUse(folder, "?");
}

function created(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes the lock of a process that has ended. Another process may have replaced it since it was read, so it is moved away
 * first, and put back if it is not the one that was read.
 */
function takeAway(path: string, dead: string, folder: string): void {
  const aside = `${path}.${randomHex(4)}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return;
    throw error;
  }
  const found = readOr(aside, dead);
  if (found !== dead) {
    renameSync(aside, path);
    throw inUse(folder, found.trim());
  }
  rmSync(aside, { force: true });
}

function release(path: string, text: string): void {
  if (readOr(path, "") === text) rmSync(path, { force: true });
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return otherwise;
  }
}

function inUse(folder: string, pid: string): Error {
  return new Error(
    `--data: the headless Studio of process ${pid} uses ${visibleOnOneLine(folder)}; end it first.`,
  );
}
