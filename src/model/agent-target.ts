/**
 * Where an agent may write a model: a file below its project that is not there yet, or one whose content git has, so that
 * nothing is lost. Everything else is refused before Studio is asked for anything.
 */
import { lstat, readFile, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { FileCaller } from "../project/file-roots.ts";
import { projectFolderAsync } from "../project/project-folder.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { realDisk } from "../roblox/rojo/disk.ts";
import { nameFault } from "../roblox/rojo/names.ts";
import { workTreeOfAsync } from "../roblox/rojo/roots.ts";
import { gitBlobHash } from "../util/git-blob-hash.ts";
import { Git, pathFromTopAsync } from "../util/git.ts";
import { isWithin } from "../util/path-inside.ts";
import { systemReason } from "../util/system-error.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

const GIT_TIMEOUT_MS = 10_000;
const MODEL = /\.rbxmx?$/i;

export interface AgentTarget {
  /** The whole path, without links. */
  readonly path: string;
  /** The file that may be replaced, as it was; absent for a new file. */
  readonly replaced?: Buffer;
}

/** Throws INVALID_INPUT for a name that no project has, FILE_ERROR for a file that is there or a folder that is not. */
export async function agentTargetAsync(
  file: string,
  overwrite: boolean,
  caller: FileCaller,
): Promise<AgentTarget> {
  checkName(file);
  const folder = await realpath(await projectFolderAsync(caller));
  const parent = await realpath(join(folder, dirname(file))).catch((error: unknown) => {
    throw refused(file, `its folder cannot be opened: ${systemReason(error)}`, "Make the folder first.");
  });
  if (!isWithin(folder, parent)) throw refused(file, "a link leads out of the project", OTHER_NAME);
  const path = join(parent, basename(file));
  const present = await lstat(path).catch(() => undefined);
  if (present === undefined) return { path };
  if (!present.isFile()) throw refused(file, "it is not a plain file", OTHER_NAME);
  if (!overwrite) throw refused(file, "it exists already", `${OTHER_NAME} Or replace it with overwrite.`);
  const replaced = await readFile(path);
  const why = await whyUnsavedAsync(path, replaced);
  if (why !== undefined) throw refused(file, `${why}, and replacing it would lose it`, OTHER_NAME);
  return { path, replaced };
}

const OTHER_NAME = "Choose another name.";

const refused = (file: string, reason: string, agentHint: string): StudioBridgeError =>
  new StudioBridgeError("FILE_ERROR", `Cannot export to ${visibleOnOneLine(file)}: ${reason}.`, {
    agentHint,
    data: { path: file },
  });

/** Names are written with slashes, on every system, and no part of them is hidden. */
function checkName(file: string): void {
  const reason = isAbsolute(file) || !MODEL.test(file) ? NO_NAME : partFault(file);
  if (reason === undefined) return;
  throw new StudioBridgeError("INVALID_INPUT", `Cannot export to ${visibleOnOneLine(file)}: ${reason}.`, {
    agentHint: "Give a .rbxm or .rbxmx file with slashes, relative to the project, such as models/tree.rbxm.",
  });
}

const NO_NAME = "it is not the name of a .rbxm or .rbxmx file below the project";

function partFault(file: string): string | undefined {
  for (const part of file.split("/")) {
    const fault = part.startsWith(".") ? "starts with a dot" : nameFault(part);
    if (fault !== undefined) return `"${visibleOnOneLine(part)}" ${fault}`;
  }
  return undefined;
}

/** Undefined where the commit that is checked out has this content at this path. */
async function whyUnsavedAsync(path: string, content: Uint8Array): Promise<string | undefined> {
  const program = Bun.which("git");
  const top = await workTreeOfAsync(dirname(path), realDisk);
  if (program === null || top === undefined) return "git does not track it";
  const git = new Git(program, top, AbortSignal.timeout(GIT_TIMEOUT_MS));
  try {
    const { head, idAlgorithm } = await git.repositoryAsync();
    const committed = head === undefined ? undefined : await git.treeAsync(head);
    const blob = committed?.get(await pathFromTopAsync(top, path));
    if (blob === undefined) return "git has not committed it";
    return blob === gitBlobHash(content, idAlgorithm) ? undefined : "it has changed since it was committed";
  } catch {
    return "git does not answer";
  }
}
