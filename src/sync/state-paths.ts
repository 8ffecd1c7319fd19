/** Where the state folder keeps what sync knows of one project: bases, plans and locks. Says the paths only. */
import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
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

/** Undefined for a place that cannot be known again, which therefore has no base. */
export function baseFile(state: SyncState, place: PlaceIdentity): string | undefined {
  return place.by === "unknown" ? undefined : join(state.folder, `base-${placeKey(place)}.bin`);
}

export function lockFile(state: SyncState, place: PlaceIdentity): string {
  return join(state.folder, `lock-${placeKey(place)}.json`);
}

const placeKey = (place: PlaceIdentity): string =>
  place.by === "unknown" ? place.by : keyOf(`${place.by}:${place.value}`);

const KEY_LENGTH = 24;
const keyOf = (text: string): string =>
  new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, KEY_LENGTH);
