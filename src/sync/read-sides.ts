/** Reads what a plan is made from: the files of a project, the other side, and what both held last. */
import { StudioBridgeError } from "../protocol/errors.ts";
import type { RojoNode } from "../roblox/rojo/node.ts";
import { FileFault } from "../roblox/rojo/project.ts";
import type { FileSchema } from "../roblox/schema.ts";
import { systemCodeOf } from "../util/system-error.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { type Base, loadBaseAsync } from "./base/store.ts";
import { readProjectFilesAsync, type ReadProject } from "./files/read-project.ts";
import type { SyncState } from "./state-paths.ts";
import type { Counterpart, PropertyChoice } from "./types.ts";

export interface Sides {
  readonly project: ReadProject;
  readonly studio: RojoNode;
  readonly base?: Base;
  /** For people. */
  readonly notices: readonly string[];
}

/** Throws FILE_ERROR for a project that cannot be read, and what the counterpart throws. */
export async function readSidesAsync(
  {
    projectFile,
    state,
    schema,
    properties,
  }: {
    readonly projectFile: string;
    readonly state: SyncState;
    readonly schema: FileSchema;
    readonly properties: PropertyChoice | undefined;
  },
  counterpart: Counterpart,
  signal: AbortSignal,
): Promise<Sides> {
  const project = await readProjectAsync(projectFile, schema);
  const { root, problems } = project.tree;
  // Of scripts also what Studio changed takes part, if the caller does not say otherwise.
  const studio = await counterpart.readAsync(root, properties ?? "changed", signal);
  const { base, notice } = await loadBaseAsync(state, counterpart.place, counterpart.generation);
  return {
    project,
    studio,
    ...(base === undefined ? {} : { base }),
    notices: [...problems, ...(notice === undefined ? [] : [notice])],
  };
}

/** Throws FILE_ERROR, which names the file with the fault. */
export async function readProjectAsync(projectFile: string, schema: FileSchema): Promise<ReadProject> {
  try {
    return await readProjectFilesAsync(projectFile, schema);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const { path, reason } = error;
    const hint = systemCodeOf(error.cause) === undefined ? "Correct that in the file." : undefined;
    throw new StudioBridgeError("FILE_ERROR", `Could not read ${visibleOnOneLine(path)}: ${reason}`, {
      data: { path },
      cause: error,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}
