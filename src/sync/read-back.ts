/** Looks whether what was applied is really there: the changed sides are read again and compared once more. */
import type { RojoNode } from "../roblox/rojo/node.ts";
import type { FileSchema } from "../roblox/schema.ts";
import { agreedTree } from "./plan/agreed.ts";
import { aspectKey } from "./plan/aspects.ts";
import { planInput, type PlanWishes } from "./plan-input.ts";
import type { HoldWishes } from "./plan/holds.ts";
import { planOf, type SyncPlan } from "./plan/plan.ts";
import { Lineage } from "./revisions/lineage.ts";
import { isApplied } from "./plan/summary.ts";
import { type ProjectPlace, readProjectAsync, type Sides } from "./read-sides.ts";
import { memoryOf } from "./reading-memory.ts";
import type { AspectChange, AspectValue, Counterpart, ItemResult, PlanItem, Verdict } from "./types.ts";

export interface ReadBackScope {
  /** Of which the results are. */
  readonly plan: SyncPlan;
  /** What both sides should hold now; its items have numbers. */
  readonly expected: RojoNode;
  readonly sides: Sides;
  readonly counterpart: Counterpart;
  readonly holds: HoldWishes;
  readonly wishes: PlanWishes & ProjectPlace;
  readonly world: { readonly schema: FileSchema; readonly signal: AbortSignal };
}

export interface ReadBack {
  /** Those of items that still differ, or that could not be read back, are failures. */
  readonly results: readonly ItemResult[];
  /** Both sides as they are now; undefined where one could not be read. */
  readonly now?: Sides;
  /** What both sides agree on now, with Studio's numbers of what was added there; undefined where nothing could be read. */
  readonly agreed?: RojoNode;
  /** Whether something else is to be applied by now, because a side was changed in the meantime. */
  readonly hasMore: boolean;
}

export async function readBackAsync(results: readonly ItemResult[], scope: ReadBackScope): Promise<ReadBack> {
  const { expected, sides, counterpart, wishes, world } = scope;
  const applied = results.filter((result) => result.applied).map(({ item }) => item);
  const pulled = applied.some(({ verdict }) => verdict !== "push");
  const pushed = applied.some(({ verdict }) => verdict !== "pull");
  const project = pulled
    ? await unlessFaultAsync(readProjectAsync(wishes, world.schema, memoryOf(counterpart).files))
    : sides.project;
  if ("fault" in project) return { results: failedWhere(results, project.fault, "push"), hasMore: false };
  const studio = pushed
    ? await unlessFaultAsync(
        counterpart.readAsync(project.tree.root, wishes.properties ?? "changed", world.signal),
      )
    : sides.studio;
  if ("fault" in studio) return { results: failedWhere(results, studio.fault, "pull"), hasMore: false };
  const now = { ...sides, project, studio };
  // Against what both sides should hold now, so that Instances are known again that have moved or got another name.
  const lineage = Lineage.fresh(expected);
  const input = planInput({ ...now, lineage }, wishes, counterpart, world.schema);
  const again = planOf({ ...input, ...scope.holds });
  const left = Map.groupBy(again.items, ({ path }) => path);
  const failures = new Set<PlanItem>();
  const checked = results.map((result): ItemResult => {
    const { item } = result;
    const same = (left.get(item.path) ?? []).filter((other) =>
      result.applied ? isUnwritten(other, item) : isSameChange(other, item),
    );
    for (const other of same) failures.add(other);
    if (same.length > 0)
      return result.applied ? failed(item, "it was written, but reads back differently") : result;
    // The other side may have gone away after it had done its part.
    return pushed && item.verdict === "push" ? { item, applied: true } : result;
  });
  const hasMore = again.items.some((item) => isApplied(item.verdict) && !failures.has(item));
  // Studio's numbers of what was added there are known only now.
  const hasNew = pushed && applied.some(({ change }) => change === "add");
  return { results: checked, now, hasMore, agreed: hasNew ? agreedTree(again, new Set()) : expected };
}

const failed = (item: PlanItem, reason: string): ItemResult => ({ item, applied: false, reason });

/** All but those that went in the `other` direction. */
const failedWhere = (results: readonly ItemResult[], fault: string, other: PlanItem["verdict"]) =>
  results.map((result) =>
    result.applied && result.item.verdict !== other ? failed(result.item, fault) : result,
  );

async function unlessFaultAsync<T extends object>(work: Promise<T>): Promise<T | { readonly fault: string }> {
  try {
    return await work;
  } catch (error) {
    return { fault: `it could not be read back: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Whether an item that was not applied is still to be applied. */
function isSameChange(now: PlanItem, { verdict, change, aspects }: PlanItem): boolean {
  const present = now.proposed ?? now.verdict;
  // A change of the other direction is a new one that a person has made meanwhile.
  if ((present === "push" || present === "pull") && present !== verdict && verdict !== "merge") return false;
  if (isOfExistence(now)) return now.change === change;
  const keys = new Set(aspects.map(aspectKey));
  return now.aspects.some((aspect) => keys.has(aspectKey(aspect)));
}

/** Whether a side is not as an item that was applied has left it. */
function isUnwritten(now: PlanItem, item: PlanItem): boolean {
  if (isOfExistence(now)) return isOfExistence(item);
  const written = new Map(item.aspects.map((aspect) => [aspectKey(aspect), aspect]));
  return now.aspects.some((aspect) => {
    const before = written.get(aspectKey(aspect));
    return before !== undefined && !isNewer(aspect, before, item.verdict);
  });
}

const isOfExistence = ({ change }: PlanItem): boolean => change === "add" || change === "remove";

/**
 * Whether a person has changed since what was written. Sources are compared right where they are written, so one that is
 * neither the old nor the written one now is newer; another value may be what a side has made of the written one.
 */
function isNewer(now: AspectChange, before: AspectChange, verdict: Verdict): boolean {
  if (verdict !== "push" && verdict !== "pull") return false;
  const [side, other] = verdict === "push" ? (["studio", "file"] as const) : (["file", "studio"] as const);
  if (isPlain(before[other]) && Bun.deepEquals(now[side], before[other])) return true;
  return now.aspect === "source" && !Bun.deepEquals(now[side], before[side]);
}

/** Nodes of two readings are never the same. */
const isPlain = (held: AspectValue | undefined): boolean => held?.type !== "instance";
