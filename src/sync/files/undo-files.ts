/**
 * Takes back what a plan did to files, byte for byte. It looks at the files to find out how far the plan came, so that it
 * also works for a plan that was killed. Items whose files have changed since are refused as a whole.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { systemCodeOf, systemReason } from "../../util/system-error.ts";
import { isLockedAsync } from "../lock.ts";
import type { SyncState } from "../state-paths.ts";
import type { PlaceIdentity } from "../types.ts";
import { type OnStep, type PathState, stateOfAsync, takeBackStepAsync } from "./file-step.ts";
import type { RecordedOperation } from "./operations.ts";
import {
  type PlanRecord,
  readOpenRecordsAsync,
  readPlanRecordsAsync,
  writePlanRecordAsync,
} from "./plan-record.ts";
import { checkedPathAsync, PathFault, type Root } from "./safe-path.ts";
import { openTrashAsync, TrashPlaces } from "./trash.ts";

export interface UndoneFiles {
  /** Why files were left as they are, by their paths. */
  readonly refused: ReadonlyMap<string, string>;
  /** The ids of the items that those files belong to. */
  readonly refusedItems: ReadonlySet<string>;
}

/** Throws PathFault, or the system's error, before anything is changed. */
export async function undoFilesAsync(
  state: SyncState,
  record: PlanRecord,
  onStep: OnStep = () => {},
): Promise<UndoneFiles> {
  if (record.status !== "undoing") await writePlanRecordAsync(state, { ...record, status: "undoing" });
  const { undone } = await takeBackAsync(record, () => Promise.resolve(true), onStep);
  const status = undone.refused.size === 0 ? "undone" : "partly_undone";
  await writePlanRecordAsync(state, { ...record, status });
  return undone;
}

/** Takes back the groups of steps that are wanted. */
async function takeBackAsync(
  record: PlanRecord,
  isWantedAsync: (group: Group) => Promise<boolean>,
  onStep: OnStep,
): Promise<{ readonly undone: UndoneFiles; readonly items: ReadonlySet<string> }> {
  const { roots, operations, planId } = record;
  const [project] = roots;
  if (project === undefined) throw new PathFault("the record of the plan names no folder");
  if (operations.length > 0) await openTrashAsync(project);
  await removeStagingAsync(record);
  const places = new TrashPlaces(project, roots, `${planId}-undo`);
  const groups = groupsOf(operations);
  const wanted = new Set<Group>();
  const refused = new Map<Group, Fault>();
  for (const group of new Set(groups)) {
    if (!(await isWantedAsync(group))) continue;
    wanted.add(group);
    const fault = await faultOfGroupAsync(group, roots);
    if (fault !== undefined) refused.set(group, fault);
  }
  for (const [index, operation] of [...operations.entries()].toReversed()) {
    const group = groups[index];
    if (group === undefined || !wanted.has(group) || refused.has(group)) continue;
    await takeBackStepAsync(operation, places.placeFor(operation.path), { roots, onStep }).catch(
      (error: unknown) => refused.set(group, { path: operation.path, reason: reasonOf(error) }),
    );
  }
  return {
    undone: {
      refused: new Map([...refused.values()].map(({ path, reason }) => [path, reason])),
      refusedItems: itemsOf(refused.keys()),
    },
    items: itemsOf(wanted),
  };
}

const itemsOf = (groups: Iterable<Group>): ReadonlySet<string> =>
  new Set([...groups].flatMap((group) => group.flatMap(({ items }) => items)));

/** The plan that `undo` would take back. */
export async function lastPlanAsync(state: SyncState): Promise<PlanRecord | undefined> {
  const records = await readPlanRecordsAsync(state);
  return records.find(({ status, operations, studio }) => {
    const didNothing = operations.length === 0 && studio === undefined;
    return status !== "undone" && !didNothing;
  });
}

