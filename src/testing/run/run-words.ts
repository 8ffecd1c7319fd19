/** The values of `--workers` and `--isolate`, for flags and settings. */
import { availableParallelism } from "node:os";
import { defineSchema } from "../../protocol/schema.ts";

/**
 * The state of the place at the start of a file. `file`: the place as it was opened. `worker`: the same, but modules that
 * earlier files of the worker have loaded stay loaded, and the place returns to its opened state only after a file that has
 * left Instances. `none`: everything that earlier files of the worker have left.
 */
export const isolations = ["file", "worker", "none"] as const;
export type Isolation = (typeof isolations)[number];
export const isolationSchema = defineSchema((z) => z.enum(isolations));

const MAX_WORKERS = 64;
const EXPECTED = `expected 1 to ${MAX_WORKERS} workers, or a percentage of the processors such as 50%`;
const PART = /^([1-9]\d?|100)%$/;

/** A number, or a percentage of the processors. */
export const workersSchema = defineSchema((z) =>
  z.union([z.int(EXPECTED).min(1, EXPECTED).max(MAX_WORKERS, EXPECTED), z.string().regex(PART, EXPECTED)], {
    error: EXPECTED,
  }),
);

/** The number of workers, at least one. The default is the number of processors. */
export function workerCount(
  wish: number | string | undefined,
  processors: number = availableParallelism(),
): number {
  if (typeof wish === "number") return wish;
  const percent = Number(PART.exec(wish ?? "100%")?.[1] ?? 100);
  return Math.min(MAX_WORKERS, Math.max(1, Math.floor((processors * percent) / 100)));
}
