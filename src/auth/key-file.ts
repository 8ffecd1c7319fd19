/**
 * The machine's key: 32 random bytes as hex in a private file, made by the first process that needs it. Processes
 * that race for it agree on one; a key that others can read is refused, never repaired.
 */
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { randomHex } from "../util/random-hex.ts";
import { stateFolder } from "../util/state-folder.ts";
import type { Environment } from "../util/state-folder.ts";
import { systemCodeOf, systemReason } from "../util/system-error.ts";

/** The variable that names a key file to use as it is, e.g. one mounted into a container. */
export const KEY_FILE_VARIABLE = "STUDIO_BRIDGE_KEY_FILE";

const KEY_BYTES = 32;
const KEY_TEXT = /^[0-9a-f]{64}\n?$/;
/** How long a half-written key of another process is waited for. */
const SETTLE_MS = 500;

/** `message` names the file, `hint` the next step. */
export class KeyFileError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.name = "KeyFileError";
    this.hint = hint;
  }
}

export function keyFilePath(env: Environment = process.env): string {
  return env[KEY_FILE_VARIABLE] ?? join(stateFolder(env), "key");
}

/** The machine's key, created when there is none. Throws KeyFileError. */
export async function loadKeyAsync(env: Environment = process.env): Promise<Uint8Array> {
  const path = keyFilePath(env);
  const existing = await readKeyAsync(path);
  if (existing !== undefined) return existing;
  if (env[KEY_FILE_VARIABLE] !== undefined)
    throw new KeyFileError(
      `The key file ${path} does not exist.`,
      `Point ${KEY_FILE_VARIABLE} at a copy of the key of the machine that runs Studio, or unset it.`,
    );
  createKey(path);
  const made = await readKeyAsync(path);
  if (made === undefined) throw unusable(path, "it vanished while being made");
  return made;
}

async function readKeyAsync(path: string): Promise<Uint8Array | undefined> {
  const giveUpAt = performance.now() + SETTLE_MS;
  for (;;) {
    const text = readPrivateText(path);
    if (text === undefined) return undefined;
    if (KEY_TEXT.test(text)) return Uint8Array.fromHex(text.trim());
    if (performance.now() > giveUpAt) throw unusable(path, "it does not hold 64 hex digits");
    await Bun.sleep(5);
  }
}

function readPrivateText(path: string): string | undefined {
  let file: number;
  try {
    file = fs.openSync(path, "r");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw unusable(path, systemReason(error), error);
  }
  try {
    refuseShared(path, fs.fstatSync(file));
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw error instanceof KeyFileError ? error : unusable(path, systemReason(error), error);
  } finally {
    fs.closeSync(file);
  }
}

/** Windows has no such bits: there the profile folder is private by its access list. */
function refuseShared(path: string, stats: fs.Stats): void {
  if (process.platform === "win32") return;
  if ((stats.mode & 0o077) !== 0)
    throw new KeyFileError(
      `The key file ${path} can be read by other users (mode ${(stats.mode & 0o777).toString(8)}).`,
      `Run \`chmod 600 ${path}\` if nobody else uses this machine; else delete it and run \`sb install-plugin\`.`,
    );
  const user = process.getuid?.();
  if (user !== undefined && user !== 0 && stats.uid !== user)
    throw new KeyFileError(
      `The key file ${path} belongs to another user.`,
      `Delete it, or set XDG_STATE_HOME to a folder of your own.`,
    );
}

function createKey(path: string): void {
  const folder = dirname(path);
  const draft = `${path}.${process.pid}.${randomHex(4)}`;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (process.platform !== "win32" && (fs.statSync(folder).mode & 0o077) !== 0) fs.chmodSync(folder, 0o700);
    fs.writeFileSync(draft, `${randomHex(KEY_BYTES)}\n`, { mode: 0o600, flag: "wx", flush: true });
    publish(draft, path);
  } catch (error) {
    throw new KeyFileError(
      `The pairing key cannot be written to ${folder}: ${systemReason(error)}.`,
      "Make that folder writable, or set XDG_STATE_HOME to a folder of your own.",
      error,
    );
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

/** For file systems without hard links. */
function copyUnlessPresent(draft: string, path: string): void {
  try {
    fs.writeFileSync(path, fs.readFileSync(draft), { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
  }
}

function unusable(path: string, reason: string, cause?: unknown): KeyFileError {
  return new KeyFileError(
    `The key file ${path} cannot be used: ${reason}.`,
    `Mend or delete it, or set XDG_STATE_HOME to a folder of your own.`,
    cause,
  );
}
