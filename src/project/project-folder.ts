/**
 * The folder of the project that a command works on. A root of a disk and a home folder hold everything that a person has,
 * so that they are projects only where a project file lies in them.
 */
import { readdir, realpath } from "node:fs/promises";
import { dirname, posix, win32 } from "node:path";
import { StudioBridgeError } from "../protocol/errors.ts";
import { homeFolder } from "../util/home-folder.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import type { FileCaller } from "./file-roots.ts";
import { findProjectFileAsync, PROJECT_FILE } from "./find-project-file.ts";

const ROJO_PROJECT = /\.project\.jsonc?$/i;

/** Disks that are a folder of another: of Windows in its Linux, and on macOS. */
const DRIVE = /^(?:\/mnt\/[a-z]|\/Volumes\/[^/]+)$/i;
/** Home folders of other accounts, and the folders that hold all of them. */
const HOMES = /^(?:\/root|\/home(?:\/[^/]+)?|\/Users(?:\/[^/]+)?|[a-z]:\\Users(?:\\[^\\]+)?)$/i;

export interface MachineFacts {
  readonly platform: NodeJS.Platform;
  /** Without links; undefined for a user without one. */
  readonly home: string | undefined;
}

/** What a folder without links is, as in "/ is the root of a disk"; undefined for one that may well be a project. */
export function wideFolder(folder: string, { platform, home }: MachineFacts): string | undefined {
  const { dirname, relative, isAbsolute } = platform === "win32" ? win32 : posix;
  if (dirname(folder) === folder || DRIVE.test(folder)) return "the root of a disk";
  if (HOMES.test(folder)) return "a home folder";
  if (home === undefined) return undefined;
  const way = relative(folder, home);
  if (way === "") return "a home folder";
  const isAround = !isAbsolute(way) && way.split(/[\\/]/)[0] !== "..";
  return isAround ? "a folder around your home folder" : undefined;
}

/** Why a folder is too wide for a project, as a sentence; undefined where it is none or a project file lies in it. */
export async function tooWideAsync(folder: string): Promise<string | undefined> {
  const real = await realpath(folder).catch(() => folder);
  const kind = wideFolder(real, { platform: process.platform, home: await homeAsync() });
  if (kind === undefined || (await hasProjectFileAsync(real))) return undefined;
  return `${visibleOnOneLine(folder)} is not a project: it is ${kind} without a project file.`;
}

async function homeAsync(): Promise<string | undefined> {
  try {
    const home = homeFolder();
    return await realpath(home).catch(() => home);
  } catch {
    return undefined;
  }
}

async function hasProjectFileAsync(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.some((name) => name === PROJECT_FILE || ROJO_PROJECT.test(name));
}

/** Throws INVALID_INPUT for a folder that is too wide for a project. */
export async function checkProjectFolderAsync(folder: string): Promise<void> {
  const why = await tooWideAsync(folder);
  if (why !== undefined) throw noProject(why);
}

/** The folders that may be projects. */
export async function withoutWideAsync(folders: readonly string[]): Promise<readonly string[]> {
  const reasons = await Promise.all(folders.map(tooWideAsync));
  return folders.filter((_, index) => reasons[index] === undefined);
}

/**
 * The folder from which a command looks for its project: the working folder. That of an agent is the folder of its server
 * if it has a project, else the only folder of its client that has one. Throws INVALID_INPUT where there is none.
 */
export async function projectFolderAsync({ fileRoots }: FileCaller): Promise<string> {
  const own = fileRoots?.own ?? process.cwd();
  if (fileRoots === undefined || (await isProjectAsync(own))) {
    await checkProjectFolderAsync(own);
    return own;
  }
  const folders = await withoutWideAsync([own, ...(await fileRoots.othersAsync())]);
  const kinds = await Promise.all(folders.map(isProjectAsync));
  const projects = folders.filter((_, index) => kinds[index]);
  const [first, ...others] = projects.length > 0 ? projects : folders;
  if (first === undefined) throw noProject((await tooWideAsync(own)) ?? "There is no project.");
  // Without a project, the folder of the server comes first, as for a person.
  if (projects.length === 0 || others.length === 0) return first;
  const names = projects.map(visibleOnOneLine).join(", ");
  throw noProject(`The client shares several projects: ${names}.`);
}

/** True where its own file or one above says that it is a project, and where it is one of Rojo. */
export async function isProjectAsync(folder: string): Promise<boolean> {
  if (await hasProjectFileAsync(folder)) return true;
  const found = await findProjectFileAsync(folder);
  return found !== undefined && dirname(found.file) !== folder;
}

export const START_FOR_PROJECT =
  "Have the user start the server for the project, `sb mcp --project DIR`, or open the project's folder in the client.";

const noProject = (message: string): StudioBridgeError =>
  new StudioBridgeError("INVALID_INPUT", message, {
    hint: `Go to the folder of your project. If this folder is a project, write {} into ${PROJECT_FILE} here.`,
    agentHint: START_FOR_PROJECT,
  });
