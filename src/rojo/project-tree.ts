/** Reads the project of a command, once or at every change of its files. */
import { dirname } from "node:path";
import { loadFileSchemaAsync } from "../headless/index.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { RunSurface } from "../output/run-surface.ts";
import { realDisk } from "../roblox/rojo/disk.ts";
import { FileFault, readRojoTreeAsync, type RojoTree } from "../roblox/rojo/project.ts";
import type { FileSchema } from "../roblox/schema.ts";
import { systemCodeOf } from "../util/system-error.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

export interface ProjectTree {
  readonly tree: RojoTree;
  readonly schema: FileSchema;
}

/** `keepsModels` as readRojoTreeAsync has it. Throws FILE_ERROR that names the file with the fault. */
export async function projectTreeAsync(file: string, keepsModels = false): Promise<ProjectTree> {
  const schema = await loadFileSchemaAsync();
  try {
    return { tree: await readRojoTreeAsync(file, schema, realDisk, { keepsModels }), schema };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const { path, reason } = error;
    throw new StudioBridgeError(
      "FILE_ERROR",
      `Could not read project: ${visibleOnOneLine(path)}: ${reason}`,
      {
        data: { path },
        cause: error,
        ...(systemCodeOf(error.cause) === undefined ? { hint: "Correct that in the file it names." } : {}),
      },
    );
  }
}

/** Says what was left out of a project, as warnings. */
export function warnOf({ problems }: RojoTree, { emit }: Pick<RunSurface, "emit">): void {
  for (const problem of problems)
    emit({ stream: "stderr", text: (style) => `${style.yellow("warning:")} ${style.body(problem)}` });
}

/** What a text editor leaves beside a file while it is being saved. */
const TEMPORARY = /^\.|~$|\.(tmp|swp|swx|bak)$/i;

/**
 * Does `workAsync` now and after every change of the project's files, until the signal fires. It gives the tree that it
 * read; a fault in a file is shown, and the next change may bring better. `written` is the file that the work writes.
 */
export async function atEveryChangeAsync(
  file: string,
  written: string | undefined,
  surface: Pick<RunSurface, "emit" | "signal">,
  workAsync: () => Promise<RojoTree>,
): Promise<void> {
  const { FileChanges } = await import("../util/file-changes.ts");
  const { emit, signal } = surface;
  const say = (text: string) => emit({ stream: "stderr", text: (style) => style.dim(text) });
  let folders: readonly string[] = [dirname(file)];
  for (let isFirst = true; ; isFirst = false) {
    using changes = new FileChanges([], () => false);
    const counts = (folder: string) => (name: string) =>
      !TEMPORARY.test(name) && `${folder}/${name}`.replaceAll("\\", "/") !== written?.replaceAll("\\", "/");
    const watch = (all: readonly string[]) => {
      for (const folder of all) {
        try {
          changes.watchFolder(folder, counts(folder));
        } catch (error) {
          // A folder that is gone meanwhile comes back as a change of the one around it.
          if (systemCodeOf(error) === undefined) throw error;
        }
      }
    };
    watch(folders);
    try {
      ({ folders } = await workAsync());
      watch(folders);
    } catch (error) {
      if (!(error instanceof StudioBridgeError) || error.code !== "FILE_ERROR") throw error;
      emit({ stream: "stderr", text: (style) => `${style.red("error:")} ${style.body(error.message)}` });
    }
    if (isFirst) say("Watching for changes; Ctrl+C ends.");
    if ((await changes.nextAsync(signal)) === undefined) return;
  }
}
