/**
 * The interface of headless Studio for the rest of `sb`. run.ts is not part of it, because only the process of a
 * headless Studio needs that. Code that only some commands need is loaded later.
 */
import type { CoveredClass } from "./window/coverage.ts";
import type { ClassApi } from "../roblox/class-api.ts";
import type { OnRead } from "../roblox/rojo/disk.ts";
import type { FileSchema } from "../roblox/schema.ts";
import type { ChunkHits } from "./vm/line-hits.ts";
import type { CompileFault } from "./vm/source-faults.ts";
import type { KeptPlace } from "./kept-places.ts";
import type { OpenedPlace, PlaceContent, PlaceSources, SavablePlace } from "./bytes/place-file.ts";

export { EarlyChild } from "./process/early-child.ts";
export { readChildOptionsAsync, refuse, spawnHeadless } from "./process/child.ts";
export type { WorldChoice } from "./window/world-choice.ts";
export { type DataChoice, MEMORY } from "./data/data-choice.ts";
export { DEFAULT_SCREEN, type ScreenChoice } from "./window/screen.ts";
export type { HeadlessChild, HeadlessChildOptions } from "./process/child.ts";
export { headlessVariants } from "./variants.ts";
export type { CompileFault } from "./vm/source-faults.ts";
export type { CoveredClass, CoveredMember } from "./window/coverage.ts";
export type { ApiClass, ApiEnum, ApiMember, ClassApi } from "../roblox/class-api.ts";
export { PlaceSaver, type PutAway } from "./process/place-saver.ts";
export { FramePipe } from "./process/frame-pipe.ts";
export type { KeptPlace, OpenedPlace, PlaceContent, PlaceSources };
export type { ScriptsUsed } from "./window/used-scripts.ts";
export type { Fixtures } from "./window/fixtures.ts";
export { vmEnvironment } from "./process/vm-environment.ts";

/** Throws FILE_ERROR for what `--data` names, before a process is started for it. */
export async function checkDataAsync(data: string, isWritten: boolean, name?: string): Promise<void> {
  return (await import("./data/check-data.ts")).checkDataAsync(data, isWritten, name);
}

/** The words of `sb` that could make each of these events fire, by the event as `BasePart.Touched`. */
export async function loadNeverFiresAsync(): Promise<ReadonlyMap<string, readonly string[]>> {
  return (await import("./never-fires.ts")).NEVER_FIRES;
}

/** One class, or all of them; undefined where there is no class of that name. */
export async function readCoverageAsync(className?: string): Promise<readonly CoveredClass[] | undefined> {
  return (await import("./window/coverage.ts")).readCoverageAsync(className);
}

/**
 * On which lines of Luau sources statements begin, and which functions there are. Nothing runs. Undefined for a source that
 * does not compile.
 */
export async function readLinesAsync(
  sources: readonly Uint8Array[],
): Promise<readonly (ChunkHits | undefined)[]> {
  return (await import("./vm/source-lines.ts")).readLinesAsync(sources);
}

/** What the class data says of classes and enums. */
export async function loadClassApiAsync(): Promise<ClassApi> {
  const [{ ClassApi }, { loadClassText, loadSignatureText }] = await Promise.all([
    import("../roblox/class-api.ts"),
    import("./assets.ts"),
  ]);
  return new ClassApi(loadClassText(), loadSignatureText());
}

/** Roblox's API as a type checker reads it: definitions in Luau. */
export async function loadDefinitionsAsync(): Promise<string> {
  return (await import("./assets.ts")).loadDefinitionText();
}

/** What the compiler does not take of each source; undefined for one that compiles. Nothing runs. */
export async function readCompileFaultsAsync(
  sources: readonly Uint8Array[],
): Promise<readonly (CompileFault | undefined)[]> {
  return (await import("./vm/source-faults.ts")).readCompileFaultsAsync(sources);
}

/** What the class data says of classes in files. */
export async function loadFileSchemaAsync(): Promise<FileSchema> {
  return (await import("./file-schema.ts")).loadFileSchema();
}

/**
 * `onRead` hears of each file that the place is made of. Throws INVALID_INPUT for a kind of file that is no place,
 * FILE_ERROR for one that cannot be read as what it is.
 */
export async function readPlaceAsync(path: string, onRead?: OnRead): Promise<OpenedPlace> {
  return (await import("./bytes/place-file.ts")).readPlaceAsync(path, onRead);
}

/** The same place as files hold it. */
export async function readPlaceContentAsync(path: string): Promise<PlaceContent> {
  return (await import("./bytes/place-file.ts")).readPlaceContentAsync(path);
}

/** As readPlaceAsync, for a place that will be saved. */
export async function readSavablePlaceAsync(path: string): Promise<SavablePlace> {
  return (await import("./bytes/place-file.ts")).readSavablePlaceAsync(path);
}

/** Places that headless Studios held at their end and had not saved, the newest first. */
export async function listKeptPlacesAsync(): Promise<readonly KeptPlace[]> {
  return (await import("./kept-places.ts")).listKeptPlacesAsync();
}

/** Throws INVALID_INPUT for a name that no place was kept under. */
export async function findKeptPlaceAsync(name: string): Promise<KeptPlace> {
  return (await import("./kept-places.ts")).findKeptPlaceAsync(name);
}

/** The bytes of a binary model. Throws ModelFault, and Error for what is damaged. */
export async function readModelBytesAsync(path: string): Promise<Uint8Array> {
  return (await import("./bytes/model-file.ts")).readModelBytesAsync(path);
}

/** The bytes of a binary model as the format that the file's name says. Throws Error for bytes that are no model. */
export async function modelFileOfAsync(bytes: Uint8Array, path: string): Promise<Uint8Array> {
  return (await import("./bytes/model-file.ts")).modelFileOf(bytes, path);
}

/** Throws INVALID_INPUT for a name that is not of a kind of place file, FILE_ERROR where no file can be written. */
export async function checkSavedFileAsync(path: string): Promise<void> {
  return (await import("./bytes/place-file.ts")).checkSavedFileAsync(path);
}
