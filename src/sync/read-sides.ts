/** Reads what a plan is made from: the files of a project, the other side, and what both held last. */
import { StudioBridgeError } from "../protocol/errors.ts";
import type { RojoNode } from "../roblox/rojo/node.ts";
import type { FileMemory } from "../roblox/rojo/file-memory.ts";
import { FileFault } from "../roblox/rojo/project.ts";
import type { FileSchema } from "../roblox/schema.ts";
import { systemCodeOf } from "../util/system-error.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { Lineage } from "./revisions/lineage.ts";
import { giveNumbers, readNumbersAsync, readPlacesAsync } from "./revisions/places.ts";
import { type KeptLine, type LoadedLine, loadLineAsync } from "./revisions/store.ts";
import { realDisk } from "../roblox/rojo/disk.ts";
import { placedProjectAsync } from "./files/project-in-place.ts";
import { readProjectFilesAsync, type ReadProject } from "./files/read-project.ts";
import { memoryOf } from "./reading-memory.ts";
import { placeKey, type SyncState } from "./state-paths.ts";
import type { Counterpart, PropertyChoice } from "./types.ts";

/** A project, and where it is in a place. */
export interface ProjectPlace {
  readonly projectFile: string;
  /** Path of the Instance that a library becomes; undefined for a project that says itself where everything is. */
  readonly into?: string | undefined;
}

export interface Sides {
  readonly project: ReadProject;
  readonly studio: RojoNode;
  /** The revisions of the project, as far as they were read. */
  readonly kept?: KeptLine;
  readonly lineage?: Lineage;
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
    into,
  }: ProjectPlace & {
    readonly state: SyncState;
    readonly schema: FileSchema;
    readonly properties: PropertyChoice | undefined;
  },
  counterpart: Counterpart,
  signal: AbortSignal,
): Promise<Sides> {
  // What a library becomes is not to be seen in its project file.
  if (into === undefined) counterpart.foresee?.(projectFile);
  const project = await readProjectAsync({ projectFile, into }, schema, memoryOf(counterpart).files);
  const { root, problems } = project.tree;
  // Of scripts also what Studio changed takes part, if the caller does not say otherwise.
  const studio = await counterpart.readAsync(root, properties ?? "changed", signal);
  const { notice, ...known } = await readLineageAsync(state, counterpart);
  return { project, studio, ...known, notices: [...problems, ...(notice === undefined ? [] : [notice])] };
}

interface KnownLineage extends LoadedLine {
  readonly lineage?: Lineage;
}

/** The older revisions are read only where the place was not made from the newest one. */
export async function readLineageAsync(state: SyncState, counterpart: Counterpart): Promise<KnownLineage> {
  const { place, generation, names } = counterpart;
  const remembered = names === undefined ? (await readPlacesAsync(state))[placeKey(place)] : undefined;
  const said = names ?? { named: remembered };
  let loaded = await loadLineAsync(state, false);
  if (loaded.kept === undefined) return loaded;
  if (Lineage.needsSteps(loaded.kept.line, said, loaded.kept.isConfirmed))
    loaded = await loadLineAsync(state, true);
  if (loaded.kept === undefined) return loaded;
  const { line, isConfirmed } = loaded.kept;
  const lineage =
    names === undefined ? Lineage.ofFile(line, remembered) : Lineage.of(line, names, isConfirmed);
  if (lineage.base !== undefined) giveNumbers(lineage.base, await readNumbersAsync(state, place, generation));
  return { ...loaded, lineage };
}

/** Throws FILE_ERROR, which names the file with the fault. */
export async function readProjectAsync(
  { projectFile, into }: ProjectPlace,
  schema: FileSchema,
  memory?: FileMemory,
): Promise<ReadProject> {
  try {
    const placed = into === undefined ? undefined : await placedProjectAsync(projectFile, into, schema);
    const { file, disk } = placed ?? { file: projectFile, disk: realDisk };
    return await readProjectFilesAsync(file, schema, { disk, memory });
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
