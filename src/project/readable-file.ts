/** Which files of this machine a command may read: a person's words name any, an agent's only those of its folders. */
import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { StudioBridgeError } from "../protocol/errors.ts";
import { isWithin } from "../util/path-inside.ts";
import type { FileCaller, FileRoots } from "./file-roots.ts";
import { START_FOR_PROJECT, withoutWideAsync } from "./project-folder.ts";

interface FileKind {
  /** As in "no model file". */
  readonly noun: string;
  /** As in "give a .rbxm file". */
  readonly names: string;
  /** Whether a file of this name is of the kind. */
  isOne(path: string): boolean;
}

/**
 * The file to open. A relative name of an agent starts from the first of its folders that has such a file. An agent gets the
 * same error for every file that it may not read, so that it does not learn which files exist. Links are resolved before it is
 * decided.
 */
export async function readableFileAsync(
  path: string,
  kind: FileKind,
  { fileRoots }: FileCaller,
): Promise<string> {
  if (fileRoots === undefined) return path;
  let folders: readonly ReadableFolder[] = [];
  for await (folders of ownThenAllAsync(fileRoots)) {
    const file = kind.isOne(path) ? await fileBelowAsync(path, folders) : undefined;
    if (file !== undefined) return file;
  }
  throw new StudioBridgeError("FILE_ERROR", `There is no ${kind.noun} ${path} that this server may read.`, {
    agentHint: hintOf(`Give ${kind.names}`, folders),
    data: { path },
  });
}

/** Refuses a project that names files or folders outside of those that an agent may read. */
export async function checkSourcesAsync(
  path: string,
  sources: readonly string[],
  { fileRoots }: FileCaller,
): Promise<void> {
  if (fileRoots === undefined) return;
  const real = await Promise.all(sources.map((source) => realpath(source).catch(() => source)));
  if (await areWithinAsync(real, fileRoots)) return;
  throw new StudioBridgeError("FILE_ERROR", `${path} names files that this server may not read.`, {
    agentHint: hintOf(
      "Name only files",
      await readableAsync([fileRoots.own, ...(await fileRoots.othersAsync())]),
    ),
    data: { path },
  });
}

interface ReadableFolder {
  readonly path: string;
  /** Without links. */
  readonly real: string;
}

/** First the folder of the server alone, because asking the client takes a moment. */
async function* ownThenAllAsync({ own, othersAsync }: FileRoots): AsyncGenerator<readonly ReadableFolder[]> {
  const folders = await readableAsync([own]);
  yield folders;
  yield [...folders, ...(await readableAsync(await othersAsync()))];
}

async function areWithinAsync(files: readonly string[], fileRoots: FileRoots): Promise<boolean> {
  for await (const folders of ownThenAllAsync(fileRoots))
    if (files.every((file) => folders.some((folder) => isWithin(folder.real, file)))) return true;
  return false;
}

async function readableAsync(paths: readonly string[]): Promise<readonly ReadableFolder[]> {
  const found = (await withoutWideAsync(paths)).map((path) =>
    realpath(path).then(
      (real): ReadableFolder[] => [{ path, real }],
      () => [],
    ),
  );
  return (await Promise.all(found)).flat();
}

/** The real path of a file that lies in one of the folders. */
async function fileBelowAsync(path: string, folders: readonly ReadableFolder[]): Promise<string | undefined> {
  for (const start of folders) {
    const file = await realFileAsync(resolve(start.path, path));
    if (file !== undefined && folders.some((folder) => isWithin(folder.real, file))) return file;
  }
  return undefined;
}

function hintOf(what: string, folders: readonly ReadableFolder[]): string {
  if (folders.length === 0) return `This server has no project. ${START_FOR_PROJECT}`;
  const [own, ...others] = folders.map(({ path }) => path);
  const shared = others.length === 0 ? "a folder that the client shares" : others.join(" or ");
  return `${what} below ${own}, or below ${shared}.`;
}

/** Whether the client may work with a file whose name it has not given; a person may with any. */
export async function isReachableAsync(file: string, { fileRoots }: FileCaller): Promise<boolean> {
  if (fileRoots === undefined) return true;
  const real = await realFileAsync(file);
  return real !== undefined && (await areWithinAsync([real], fileRoots));
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
