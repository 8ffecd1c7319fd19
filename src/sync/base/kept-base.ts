/**
 * Keeps the base of before a plan beside the plan's record, so that `undo` can bring it back: with the newer one, the next
 * sync would take what was undone for changes of its own.
 */
import { copyFile, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemCodeOf } from "../../util/system-error.ts";
import { baseFile, type SyncState } from "../state-paths.ts";
import type { PlaceIdentity } from "../types.ts";

const SUFFIX = ".base";
const PRIVATE_FOLDER = 0o700;
/** A base may take some MB; older plans are undone without one, as after a first sync. */
const MAX_KEPT = 10;

const keptFile = (state: SyncState, planId: string): string => join(state.plans, `${planId}${SUFFIX}`);

/** To be called before the new base is saved. Throws the system's error. */
export async function keepBaseAsync(state: SyncState, place: PlaceIdentity, planId: string): Promise<void> {
  const base = baseFile(state, place);
  if (base === undefined) return;
  await mkdir(state.plans, { recursive: true, mode: PRIVATE_FOLDER });
  await copyFile(base, keptFile(state, planId)).catch((error: unknown) => {
    if (systemCodeOf(error) !== "ENOENT") throw error;
  });
  const names = (await readdir(state.plans)).filter((name) => name.endsWith(SUFFIX)).sort();
  for (const name of names.slice(0, -MAX_KEPT)) await rm(join(state.plans, name), { force: true });
}

/** Without a kept one there is no base afterwards, and the next sync removes nothing. Throws the system's error. */
export async function restoreBaseAsync(
  state: SyncState,
  place: PlaceIdentity,
  planId: string,
): Promise<void> {
  const base = baseFile(state, place);
  if (base === undefined) return;
  await rename(keptFile(state, planId), base).catch(async (error: unknown) => {
    if (systemCodeOf(error) !== "ENOENT") throw error;
    await rm(base, { force: true });
  });
}
