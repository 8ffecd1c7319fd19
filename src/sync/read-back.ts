/** Looks whether what was applied is really there: the changed sides are read again and compared once more. */
import type { FileSchema } from "../roblox/schema.ts";
import { aspectKey } from "./plan/aspects.ts";
import { planInput } from "./plan-input.ts";
import type { RemovalWishes } from "./plan/mass-removal.ts";
import { planOf } from "./plan/plan.ts";
import { isApplied } from "./plan/summary.ts";
import { readProjectAsync, type Sides } from "./read-sides.ts";
import type { AspectChange, Counterpart, ItemResult, PlanItem, PropertyChoice, Verdict } from "./types.ts";

interface ReadBackScope {
  readonly sides: Sides;
  readonly counterpart: Counterpart;
  readonly wishes: RemovalWishes & {
    readonly projectFile: string;
    readonly properties: PropertyChoice | undefined;
  };
  readonly world: { readonly schema: FileSchema; readonly signal: AbortSignal };
}

export interface ReadBack {
  /** Those of items that still differ, or that could not be read back, are failures. */
  readonly results: readonly ItemResult[];
  /** Both sides as they are now; undefined where one could not be read. */
  readonly now?: Sides;
  /** Whether something else is to be applied by now, because a side was changed in the meantime. */
  readonly hasMore: boolean;
}

export async function readBackAsync(results: readonly ItemResult[], scope: ReadBackScope): Promise<ReadBack> {
  const { sides, counterpart, wishes, world } = scope;
  const applied = results.filter((result) => result.applied).map(({ item }) => item);
  const pulled = applied.some(({ verdict }) => verdict !== "push");
  const pushed = applied.some(({ verdict }) => verdict !== "pull");
  const project = pulled
    ? await unlessFaultAsync(readProjectAsync(wishes.projectFile, world.schema))
    : sides.project;
  if ("fault" in project) return { results: failedWhere(results, project.fault, "push"), hasMore: false };
  const studio = pushed
    ? await unlessFaultAsync(
        counterpart.readAsync(project.tree.root, wishes.properties ?? "changed", world.signal),
      )
    : sides.studio;
  if ("fault" in studio) return { results: failedWhere(results, studio.fault, "pull"), hasMore: false };
  const now = { ...sides, project, studio };
  const { allowedRemovals, isPartial } = wishes;
  const again = planOf({ ...planInput(now, wishes, world.schema), allowedRemovals, isPartial });
  const left = Map.groupBy(again.items, ({ path }) => path);
  const failures = new Set<PlanItem>();
  const checked = results.map((result): ItemResult => {
    const { item } = result;
    const same = (left.get(item.path) ?? []).filter((other) => isSameChange(other, result));
    for (const other of same) failures.add(other);
    if (same.length > 0)
      return result.applied ? failed(item, "it was written, but reads back different") : result;
    // The other side may have gone away after it had done its part.
    return pushed && item.verdict === "push" ? { item, applied: true } : result;
  });
  // The base does not know yet what was applied, so that a newer change of it seems to be one of both sides.
  const done = new Set(checked.flatMap((result) => (result.applied ? [result.item.path] : [])));
  const isNew = (item: PlanItem) => isApplied(item.verdict) || done.has(item.path);
  const hasMore = again.items.some((item) => isNew(item) && !failures.has(item));
  return { results: checked, now, hasMore };
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

/** A change of the other direction is a new one that a person has made meanwhile. */
function isSameChange(now: PlanItem, { item, applied }: ItemResult): boolean {
  const verdict = now.proposed ?? now.verdict;
  const isOpposite = (verdict === "push" || verdict === "pull") && verdict !== item.verdict;
  if (isOpposite && item.verdict !== "merge") return false;
  if (now.change === "add" || now.change === "remove") return now.change === item.change;
  const before = new Map(item.aspects.map((aspect) => [aspectKey(aspect), aspect]));
  return now.aspects.some((aspect) => {
    const earlier = before.get(aspectKey(aspect));
    return earlier !== undefined && !(applied && isNewerSource(aspect, earlier, item.verdict));
  });
}

/**
 * A written source is compared right where it is written. So if it is neither the old nor the written one now, a person has
 * changed it since. The base keeps what was written, and the next sync takes over what is newer.
 */
function isNewerSource(now: AspectChange, before: AspectChange, verdict: Verdict): boolean {
  if (now.aspect !== "source" || (verdict !== "push" && verdict !== "pull")) return false;
  const side = verdict === "push" ? "studio" : "file";
  return !Bun.deepEquals(now[side], before[side]);
}
