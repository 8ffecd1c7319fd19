/** Finds a plan that replaces so many files by what Studio has that a mistake is likelier than a wish, such as an old place. */
import type { Hold, SyncPlan } from "./plan-state.ts";

export const USUAL_OVERWRITES = 10;

/** `allowed`: how many files a person has agreed to replace; undefined where no person was asked. */
export function manyOverwrites({ items, state }: SyncPlan, allowed: number | undefined): Hold | undefined {
  const overwrites = items.filter((item) => {
    const { change, verdict, file } = item;
    const replaces = file !== undefined && change !== "remove" && !state.chosen.has(item);
    return replaces && (verdict === "pull" || verdict === "merge");
  });
  const count = new Set(overwrites.map(({ fsPath, path }) => fsPath ?? path)).size;
  if (count <= (allowed ?? USUAL_OVERWRITES)) return undefined;
  const limit = allowed === undefined ? "" : `, and ${allowed} are allowed`;
  return {
    reason: "many_overwrites",
    items: overwrites,
    count,
    detail: `the plan replaces ${count} files by what Studio has${limit}`,
  };
}
