/**
 * Applies the steps of a file and kills itself after so many changes of the disk: `dying-apply.ts FILE COUNT`. A count that
 * is not reached lets it end by itself, and it prints how many changes there were.
 */
import { readFile } from "node:fs/promises";
import { applyFilesAsync, type ApplyScope } from "../../../../src/sync/files/apply-files.ts";
import type { FileOperation } from "../../../../src/sync/files/operations.ts";
import type { PlanItem } from "../../../../src/sync/types.ts";

/** Contents are in base64, items by their positions. */
export interface DyingPlan {
  readonly operations: readonly { readonly items: readonly number[]; readonly content?: string }[];
  readonly itemCount: number;
  readonly scope: Pick<ApplyScope, "state" | "planId" | "place" | "label" | "roots">;
}

const [file = "", count = ""] = process.argv.slice(2);
const plan: DyingPlan = JSON.parse(await readFile(file, "utf8"));
const items = Array.from({ length: plan.itemCount }, (_, index): PlanItem => ({
  id: `@${index}`,
  path: "",
  className: "",
  change: "edit",
  verdict: "pull",
  aspects: [],
}));
const operations = plan.operations.map((operation) => ({
  ...operation,
  items: operation.items.map((index) => items[index]),
  ...(operation.content === undefined ? {} : { content: Uint8Array.fromBase64(operation.content) }),
})) as unknown as FileOperation[];
let steps = 0;
await applyFilesAsync(operations, {
  ...plan.scope,
  onStep: () => {
    steps += 1;
    if (steps === Number(count)) process.kill(process.pid, "SIGKILL");
  },
});
console.log(steps);
