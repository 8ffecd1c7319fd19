/**
 * Finds a plan that replaces so much that a mistake is likelier than a wish: files by what Studio has, such as an old place, or
 * what Studio has changed in one-way folders.
 */
import type { PlanItem } from "../types.ts";
import type { Hold, SyncPlan } from "./plan-state.ts";

export const USUAL_OVERWRITES = 10;

interface Limit {
  /** How many replacements a person has agreed to; undefined where no person was asked. */
  readonly allowed: number | undefined;
  /** Whether files that Studio replaces count; what the files replace in one-way folders always does. */
  readonly countsFiles: boolean;
}

export function manyOverwrites(plan: SyncPlan, { allowed, countsFiles }: Limit): Hold | undefined {
  const files = countsFiles ? plan.items.filter((item) => replacesFile(item, plan)) : [];
  const inStudio = plan.items.filter((item) => replacesStudio(item, plan));
  const fileCount = new Set(files.map(({ fsPath, path }) => fsPath ?? path)).size;
  const studioCount = new Set(inStudio.map(({ path }) => path)).size;
  const count = fileCount + studioCount;
  if (count <= (allowed ?? USUAL_OVERWRITES)) return undefined;
  const replaced = [
    ...(fileCount === 0 ? [] : [`${fileCount} ${fileCount === 1 ? "file" : "files"} by what Studio has`]),
    ...(studioCount === 0 ? [] : [`what Studio holds of ${instances(studioCount)} in one-way folders`]),
  ];
  const limit = allowed === undefined ? "" : `, and ${allowed} are allowed`;
  return {
    reason: "many_overwrites",
    items: [...files, ...inStudio],
    count,
    detail: `the plan replaces ${replaced.join(" and ")}${limit}`,
  };
}

const instances = (count: number): string => (count === 1 ? "1 Instance" : `${count} Instances`);

function replacesFile(item: PlanItem, { state }: SyncPlan): boolean {
  const { change, verdict, file } = item;
  const replaces = file !== undefined && change !== "remove" && !state.chosen.has(item);
  return replaces && (verdict === "pull" || verdict === "merge");
}

function replacesStudio(item: PlanItem, { state }: SyncPlan): boolean {
  const replaces = item.reason === "one_way" && item.change !== "add";
  return replaces && item.verdict === "push" && !state.chosen.has(item);
}
