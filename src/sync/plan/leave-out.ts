/** Takes what the project's settings name out of a plan; an override of the same item is made later, and wins. */
import { subtreeOn } from "./edited.ts";
import type { SyncPlan } from "./plan-state.ts";
import { itemsBelow } from "./selected.ts";

/** A removal stays out too where it would take along what is named. */
export function leaveOut(plan: SyncPlan, skips: readonly string[]): void {
  const { entries, entryOf, paths, rulings } = plan.state;
  for (const skip of skips) {
    const named = new Set(itemsBelow(plan, skip));
    for (const item of plan.items) {
      const entry = item.change === "remove" && !named.has(item) ? entryOf.get(item) : undefined;
      if (entry === undefined) continue;
      const side = entry.file === undefined ? "studio" : "file";
      const below = subtreeOn(entry, side, entries).map((each) => ({ ...item, path: paths.of(each) }));
      if (itemsBelow({ items: below, state: plan.state }, skip).length > 0) named.add(item);
    }
    for (const item of named)
      rulings.set(item, {
        verdict: "skip",
        reason: "left_out",
        detail: `sync.skip in sb.config.json has ${skip}`,
      });
  }
}
