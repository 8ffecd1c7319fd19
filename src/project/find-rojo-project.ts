/** Finds the Rojo project that a command of sync works on. */
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { FileCaller } from "./file-roots.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import { DEFAULT_PROJECTS } from "../roblox/rojo/files.ts";
import { systemCodeOf, systemReason } from "../util/system-error.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

const PROJECT_FILE = /\.project\.jsonc?$/i;

/**
 * The absolute path of the project that `given` names, a project file or its folder; without it the default project of
 * the working folder, and never of a folder above. Undefined where a folder has none. Throws FILE_ERROR, INVALID_INPUT.
 */
export async function findProjectAsync(given: string | undefined): Promise<string | undefined> {
  const path = resolve(given ?? ".");
  const facts = await stat(path).catch((error: unknown) => {
    throw unreadable(given ?? path, error);
  });
  if (!facts.isDirectory()) {
    if (PROJECT_FILE.test(path)) return path;
    throw invalidInput(
      `${visibleOnOneLine(given ?? path)} is not a Rojo project.`,
      "Name a file such as default.project.json, or its folder.",
    );
  }
  const names = await readdir(path);
  const name = DEFAULT_PROJECTS.find((each) => names.includes(each));
  return name === undefined ? undefined : join(path, name);
}

/**
 * As `findProjectAsync`. An agent cannot name a project: its own is that of the working folder, else that of the only
 * root of its client that has one. Throws FILE_ERROR also where there is none.
 */
export async function requireProjectAsync(
  given: string | undefined,
  { fileRoots }: FileCaller = {},
): Promise<string> {
  const found = (await findProjectAsync(given)) ?? (await projectOfRootsAsync(fileRoots));
  if (found !== undefined) return found;
  const where = given === undefined ? "This folder" : visibleOnOneLine(given);
  throw new StudioBridgeError("FILE_ERROR", `${where} has no ${DEFAULT_PROJECTS[0]}.`, {
    hint: "Name a project file or its folder. `sb init game` begins one, and `sb sync --from game.rbxl` makes one for a place.",
  });
}

/** Undefined where none of the roots has a project, or several have one. */
async function projectOfRootsAsync(fileRoots: FileCaller["fileRoots"]): Promise<string | undefined> {
  const roots = (await fileRoots?.othersAsync()) ?? [];
  const found = await Promise.all(roots.map((root) => findProjectAsync(root).catch(() => undefined)));
  const [project, second] = found.filter((each) => each !== undefined);
  return second === undefined ? project : undefined;
}

function unreadable(path: string, error: unknown): StudioBridgeError {
  const reason = systemCodeOf(error) === "ENOENT" ? "there is no such file" : systemReason(error);
  return new StudioBridgeError("FILE_ERROR", `Could not read ${visibleOnOneLine(path)}: ${reason}`, {
    data: { path },
    cause: error,
  });
}
