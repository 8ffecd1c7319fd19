/** Which project `sb sync --from PLACE` works on. In a folder without one it offers to write one for the place. */
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { SyncSurface } from "../sync-surface.ts";
import { unwritableFile } from "../../files/unwritable-file.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { loadFileSchemaAsync } from "../../headless/index.ts";
import { cancelled } from "../../protocol/messages.ts";
import { MODEL_FILE } from "../../roblox/model-file.ts";
import { DEFAULT_PROJECTS } from "../../roblox/rojo/files.ts";
import { readPlaceNodesAsync } from "./place-counterpart.ts";
import { type NewProject, projectOfPlace } from "./project-of-place.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { findProjectAsync } from "../../project/find-rojo-project.ts";

const [DEFAULT_PROJECT] = DEFAULT_PROJECTS;

interface Wish {
  readonly project?: string | undefined;
  readonly mode: string;
  readonly check: boolean;
}

export interface ProjectForPlace {
  /** Absolute. */
  readonly file: string;
  /** It was written now, so that what an earlier project of that name had in common with places means nothing. */
  readonly isNew: boolean;
}

/** Throws FILE_ERROR where there is no project and none is to be written. */
export async function projectForPlaceAsync(
  { project, mode, check }: Wish,
  place: string,
  { confirmAsync }: Pick<SyncSurface, "confirmAsync">,
): Promise<ProjectForPlace> {
  const found = await findProjectAsync(project);
  if (found !== undefined) return { file: found, isNew: false };
  const file = join(resolve(project ?? "."), DEFAULT_PROJECT);
  if (mode === "dryrun" || check) throw noProject(file, `Run \`sb sync --from ${place}\` to write one.`);
  const roots = await readPlaceNodesAsync(place);
  const name = basename(place).replace(MODEL_FILE, "");
  const made = projectOfPlace(name, place, roots, await loadFileSchemaAsync());
  if (made === undefined) throw noProject(file, "The place holds no scripts, so write the project by hand.");
  const answer = await confirmAsync?.(question(file, made));
  if (answer === false) throw cancelled("not_started");
  if (answer === undefined) throw noProject(file, "Add --yes to write one for the place.");
  await writeProjectAsync(file, made);
  return { file, isNew: true };
}

const question = (file: string, { folders, scriptCount }: NewProject): string =>
  `Write ${visibleOnOneLine(basename(file))} with ${folders.join(", ")}, and pull ${scriptCount} ${
    scriptCount === 1 ? "script" : "scripts"
  } and what is around them?`;

/** The folders come first, because a project that names a missing folder is refused. Overwrites nothing. */
async function writeProjectAsync(file: string, { folders, text }: NewProject): Promise<void> {
  try {
    for (const folder of folders) await mkdir(join(dirname(file), folder), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
  } catch (cause) {
    throw unwritableFile(file, cause);
  }
}

function noProject(file: string, hint: string): StudioBridgeError {
  const where = visibleOnOneLine(dirname(file));
  return new StudioBridgeError("FILE_ERROR", `${where} has no ${DEFAULT_PROJECT}.`, { hint });
}
