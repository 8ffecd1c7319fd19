/** Where the state folder keeps what sync knows of one project: bases, plans and locks. Says the paths only. */
import { realpath } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { type Environment, stateFile } from "../util/state-folder.ts";
import type { PlaceIdentity } from "./types.ts";

/** One project's folder. A project that moves to another path is another project. */
export interface SyncState {
  /** The project file, with all links followed. */
  readonly projectFile: string;
  readonly folder: string;
  readonly plans: string;
}

export async function syncStateAsync(projectFile: string, env?: Environment): Promise<SyncState> {
  const path = await realpath(projectFile).catch(() => resolve(projectFile));
  const folder = join(stateFile("sync", env), keyOf(path));
  return { projectFile: path, folder, plans: join(folder, "plans") };
}

/** Names the project among those of this machine, and says nothing about where it is. */
export const keyOfState = ({ folder }: SyncState): string => basename(folder);

/** Where the state of the project with that key is, if this machine has it. The record of a plan names the project. */
export function plansOfKey(key: string, env?: Environment): Pick<SyncState, "plans"> | undefined {
  return KEY.test(key) ? { plans: join(stateFile("sync", env), key, "plans") } : undefined;
}

/** The newest revision of the project. */
export const newestFile = ({ folder }: SyncState): string => join(folder, "newest.bin");
/** The steps that lead back from it. */
export const stepsFile = ({ folder }: SyncState): string => join(folder, "steps.jsonl");
/** The last revision of each place. */
export const placesFile = ({ folder }: SyncState): string => join(folder, "places.json");
/** The id by which places keep names of this project's revisions apart from those of other folders and machines. */
export const projectIdFile = ({ folder }: SyncState): string => join(folder, "id");
/** What people were told of properties that scripts cannot write. */
export const toldFile = ({ folder }: SyncState): string => join(folder, "told.json");
export const lineLockFile = ({ folder }: SyncState): string => join(folder, "lock-line.json");

/** Studio's numbers of the Instances of a place. */
export function numbersFile(state: SyncState, place: PlaceIdentity): string {
  return join(state.folder, `numbers-${placeKey(place)}.bin`);
}

export function lockFile(state: SyncState, place: PlaceIdentity): string {
  return join(state.folder, `lock-${placeKey(place)}.json`);
}

export const placeKey = (place: PlaceIdentity): string =>
  place.by === "unknown" ? place.by : keyOf(`${place.by}:${place.value}`);

const KEY_LENGTH = 24;
const KEY = /^[0-9a-f]{24}$/;
const keyOf = (text: string): string =>
  new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, KEY_LENGTH);
