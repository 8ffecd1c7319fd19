/** Looks whether what was applied is really there: the changed sides are read again and compared once more. */
import type { FileSchema } from "../roblox/schema.ts";
import { aspectKey } from "./plan/aspects.ts";
import { planInput } from "./plan-input.ts";
import { planOf } from "./plan/plan.ts";
import { readProjectAsync, type Sides } from "./read-sides.ts";
import type { Counterpart, ItemResult, PlanItem, PropertyChoice } from "./types.ts";

interface ReadBackScope {
  readonly sides: Sides;
  readonly counterpart: Counterpart;
  readonly wishes: { readonly projectFile: string; readonly properties: PropertyChoice | undefined };
  readonly world: { readonly schema: FileSchema; readonly signal: AbortSignal };
}

export interface ReadBack {
  /** Those of items that still differ, or that could not be read back, are failures. */
  readonly results: readonly ItemResult[];
  /** Both sides as they are now; undefined where one could not be read. */
  readonly now?: Sides;
}

export async function readBackAsync(results: readonly ItemResult[], scope: ReadBackScope): Promise<ReadBack> {
  const { sides, counterpart, wishes, world } = scope;
  const applied = results.filter((result) => result.applied).map(({ item }) => item);
  const pulled = applied.some(({ verdict }) => verdict !== "push");
  const pushed = applied.some(({ verdict }) => verdict !== "pull");
  const project = pulled
    ? await unlessFaultAsync(readProjectAsync(wishes.projectFile, world.schema))
    : sides.project;
  if ("fault" in project) return { results: failedWhere(results, project.fault, "push") };
  const studio = pushed
    ? await unlessFaultAsync(
        counterpart.readAsync(project.tree.root, wishes.properties ?? "changed", world.signal),
      )
    : sides.studio;
  if ("fault" in studio) return { results: failedWhere(results, studio.fault, "pull") };
  const now = { ...sides, project, studio };
  const again = planOf(planInput(now, wishes, world.schema));
  const left = new Map<string, PlanItem[]>();
  for (const item of again.items) left.set(item.path, [...(left.get(item.path) ?? []), item]);
  const checked = results.map((result): ItemResult => {
    const { item } = result;
    const isLeft = (left.get(item.path) ?? []).some((other) => isSameChange(other, item));
    if (isLeft) return result.applied ? failed(item, "it was written, but reads back different") : result;
    // The other side may have gone away after it had done its part.
    return pushed && item.verdict === "push" ? { item, applied: true } : result;
  });
  return { results: checked, now };
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
function isSameChange(now: PlanItem, applied: PlanItem): boolean {
  const verdict = now.proposed ?? now.verdict;
  const isOpposite = (verdict === "push" || verdict === "pull") && verdict !== applied.verdict;
  if (isOpposite && applied.verdict !== "merge") return false;
  if (now.change === "add" || now.change === "remove") return now.change === applied.change;
  const keys = new Set(applied.aspects.map(aspectKey));
  return now.aspects.some((aspect) => keys.has(aspectKey(aspect)));
}
