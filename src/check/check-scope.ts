/** Which files a check is about: those that a caller names, else the scripts of the project that are the project's own. */
import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, dirname, join, parse, resolve } from "node:path";
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import type { FileCaller } from "../project/file-roots.ts";
import { findProjectAsync, requireProjectAsync } from "../project/find-rojo-project.ts";
import { projectFolderAsync } from "../project/project-folder.ts";
import { checkSourcesAsync } from "../project/readable-file.ts";
import type { RojoNode } from "../roblox/rojo/node.ts";
import type { RojoTree } from "../roblox/rojo/project.ts";
import { projectTreeAsync } from "../rojo/project-tree.ts";
import { findOwnAsync, isPackageFile, listedNamesAsync } from "../testing/discovery/find-files.ts";
import { pathInside, staysInside } from "../util/path-inside.ts";
import { systemReason } from "../util/system-error.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

export interface ScopeWish {
  /** Files and folders; the whole project without any. */
  readonly paths: readonly string[];
  /** A project file, or its folder. */
  readonly project?: string | undefined;
}

export interface CheckScope {
  /** Where the checker works. */
  readonly folder: string;
  /** Absent where the folder has no Rojo project. */
  readonly tree: RojoTree | undefined;
  /** Absolute, in order. */
  readonly files: readonly string[];
  /** Files that no program could be given by their name: each with the reason, as a sentence. */
  readonly unchecked: readonly string[];
}

const isScript = (path: string): boolean => /\.luau?$/i.test(path) && !/\.d\.luau?$/i.test(path);

const WORK = {
  noun: "scripts",
  hint: "Go to the folder of one project, or name the files to check: `sb check src`.",
};

/** Throws FILE_ERROR for what cannot be read, INVALID_INPUT for what is no script and where there is none. */
export async function checkScopeAsync(
  { paths, project }: ScopeWish,
  caller: FileCaller,
  signal: AbortSignal,
): Promise<CheckScope> {
  const start = project === undefined ? await projectFolderAsync(caller) : undefined;
  const found = start === undefined ? await requireProjectAsync(project) : await findProjectAsync(start);
  // A checker names files by where they really are.
  const folder = await realpath(found === undefined ? (start ?? ".") : dirname(found));
  const file = found === undefined ? undefined : join(folder, basename(found));
  const tree = file === undefined ? undefined : (await projectTreeAsync(file)).tree;
  if (tree !== undefined) await checkSourcesAsync(tree.file, [tree.file, ...tree.folders], caller);
  const named = await Promise.all(paths.map((path) => namedAsync(path, folder, caller, signal)));
  const listed = paths.length > 0 ? named.flat() : await ownAsync(folder, tree, signal);
  const files = [...new Set(listed)].sort();
  const unchecked = files.flatMap((path) => nameFault(path) ?? []);
  const usable = files.filter((path) => nameFault(path) === undefined);
  if (files.length === 0)
    throw invalidInput("There are no scripts to check.", "Name files or folders: `sb check src`.");
  return { folder, tree, files: usable, unchecked };
}

/** A checker reads names as words and prints them on lines. */
function nameFault(path: string): string | undefined {
  if (/[\n\r]/.test(path))
    return `${visibleOnOneLine(path)} was not checked, because its name has a line break.`;
  if (path.includes("\uFFFD"))
    return `${visibleOnOneLine(path)} was not checked, because its name is not UTF-8.`;
  return undefined;
}

/** The scripts of the project, without those of packages and those that git ignores. Without a project, all below the folder. */
async function ownAsync(
  folder: string,
  tree: RojoTree | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (tree === undefined) return scriptsBelowAsync(folder, signal);
  const listed = await listedNamesAsync(folder);
  const isListed = isListedBy(listed);
  return scriptFiles(tree.root).filter((file) => {
    const inside = pathInside(folder, file);
    return !isPackageFile(inside) && (!staysInside(inside) || isListed(inside));
  });
}

/** A file whose name is not UTF-8 cannot be found by the name that git lists, and must not be passed over in silence. */
async function scriptsBelowAsync(folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const found = await findOwnAsync(folder, isScript, { signal, work: WORK });
  const listed = (await listedNamesAsync(folder)) ?? [];
  const unreadable = listed.filter(
    (path) => path.includes("\uFFFD") && isScript(path) && !isPackageFile(path),
  );
  return [...found, ...unreadable].map((path) => join(folder, path));
}

/** What is behind a link is listed with the link. */
function isListedBy(listed: readonly string[] | undefined): (path: string) => boolean {
  if (listed === undefined) return () => true;
  const names = new Set(listed);
  return (path) => path.split("/").some((_, index, parts) => names.has(parts.slice(0, index + 1).join("/")));
}

function scriptFiles(node: RojoNode): readonly string[] {
  const own = node.file !== undefined && isScript(node.file) ? [node.file] : [];
  return [...own, ...node.children.flatMap(scriptFiles)];
}

/** The files that one word of a caller means. An agent's words lead only to files of its folders. */
async function namedAsync(
  path: string,
  folder: string,
  caller: FileCaller,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const whole = caller.fileRoots === undefined ? resolve(path) : resolve(folder, path);
  const real = await realpath(whole).catch(async (error: unknown) => {
    await checkMissingAsync(path, whole, caller);
    throw unreadable(path, error);
  });
  await checkSourcesAsync(path, [real], caller);
  const facts = await lstat(real);
  if (facts.isFile()) {
    if (isScript(real)) return [await inFolderAsync(real)];
    throw invalidInput(
      `${visibleOnOneLine(path)} is not a script.`,
      "Name .luau and .lua files, or folders.",
    );
  }
  if (!facts.isDirectory())
    throw invalidInput(
      `${visibleOnOneLine(path)} is neither a file nor a folder.`,
      "Name scripts or folders.",
    );
  return scriptsBelowAsync(real, signal);
}

/** On systems whose names have no case, the name as the folder has it. */
async function inFolderAsync(file: string): Promise<string> {
  const name = file.slice(dirname(file).length + 1);
  const names = await readdir(dirname(file)).catch((): string[] => []);
  const same =
    names.find((each) => each === name) ?? names.find((each) => each.toLowerCase() === name.toLowerCase());
  return same === undefined ? file : join(dirname(file), same);
}

/** Refuses an agent that names what is not there, unless the folder in which it would be is one that the agent may read. */
async function checkMissingAsync(path: string, whole: string, caller: FileCaller): Promise<void> {
  let known = whole;
  while (!(await isThereAsync(known))) known = dirname(known);
  // A link that leads to nothing does not say where it leads.
  const real = known === whole ? undefined : await realpath(known).catch(() => undefined);
  await checkSourcesAsync(path, [real ?? parse(whole).root], caller);
}

const isThereAsync = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

function unreadable(path: string, error: unknown): StudioBridgeError {
  const message = `Could not read ${visibleOnOneLine(path)}: ${systemReason(error)}.`;
  return new StudioBridgeError("FILE_ERROR", message.replace(/\.\.$/, "."), { data: { path }, cause: error });
}
