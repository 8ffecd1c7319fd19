/**
 * Does one recorded step on files, and takes one back. Each looks right before its change whether the file still is what
 * the plan saw; what it takes away is moved to the trash.
 */
import { lstat, mkdir, open, readdir, rename, rm, rmdir, unlink } from "node:fs/promises";
import { constants } from "node:fs";
import { basename, dirname } from "node:path";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import { linkOrCopyAsync, placeFileAsync, retriedAsync } from "../../util/place-file.ts";
import { systemCodeOf } from "../../util/system-error.ts";
import type { RecordedOperation } from "./operations.ts";
import { checkedPathAsync, PathFault, type Root } from "./safe-path.ts";

/** Called after each single change of the disk. */
export type OnStep = () => void;

export interface StepScope {
  readonly roots: readonly Root[];
  readonly onStep: OnStep;
}

/** What is at a path: the hash of a file, or a folder. */
export type PathState = string | "folder" | undefined;

const CHANGED = "has changed since sb read it";

/** Throws PathFault, or the system's error. */
export async function doStepAsync(
  operation: RecordedOperation,
  content: Uint8Array | undefined,
  scope: StepScope,
): Promise<void> {
  const path = await checkedPathAsync(scope.roots, operation.path);
  switch (operation.type) {
    case "createFolder":
      await retriedAsync(() => mkdir(path));
      break;
    case "removeFolder":
      await retriedAsync(() => rmdir(path));
      break;
    case "write":
      await writeAsync(path, content ?? new Uint8Array(), operation, scope);
      break;
    case "rename":
      await moveAsync(path, operation.to ?? "", operation.before ?? "folder", scope);
      break;
    case "remove":
      await expectAsync(path, operation.before);
      await discardAsync(path, operation.trash ?? "");
      break;
  }
  scope.onStep();
}

/** Undoes a step that was done, and does nothing for one that was not. Throws PathFault, or the system's error. */
export async function takeBackStepAsync(
  operation: RecordedOperation,
  discarded: string,
  scope: StepScope,
): Promise<void> {
  const path = await wayToAsync(scope.roots, operation.path);
  // What was made is gone with the folder around it, or was never made.
  if (path === undefined && (await isNothingLeftAsync(operation, scope))) return;
  if (path === undefined) throw new PathFault("cannot come back, because its folder is gone");
  switch (operation.type) {
    case "createFolder":
      if ((await stateOfAsync(path)) === "folder") await removeIfEmptyAsync(path);
      break;
    case "removeFolder":
      if ((await stateOfAsync(path)) === undefined) await retriedAsync(() => mkdir(path));
      break;
    case "write":
      await takeBackWriteAsync(path, operation, discarded);
      break;
    case "rename": {
      if (await hasNameAsync(path)) break;
      const to = await wayToAsync(scope.roots, operation.to ?? "");
      if (to === undefined || !(await hasNameAsync(to))) throw new PathFault("is gone");
      await moveAsync(to, operation.path, operation.before ?? "folder", scope);
      break;
    }
    case "remove":
      if ((await stateOfAsync(path)) === undefined) await restoreAsync(path, operation);
      break;
  }
  scope.onStep();
}

/** Undefined where a folder on the way does not exist. */
async function wayToAsync(roots: readonly Root[], path: string): Promise<string | undefined> {
  return checkedPathAsync(roots, path).catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  });
}

/** Whether a step whose folder does not exist needs not be taken back. */
async function isNothingLeftAsync(
  { type, to = "", before }: RecordedOperation,
  { roots }: StepScope,
): Promise<boolean> {
  if (type === "rename") {
    const place = await wayToAsync(roots, to);
    return place === undefined || !(await hasNameAsync(place));
  }
  return type === "createFolder" || (type === "write" && before === undefined);
}

/** A folder may have got files of its own, which stay. */
async function removeIfEmptyAsync(path: string): Promise<void> {
  await rmdir(path).catch((error: unknown) => {
    if (systemCodeOf(error) !== "ENOTEMPTY" && systemCodeOf(error) !== "EEXIST") throw error;
  });
}

