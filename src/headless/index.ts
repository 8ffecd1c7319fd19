/**
 * Headless Studio for the rest of `sb`, apart from run.ts, which is for the process that is one. Nothing here loads what
 * only some commands need.
 */
import type { CoveredClass } from "./coverage.ts";
import type { OpenedPlace, SavablePlace } from "./files/place-file.ts";

export { readChildOptionsAsync, spawnHeadless } from "./child.ts";
export type { HeadlessChild, HeadlessChildOptions } from "./child.ts";
export type { CoveredClass, CoveredMember } from "./coverage.ts";
export { vmEnvironment } from "./vm-environment.ts";

/** One class, or all of them; undefined where there is no class of that name. */
export async function readCoverageAsync(className?: string): Promise<readonly CoveredClass[] | undefined> {
  return (await import("./coverage.ts")).readCoverageAsync(className);
}

/** Throws INVALID_INPUT for a kind of file that is no place, FILE_ERROR for one that cannot be read as what it is. */
export async function readPlaceAsync(path: string): Promise<OpenedPlace> {
  return (await import("./files/place-file.ts")).readPlaceAsync(path);
}

/** The same, for a place that will be saved. */
export async function readSavablePlaceAsync(path: string): Promise<SavablePlace> {
  return (await import("./files/place-file.ts")).readSavablePlaceAsync(path);
}

/** `place` as the engine gives it. Throws FILE_ERROR; the file is then as it was. */
export async function writePlaceAsync(
  path: string,
  place: Uint8Array,
  kept?: SavablePlace["kept"],
): Promise<void> {
  return (await import("./files/place-file.ts")).writePlaceAsync(path, place, kept);
}

/** Throws INVALID_INPUT for a name that is not of a kind of place file, FILE_ERROR where no file can be written. */
export async function checkSavedFileAsync(path: string): Promise<void> {
  return (await import("./files/place-file.ts")).checkSavedFileAsync(path);
}
