/** Headless Studio for the rest of `sb`: run one in this process, or as a child process. */
export { readChildOptionsAsync, spawnHeadlessAsync } from "./child.ts";
export type { HeadlessChild, HeadlessChildOptions } from "./child.ts";
export { readCoverageAsync } from "./coverage.ts";
export type { CoveredClass, CoveredMember } from "./coverage.ts";
export { checkSavedFileAsync, readPlaceAsync, writePlaceAsync } from "./files/place-file.ts";
export type { OpenedPlace } from "./files/place-file.ts";
export { EXIT_CODE, runHeadlessStudioAsync } from "./run.ts";
export type { HeadlessOptions } from "./run.ts";
