/**
 * The record of a plan in the state folder: which steps it takes on files, and where the files are that they replace.
 * It is written before the first change, so that a plan that was interrupted can be recognized and taken back.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWholeFileAsync } from "../../util/whole-file.ts";
import type { SyncState } from "../state-paths.ts";
import type { PlaceIdentity } from "../types.ts";
import type { RecordedOperation } from "./operations.ts";
import type { Root } from "./safe-path.ts";
import { isOldPlan, isPlanId } from "./trash.ts";

/** `applying` and `undoing` are what a plan says that was interrupted, unless its process still runs. */
type PlanStatus = "applying" | "applied" | "partial" | "undoing" | "undone" | "partly_undone";

export interface PlanRecord {
  readonly version: number;
  readonly planId: string;
  readonly startedAtMs: number;
  readonly projectFile: string;
  readonly place: PlaceIdentity;
  /** For people: which Studio or file the other side was. */
  readonly label: string;
  readonly status: PlanStatus;
  readonly roots: readonly Root[];
  readonly operations: readonly RecordedOperation[];
  /** Why items were not applied, by their ids. */
  readonly failures: Readonly<Record<string, string>>;
  /** What the other side needs to take its part back. */
  readonly studio?: unknown;
  /** The client that made the plan; absent where nothing is told apart by clients. */
  readonly callerId?: string;
  /** Of an undo that has begun: whether the other side was asked, has taken its part back, or keeps it. */
  readonly otherSide?: "asked" | "taken back" | "kept";
  /** The name of the revision on which the sync has ended. */
  readonly revision?: string;
}

const VERSION = 1;
const PRIVATE_FOLDER = 0o700;

export const newRecord = (facts: Omit<PlanRecord, "version" | "failures">): PlanRecord => ({
  version: VERSION,
  failures: {},
  ...facts,
});

const recordFile = (state: Pick<SyncState, "plans">, planId: string): string =>
  join(state.plans, `${planId}.json`);
/** Says that a plan is at work, so that an interrupted one is found among many without reading them all. */
const openMark = (state: SyncState, planId: string): string => join(state.plans, `${planId}.open`);

const isOpen = ({ status }: PlanRecord): boolean => status === "applying" || status === "undoing";

/** Throws the system's error. */
export async function writePlanRecordAsync(state: SyncState, record: PlanRecord): Promise<void> {
  const { planId } = record;
  await mkdir(state.plans, { recursive: true, mode: PRIVATE_FOLDER });
  if (isOpen(record)) await writeFile(openMark(state, planId), "");
  await writeWholeFileAsync(recordFile(state, planId), Buffer.from(`${JSON.stringify(record)}\n`));
  if (!isOpen(record)) await rm(openMark(state, planId), { force: true });
}

/** Newest first. Files that this version cannot read are left out. */
export async function readPlanRecordsAsync(state: SyncState): Promise<readonly PlanRecord[]> {
  return readAllAsync(state, await idsAsync(state, ".json"));
}

/** The plans that are at work or were interrupted. */
export async function readOpenRecordsAsync(state: SyncState): Promise<readonly PlanRecord[]> {
  const records = await readAllAsync(state, await idsAsync(state, ".open"));
  return records.filter(isOpen);
}

/** Undefined where there is none that this version can read. */
export async function readPlanRecordAsync(
  state: Pick<SyncState, "plans">,
  planId: string,
): Promise<PlanRecord | undefined> {
  return isPlanId(planId) ? readRecordAsync(recordFile(state, planId)) : undefined;
}

async function idsAsync({ plans }: SyncState, ending: string): Promise<readonly string[]> {
  const names = await readdir(plans).catch(() => []);
  return names
    .flatMap((name: string) => (name.endsWith(ending) ? name.slice(0, -ending.length) : []))
    .filter(isPlanId);
}

async function readAllAsync(state: SyncState, ids: readonly string[]): Promise<readonly PlanRecord[]> {
  const records = await Promise.all(ids.map((id) => readRecordAsync(recordFile(state, id))));
  return records
    .filter((record) => record !== undefined)
    .sort((left, right) => right.startedAtMs - left.startedAtMs);
}

/** Throws the system's error. */
export async function notePlanRevisionAsync(
  state: SyncState,
  planId: string,
  revision: string,
): Promise<void> {
  const record = await readRecordAsync(recordFile(state, planId));
  if (record !== undefined && record.revision !== revision)
    await writePlanRecordAsync(state, { ...record, revision });
}

export async function forgetPlanRecordAsync(state: SyncState, planId: string): Promise<void> {
  for (const path of [recordFile(state, planId), openMark(state, planId)]) await rm(path, { force: true });
}

/** A plan that only pushed has no trash with which its record could go. One that is at work, or was interrupted, stays. */
export async function pruneOldRecordsAsync(state: SyncState, keep: string, nowMs: number): Promise<void> {
  const open = new Set(await idsAsync(state, ".open"));
  for (const planId of await idsAsync(state, ".json"))
    if (planId !== keep && !open.has(planId) && isOldPlan(planId, nowMs))
      await forgetPlanRecordAsync(state, planId);
}

/** The folder is private, so that a record of this version is one that sb wrote. */
async function readRecordAsync(path: string): Promise<PlanRecord | undefined> {
  try {
    const record: PlanRecord = JSON.parse(await readFile(path, "utf8"));
    return record.version === VERSION ? record : undefined;
  } catch {
    return undefined;
  }
}
