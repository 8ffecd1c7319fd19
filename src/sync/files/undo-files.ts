/**
 * Takes back what a plan did to files, byte for byte. It looks at the files to find out how far the plan came, so that it
 * also works for a plan that was killed. Items whose files have changed since are refused as a whole.
 */
import { constants } from "node:fs";
import { access, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemCodeOf, systemReason } from "../../util/system-error.ts";
import { type OnStep, type PathState, stateOfAsync, takeBackStepAsync } from "./file-step.ts";
import type { RecordedOperation } from "./operations.ts";
import type { PlanRecord } from "./plan-record.ts";
import { checkedPathAsync, PathFault, type Root } from "./safe-path.ts";
import { openTrashAsync, TrashPlaces } from "./trash.ts";

export interface UndoneFiles {
  /** Why files were left as they are, by their paths. */
  readonly refused: ReadonlyMap<string, string>;
  /** Nothing was changed, because nothing could be. */
  readonly isUntouched: boolean;
}

/** Why files cannot be taken back, by their paths. Changes none of them. */
export async function undoFaultsAsync(record: PlanRecord): Promise<ReadonlyMap<string, string>> {
  const { roots, operations } = record;
  const [project] = roots;
  try {
    if (project === undefined) throw new PathFault("the record of the plan names no folder");
    if (operations.length > 0) await openTrashAsync(project);
  } catch (error) {
    return new Map([[project?.path ?? "", reasonOf(error)]]);
  }
  const faults = new Map<string, string>();
  for (const group of new Set(groupsOf(operations))) {
    const fault = await faultOfGroupAsync(group, roots);
    if (fault !== undefined) faults.set(fault.path, fault.reason);
  }
  return faults;
}

/** Takes back the groups of steps that are wanted. */
export async function takeBackAsync(
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
  let isUntouched = operations.length > 0;
  for (const [index, operation] of [...operations.entries()].toReversed()) {
    const group = groups[index];
    if (group === undefined || !wanted.has(group) || refused.has(group)) continue;
    try {
      await takeBackStepAsync(operation, places.placeFor(operation.path), { roots, onStep });
      isUntouched = false;
    } catch (error) {
      refused.set(group, { path: operation.path, reason: reasonOf(error) });
    }
  }
  return {
    undone: {
      refused: new Map([...refused.values()].map(({ path, reason }) => [path, reason])),
      isUntouched,
    },
    items: itemsOf(wanted),
  };
}

export const itemsOf = (groups: Iterable<Group>): ReadonlySet<string> =>
  new Set([...groups].flatMap((group) => group.flatMap(({ items }) => items)));

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
export type Group = readonly RecordedOperation[];

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

/**
 * Every path must be in one of the states that the plan has put it into, in a folder that can be written; what is to come
 * back must be in the trash.
 */
async function faultOfGroupAsync(group: Group, roots: readonly Root[]): Promise<Fault | undefined> {
  for (const [path, known] of statesOf(group)) {
    try {
      const present = await stateBelowAsync(roots, path);
      if (!known.has(present)) return { path, reason: "has changed since the sync" };
      if (present !== undefined) await access(dirname(path), constants.W_OK);
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
export async function stateBelowAsync(roots: readonly Root[], path: string): Promise<PathState> {
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
