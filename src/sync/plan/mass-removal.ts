/** Holds a plan back that removes so much that a mistake is likelier than a wish, such as after a failed checkout. */
import type { PlanItem } from "../types.ts";
import { isPair } from "./aspects.ts";
import { type Side, subtreeOn } from "./edited.ts";
import type { Entry } from "./entries.ts";
import type { SyncPlan } from "./plan-state.ts";

export const USUAL_REMOVALS = 10;

export interface RemovalWishes {
  /** How many Instances a person has agreed to remove; undefined where no person was asked. */
  readonly allowedRemovals?: number | undefined;
  /** Whether the removals alone wait, because the plan is applied in part; else the whole plan waits. */
  readonly isPartial?: boolean | undefined;
}

export function holdMassRemoval(
  plan: SyncPlan,
  { allowedRemovals: allowed, isPartial }: RemovalWishes,
): void {
  const removals = plan.items.filter(({ change, verdict }) => change === "remove" && isApplied(verdict));
  const count = removals.reduce((sum, item) => sum + sizeOf(item, plan), 0);
  const detail = allowed === undefined ? reasonToAsk(plan, removals, count) : tooMany(count, allowed);
  delete plan.massRemoval;
  if (detail === undefined) return;
  plan.massRemoval = { count, detail };
  for (const item of isPartial === true ? removals : plan.items) {
    if (!isApplied(item.verdict)) continue;
    item.proposed = item.verdict;
    item.verdict = "unresolved";
    item.reason = "mass_removal";
    item.detail = detail;
  }
}

const isApplied = (verdict: string): boolean =>
  verdict === "push" || verdict === "pull" || verdict === "merge";

const tooMany = (count: number, allowed: number): string | undefined =>
  count > allowed ? `the plan removes ${count} Instances, and ${allowed} are allowed` : undefined;

function reasonToAsk(plan: SyncPlan, removals: readonly PlanItem[], count: number): string | undefined {
  const emptied = emptiedProjectNode(plan, removals);
  if (emptied !== undefined) return `the plan removes all that ${emptied} contains`;
  return tooMany(count, USUAL_REMOVALS);
}

/** The side that still has the Instance loses it. */
const losingSide = ({ file }: Entry): Side => (file === undefined ? "studio" : "file");

/** Instances that go: not those that are in the subtree now and stay. */
function sizeOf(item: PlanItem, { state }: SyncPlan): number {
  const entry = state.entryOf.get(item);
  if (entry === undefined) return 0;
  return subtreeOn(entry, losingSide(entry), state.entries).filter((below) => !isPair(below)).length;
}

function emptiedProjectNode({ state }: SyncPlan, removals: readonly PlanItem[]): string | undefined {
  const removed = new Set(removals.map((item) => state.entryOf.get(item)));
  for (const entry of removed) {
    if (entry === undefined) continue;
    const parent = losingSide(entry) === "file" ? entry.fileParent : entry.studioParent;
    if (parent?.file?.origin?.project === undefined) continue;
    const children = parent.base?.children ?? [];
    const left = children.filter((child) => !removed.has(state.entries.of(child)));
    if (left.length === 0) return state.paths.of(parent);
  }
  return undefined;
}
