/** Holds a plan back that is so large that a person must agree to it: many removals, or many replaced files. */
import { manyOverwrites } from "./many-overwrites.ts";
import { massRemoval } from "./mass-removal.ts";
import type { Hold, SyncPlan } from "./plan-state.ts";

export interface HoldWishes {
  /** How many Instances a person has agreed to remove; undefined where no person was asked. */
  readonly allowedRemovals?: number | undefined;
  /** The same of files that are replaced. */
  readonly allowedOverwrites?: number | undefined;
  /** Whether what Studio has may replace many files without a question. */
  readonly mayOverwrite?: boolean | undefined;
  /** Whether what is held alone waits, because the plan is applied in part; else the whole plan waits. */
  readonly isPartial?: boolean | undefined;
}

export function holdLargePlan(plan: SyncPlan, wishes: HoldWishes): void {
  const removals = massRemoval(plan, wishes.allowedRemovals);
  const overwrites = manyOverwrites(plan, {
    allowed: wishes.allowedOverwrites,
    countsFiles: wishes.mayOverwrite !== true,
  });
  delete plan.massRemoval;
  delete plan.manyOverwrites;
  if (removals !== undefined) plan.massRemoval = { count: removals.count, detail: removals.detail };
  if (overwrites !== undefined) plan.manyOverwrites = { count: overwrites.count, detail: overwrites.detail };
  for (const hold of [removals, overwrites]) if (hold !== undefined) holdItems(plan, hold, wishes);
}

function holdItems(plan: SyncPlan, { reason, items, detail }: Hold, { isPartial }: HoldWishes): void {
  for (const item of isPartial === true ? items : plan.items) {
    if (!isApplied(item.verdict)) continue;
    item.proposed = item.verdict;
    item.verdict = "unresolved";
    item.reason = reason;
    item.detail = detail;
  }
}

const isApplied = (verdict: string): boolean =>
  verdict === "push" || verdict === "pull" || verdict === "merge";