/** A plan whose process ended in the middle. */
export interface InterruptedPlan {
  readonly record: PlanRecord;
  /** The ids of items that were not applied, or half applied, and of which nothing is left now. */
  readonly missing: ReadonlySet<string>;
  /** Why files of half applied items were left as they are, by their paths. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Cleans up after a plan whose process was killed: items that are half applied are taken back, because the next sync would
 * take such a state for the work of a person. An undo that was killed is completed. Only for a process that holds the lock of
 * the place.
 */
export async function settleInterruptedPlansAsync(
  state: SyncState,
  place: PlaceIdentity,
): Promise<readonly InterruptedPlan[]> {
  const records: PlanRecord[] = [];
  for (const record of await readOpenRecordsAsync(state)) {
    // A plan of another place has a lock of its own, and may be at work.
    const isFree = isSamePlace(record.place, place) || !(await isLockedAsync(state, record.place));
    if (isFree) records.push(record);
  }
  const interrupted: InterruptedPlan[] = [];
  for (const record of records.filter(({ status }) => status === "undoing")) {
    const { refused } = await undoFilesAsync(state, record);
    interrupted.push({ record, missing: itemsOf([record.operations]), refused });
  }
  for (const record of records.filter(({ status }) => status === "applying")) {
    const isHalf = async (group: Group) => !(await isCompleteAsync(group, record.roots));
    const { undone, items } = await takeBackAsync(record, isHalf, () => {});
    const failures = Object.fromEntries([...items].map((item) => [item, "the sync was interrupted"]));
    await writePlanRecordAsync(state, { ...record, status: "partial", failures });
    interrupted.push({ record, missing: items, refused: undone.refused });
  }
  return interrupted;
}

/** Whether every path is as the steps leave it in the end. */
async function isCompleteAsync(group: Group, roots: readonly Root[]): Promise<boolean> {
  const last = new Map<string, PathState>();
  for (const { type, path, to = "", before, after } of group) {
    last.set(path, type === "createFolder" ? "folder" : type === "write" ? after : undefined);
    if (type === "rename") last.set(to, before ?? "folder");
  }
  for (const [path, state] of last) {
    const present = await stateBelowAsync(roots, path).catch(() => "unknown");
    if (present !== state) return false;
  }
  return true;
}

const isSamePlace = (one: PlaceIdentity, other: PlaceIdentity): boolean =>
  placeText(one) === placeText(other);
const placeText = (place: PlaceIdentity): string =>
  place.by === "unknown" ? place.by : `${place.by} ${place.value}`;

async function removeStagingAsync({ operations, roots }: PlanRecord): Promise<void> {
  for (const { staging } of operations) {
    if (staging === undefined) continue;
    const path = await checkedPathAsync(roots, staging).catch(() => undefined);
    if (path !== undefined) await rm(path, { force: true });
  }
}

interface Fault {
  readonly path: string;
  readonly reason: string;
}

/** Steps of one item, or at one path, which are taken back together or not at all. */
type Group = readonly RecordedOperation[];

/** The group of each step. */
function groupsOf(operations: readonly RecordedOperation[]): readonly Group[] {
  const leaders = operations.map((_, index) => index);
  const leaderOf = (index: number): number => {
    let at = index;
    while (leaders[at] !== at) at = leaders[at] ?? at;
    return at;
  };
  const firstOf = new Map<string, number>();
  for (const [index, operation] of operations.entries()) {
    for (const key of keysOf(operation)) {
      const first = firstOf.get(key);
      if (first === undefined) firstOf.set(key, index);
      else leaders[leaderOf(index)] = leaderOf(first);
    }
  }
  const groups = new Map<number, RecordedOperation[]>();
  return operations.map((operation, index) => {
    const group = groups.get(leaderOf(index)) ?? [];
    groups.set(leaderOf(index), group);
    group.push(operation);
    return group;
  });
}

const keysOf = ({ path, to, items }: RecordedOperation): string[] => [
  `path ${path}`,
  ...(to === undefined ? [] : [`path ${to}`]),
  ...items.map((item) => `item ${item}`),
];

/** Every path must be in one of the states that the plan has put it into; what is to come back must be in the trash. */
async function faultOfGroupAsync(group: Group, roots: readonly Root[]): Promise<Fault | undefined> {
  for (const [path, known] of statesOf(group)) {
    try {
      const present = await stateBelowAsync(roots, path);
      if (!known.has(present)) return { path, reason: "has changed since the sync" };
    } catch (error) {
      return { path, reason: reasonOf(error) };
    }
  }
  for (const { type, path, before, trash = "" } of group) {
    if (before === undefined || (type !== "write" && type !== "remove")) continue;
    const present = await stateBelowAsync(roots, path);
    const isNeeded = present !== before && !isWrittenAgain(group, path, present);
    if (isNeeded && (await stateOfAsync(trash)) !== before)
      return { path, reason: "cannot come back, because it is no longer in the trash" };
  }
  return undefined;
}

/** A path with several steps is judged by the later ones when they are taken back. */
const isWrittenAgain = (group: Group, path: string, present: PathState): boolean =>
  group.filter((operation) => operation.path === path || operation.to === path).length > 1 &&
  present === undefined;

/** Nothing is below a folder that does not exist. */
async function stateBelowAsync(roots: readonly Root[], path: string): Promise<PathState> {
  try {
    return await stateOfAsync(await checkedPathAsync(roots, path));
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function statesOf(group: Group): ReadonlyMap<string, ReadonlySet<PathState>> {
  const states = new Map<string, Set<PathState>>();
  const add = (path: string, ...known: readonly PathState[]): void => {
    const all = states.get(path) ?? new Set();
    for (const state of known) all.add(state);
    states.set(path, all);
  };
  for (const { type, path, to = "", before, after } of group) {
    if (type === "createFolder" || type === "removeFolder") add(path, undefined, "folder");
    else if (type === "write") add(path, before, after);
    else if (type === "remove") add(path, before, undefined);
    else {
      add(path, before ?? "folder", undefined);
      add(to, before ?? "folder", undefined);
    }
  }
  return states;
}

const reasonOf = (error: unknown): string =>
  error instanceof PathFault ? error.message : systemReason(error);

/** For people: where the bodies of a plan lie. */
export const trashOfPlan = ({ planId, roots }: PlanRecord): string =>
  join(roots[0]?.real ?? "", ".sb", "trash", planId);
