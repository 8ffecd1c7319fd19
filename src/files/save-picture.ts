/** Chooses the file of a screenshot and writes it; has the errors for when that fails. */
import { access, lstat, mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { StudioBridgeError } from "../protocol/errors.ts";
import { systemReason } from "../util/system-error.ts";
import { writeWholeFileAsync } from "../util/whole-file.ts";

/** Gives the path; without a chosen one the picture goes to the temporary folder. Throws FILE_ERROR. */
export async function savePictureAsync(chosenPath: string | undefined, png: Uint8Array): Promise<string> {
  const path = chosenPath ?? (await temporaryPathAsync(new Date()));
  try {
    await writeWholeFileAsync(path, png);
    return path;
  } catch (error) {
    throw (await existsAsync(dirname(path))) ? cannotWrite(path, error) : noFolder(path);
  }
}

/** `…/studio-bridge/screenshot-2026-02-20-143022.png`; a second one in the same second ends in `-2`. */
async function temporaryPathAsync(now: Date): Promise<string> {
  const two = (part: number) => String(part).padStart(2, "0");
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join("-");
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join("");
  const name = `screenshot-${day}-${time}`;
  const folder = await privateFolderAsync().catch((error: unknown) => {
    throw cannotWrite(join(tmpdir(), `${name}.png`), error);
  });
  let path = join(folder, `${name}.png`);
  for (let count = 2; await existsAsync(path); count += 1) path = join(folder, `${name}-${count}.png`);
  return path;
}

/** The usual folder, unless it belongs to another user: on some systems all users share the same temporary folder. */
async function privateFolderAsync(): Promise<string> {
  const usual = join(tmpdir(), "studio-bridge");
  await mkdir(usual, { mode: 0o700 }).catch(() => {});
  const facts = await lstat(usual).catch(() => undefined);
  const isOwn = process.platform === "win32" || facts?.uid === process.getuid?.();
  const isPrivate = process.platform === "win32" || ((facts?.mode ?? 0) & 0o077) === 0;
  return facts?.isDirectory() === true && isOwn && isPrivate ? usual : mkdtemp(`${usual}-`);
}

function existsAsync(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function noFolder(path: string): StudioBridgeError {
  return new StudioBridgeError("FILE_ERROR", `Cannot write screenshot to ${path}: no such folder`, {
    hint: `Make the folder ${dirname(path)} first.`,
    data: { path },
  });
}

function cannotWrite(path: string, error: unknown): StudioBridgeError {
  return new StudioBridgeError("FILE_ERROR", `Cannot write screenshot to ${path}: ${systemReason(error)}`, {
    data: { path },
    cause: error,
  });
}
