/** Finds a plan that removes so much that a mistake is likelier than a wish, such as after a failed checkout. */
import type { PlanItem } from "../types.ts";
import { isPair } from "./aspects.ts";
import { type Side, subtreeOn } from "./edited.ts";
import type { Entry } from "./entries.ts";
import type { Hold, SyncPlan } from "./plan-state.ts";

const USUAL_REMOVALS = 10;

/** `allowed`: how many Instances a person has agreed to remove; undefined where no person was asked. */
export function massRemoval(plan: SyncPlan, allowed: number | undefined): Hold | undefined {
  const removals = plan.items.filter(
    ({ change, verdict }) => change === "remove" && (verdict === "push" || verdict === "pull"),
  );
  const count = removals.reduce((sum, item) => sum + sizeOf(item, plan), 0);
  const detail = allowed === undefined ? reasonToAsk(plan, removals, count) : tooMany(count, allowed);
  return detail === undefined ? undefined : { reason: "mass_removal", items: removals, count, detail };
}

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
