/** Which files of this machine a command may read: a person's words name any, an agent's only those of its folders. */
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { CommandContext, FileRoots } from "./context.ts";

interface FileKind {
  /** As in "no model file". */
  readonly noun: string;
  /** As in "give a .rbxm file". */
  readonly names: string;
  /** Whether a file of this name is of the kind. */
  isOne(path: string): boolean;
}

/**
 * The file to open. An agent gets the same error for every file that it may not read, so that it does not learn which
 * files exist. Links are resolved before it is decided.
 */
export async function readableFileAsync(
  path: string,
  kind: FileKind,
  { fileRoots }: Pick<CommandContext, "fileRoots">,
): Promise<string> {
  if (fileRoots === undefined) return path;
  const file = kind.isOne(path) ? await realFileAsync(resolve(fileRoots.own, path)) : undefined;
  if (file !== undefined && (await isWithinAsync(file, fileRoots))) return file;
  throw new StudioBridgeError("FILE_ERROR", `There is no ${kind.noun} ${path} that this server may read.`, {
    hint: `Give ${kind.names} below ${fileRoots.own}, where the server was started, or below a folder that the client shares.`,
    data: { path },
  });
}

/** Refuses a project that names files or folders outside of those that an agent may read. */
export async function checkSourcesAsync(
  path: string,
  sources: readonly string[],
  { fileRoots }: Pick<CommandContext, "fileRoots">,
): Promise<void> {
  if (fileRoots === undefined) return;
  for (const source of sources) {
    const real = await realpath(source).catch(() => source);
    if (await isWithinAsync(real, fileRoots)) continue;
    throw new StudioBridgeError("FILE_ERROR", `${path} names files that this server may not read.`, {
      hint: `Name only files below ${fileRoots.own}, where the server was started, or below a folder that the client shares.`,
      data: { path },
    });
  }
}

/** Without links; undefined for what is no file. */
async function realFileAsync(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}

async function isWithinAsync(file: string, { own, othersAsync }: FileRoots): Promise<boolean> {
  if (await isBelowAsync(file, own)) return true;
  for (const root of await othersAsync()) if (await isBelowAsync(file, root)) return true;
  return false;
}

async function isBelowAsync(file: string, folder: string): Promise<boolean> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return false;
  const way = relative(real, file);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