async function takeBackWriteAsync(
  path: string,
  operation: RecordedOperation,
  discarded: string,
): Promise<void> {
  const { before, after, trash = "" } = operation;
  const present = await stateOfAsync(path);
  if (present === before) return;
  if (present !== after) throw new PathFault(CHANGED);
  if (before === undefined) return discardAsync(path, discarded);
  await expectBodyAsync(trash, before);
  await keepBodyAsync(path, discarded);
  await retriedAsync(() => rename(trash, path));
}

async function restoreAsync(path: string, { before = "", trash = "" }: RecordedOperation): Promise<void> {
  await expectBodyAsync(trash, before);
  await placeFileAsync(trash, path);
}

async function expectBodyAsync(trash: string, hash: string): Promise<void> {
  if ((await stateOfAsync(trash)) !== hash) throw new PathFault("is no longer in the trash as it was");
}

async function writeAsync(
  path: string,
  content: Uint8Array,
  { before, trash = "", staging = "" }: RecordedOperation,
  { roots, onStep }: StepScope,
): Promise<void> {
  const temporary = await checkedPathAsync(roots, staging);
  await expectAsync(path, before);
  const mode = before === undefined ? undefined : (await lstat(path)).mode & 0o7777;
  try {
    await stageAsync(temporary, content, mode);
    onStep();
    if (before === undefined) return await placeFileAsync(temporary, path);
    await keepBodyAsync(path, trash);
    onStep();
    await checkedPathAsync(roots, path);
    await expectAsync(path, before);
    await retriedAsync(() => rename(temporary, path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A file that an interrupted step left there is one of ours, because the name contains the plan's id. */
async function stageAsync(path: string, content: Uint8Array, mode: number | undefined): Promise<void> {
  await rm(path, { force: true });
  await using file = await open(path, "wx");
  await file.writeFile(content);
  if (mode !== undefined) await file.chmod(mode);
  await file.sync();
}

/** Keeps what is about to be replaced: the same file under a second name, or a copy. */
async function keepBodyAsync(path: string, trash: string): Promise<void> {
  await mkdir(dirname(trash), { recursive: true });
  await rm(trash, { force: true });
  await linkOrCopyAsync(path, trash);
}

async function discardAsync(path: string, trash: string): Promise<void> {
  await mkdir(dirname(trash), { recursive: true });
  await rm(trash, { force: true });
  try {
    await retriedAsync(() => rename(path, trash));
  } catch (error) {
    if (systemCodeOf(error) !== "EXDEV") throw error;
    await keepBodyAsync(path, trash);
    await retriedAsync(() => unlink(path));
  }
}

/** `kind` is the hash of the file, or `folder`. */
async function moveAsync(path: string, target: string, kind: string, scope: StepScope): Promise<void> {
  const to = await checkedPathAsync(scope.roots, target);
  await expectAsync(path, kind);
  if ((await stateOfAsync(to)) !== undefined && !(await isSameFileAsync(path, to)))
    throw new PathFault(`cannot become ${basename(to)}, which exists`);
  await retriedAsync(() => rename(path, to));
}

/** Two names of one file differ in case only on a disk that takes them for one. */
async function isSameFileAsync(one: string, other: string): Promise<boolean> {
  if (dirname(one) !== dirname(other) || one.toLowerCase() !== other.toLowerCase()) return false;
  const [left, right] = await Promise.all([lstat(one, { bigint: true }), lstat(other, { bigint: true })]);
  return left.ino === right.ino && left.dev === right.dev;
}

/** Whether a folder lists exactly this name; a disk may take names that differ in case for one. */
async function hasNameAsync(path: string): Promise<boolean> {
  const names: readonly string[] = await readdir(dirname(path)).catch(() => []);
  return names.includes(basename(path));
}

async function expectAsync(path: string, expected: PathState): Promise<void> {
  const present = await stateOfAsync(path);
  if (present === expected) return;
  throw new PathFault(expected === undefined ? "exists by now" : present === undefined ? "is gone" : CHANGED);
}

/** Throws PathFault for what is neither a file nor a folder, or the system's error. */
export async function stateOfAsync(path: string): Promise<PathState> {
  try {
    const facts = await lstat(path);
    if (facts.isDirectory()) return "folder";
    if (!facts.isFile()) throw new PathFault("is not a plain file");
    // A link that takes the file's place in this moment is not followed.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    return gitBlobHash(await file.readFile());
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
