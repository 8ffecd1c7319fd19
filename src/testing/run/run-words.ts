/** The words that flags and settings have for how a run is done: the number of workers, and what files share. */
import { availableParallelism } from "node:os";
import { defineSchema } from "../../protocol/schema.ts";

/**
 * What a file finds in the place. `file`: the place as it was opened. `worker`: the same, but modules that earlier files of
 * the worker have loaded stay loaded; the place returns to how it was opened after a file that has left Instances. `none`:
 * all that earlier files of the worker have left.
 */
export const isolations = ["file", "worker", "none"] as const;
export type Isolation = (typeof isolations)[number];
export const isolationSchema = defineSchema((z) => z.enum(isolations));

const MAX_WORKERS = 64;
const EXPECTED = `expected 1 to ${MAX_WORKERS} workers, or a part of the processors such as 50%`;
const PART = /^([1-9]\d?|100)%$/;

/** A number, or a part of the processors. */
export const workersSchema = defineSchema((z) =>
  z.union([z.int(EXPECTED).min(1, EXPECTED).max(MAX_WORKERS, EXPECTED), z.string().regex(PART, EXPECTED)], {
    error: EXPECTED,
  }),
);

/** At least one. All processors without a wish. */
export function workerCount(
  wish: number | string | undefined,
  processors: number = availableParallelism(),
): number {
  if (typeof wish === "number") return wish;
  const percent = Number(PART.exec(wish ?? "100%")?.[1] ?? 100);
  return Math.min(MAX_WORKERS, Math.max(1, Math.floor((processors * percent) / 100)));
}
