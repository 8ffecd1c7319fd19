/**
 * The machine's key: 32 random bytes as hex in a private file, made by the first process that needs it. Processes
 * that race for it agree on one; a key that others can read is refused, never repaired.
 */
import type { Stats } from "node:fs";
import { NoHomeFolderError } from "../util/home-folder.ts";
import { stateFile, stateFolder } from "../util/state-folder.ts";
import type { Environment } from "../util/state-folder.ts";
import { systemCodeOf, systemReason } from "../util/system-error.ts";

/** The variable that names a key file to use as it is, e.g. one mounted into a container. */
export const KEY_FILE_VARIABLE = "STUDIO_BRIDGE_KEY_FILE";

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
  return env[KEY_FILE_VARIABLE] ?? stateFile("key", env);
}

/** The machine's key, created when there is none. Throws KeyFileError. */
export async function loadKeyAsync(env: Environment = process.env): Promise<Uint8Array> {
  const path = pathWithHome(env);
  // A key file that the user chose may be in a folder where others can replace it, so only a key in our own folder is
  // read the fast way.
  const folder = env[KEY_FILE_VARIABLE] === undefined ? stateFolder(env) : undefined;
  const existing = await readKeyAsync(path, folder);
  if (existing !== undefined) return existing;
  if (folder === undefined)
    throw new KeyFileError(
      `The key file ${path} does not exist.`,
      `Point ${KEY_FILE_VARIABLE} at a copy of the key of the machine that runs Studio, or unset it.`,
    );
  await makeKeyAsync(path, folder);
  const made = await readKeyAsync(path, folder);
  if (made === undefined) throw unusable(path, "it vanished while being made");
  return made;
}

function pathWithHome(env: Environment): string {
  try {
    return keyFilePath(env);
  } catch (error) {
    if (!(error instanceof NoHomeFolderError)) throw error;
    throw new KeyFileError(
      `There is no place for the pairing key: ${error.message}`,
      "Set HOME, or XDG_STATE_HOME to a folder of your own. With --headless no key is needed.",
      error,
    );
  }
}

async function makeKeyAsync(path: string, folder: string): Promise<void> {
  const { makeKey } = await import("./make-key.ts");
  try {
    makeKey(path);
  } catch (error) {
    throw new KeyFileError(
      `The pairing key cannot be written to ${folder}: ${systemReason(error)}.`,
      "Free some space and make that folder writable, or set XDG_STATE_HOME to a folder of your own.",
      error,
    );
  }
}

async function readKeyAsync(path: string, folder: string | undefined): Promise<Uint8Array | undefined> {
  const giveUpAt = performance.now() + SETTLE_MS;
  for (;;) {
    // Look once more after the time is up, because this process itself may have been held up for so long.
    const isLastLook = performance.now() > giveUpAt;
    const text = await readPrivateTextAsync(path, folder);
    if (text === undefined) return undefined;
    if (KEY_TEXT.test(text)) return Uint8Array.fromHex(text.trim());
    if (isLastLook) throw unusable(path, "it does not hold 64 hex digits");
    await Bun.sleep(5);
  }
}

async function readPrivateTextAsync(path: string, folder: string | undefined): Promise<string | undefined> {
  try {
    const [stats, text] = await readWithStatsAsync(path, folder);
    refuseShared(path, stats);
    return text;
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error instanceof KeyFileError ? error : unusable(path, systemReason(error), error);
  }
}

/**
 * If no other user can replace the file between two steps, it may be opened twice, which is ten times as fast as one
 * descriptor. It is read while the folder is checked, and the text counts only if no other user can write to the folder.
 */
async function readWithStatsAsync(path: string, folder: string | undefined): Promise<[Stats, string]> {
  if (folder !== undefined) {
    const file = Bun.file(path);
    const reading = Promise.all([file.stat(), file.text()]);
    reading.catch(() => undefined);
    if (isOursAlone(await Bun.file(folder).stat())) return reading;
  }
  const { readOpenedAsync } = await import("./read-opened.ts");
  return readOpenedAsync(path);
}

/** True for a folder that only this user and root can change. */
function isOursAlone({ mode, uid }: Stats): boolean {
  if (process.platform === "win32") return true;
  return (mode & 0o022) === 0 && (uid === 0 || uid === process.getuid?.());
}

/** Throws if other users may read the file. Windows has no mode bits; there an access list keeps the profile folder private. */
function refuseShared(path: string, stats: Stats): void {
  if (process.platform === "win32") return;
  if ((stats.mode & 0o077) !== 0)
    throw new KeyFileError(
      `The key file ${path} can be read by other users (mode ${(stats.mode & 0o777).toString(8)}).`,
      `Run \`chmod 600 ${path}\` if you are the only user of this machine; else delete it and run \`sb install-plugin\`.`,
    );
  const user = process.getuid?.();
  if (user !== undefined && user !== 0 && stats.uid !== user)
    throw new KeyFileError(
      `The key file ${path} belongs to another user.`,
      `Delete it, or set XDG_STATE_HOME to a folder of your own.`,
    );
}

function unusable(path: string, reason: string, cause?: unknown): KeyFileError {
  return new KeyFileError(
    `The key file ${path} cannot be used: ${reason}.`,
    `Fix or delete it, or set XDG_STATE_HOME to a folder of your own.`,
    cause,
  );
}
