/** Runs test files in headless Studios: which worker takes which file, retries, and when the run ends early. */
import { FILE_CASE, type Report } from "../events.ts";
import type { FileOfScript } from "../frames.ts";
import type { HarnessCase } from "../harness-events.ts";
import type { TestFile } from "../test-file.ts";
import { type FileOutcome, runFileAsync } from "./file-run.ts";
import { TestWorker } from "./worker.ts";

export interface RunOptions {
  /** In the order in which they are begun. */
  readonly files: readonly TestFile[];
  /** How long a file took the last time; undefined where that is not known. */
  readonly expectedMs: (file: TestFile) => number | undefined;
  readonly workers: number;
  /** The opened place, as readPlaceAsync gives it. */
  readonly place?: Uint8Array;
  readonly placeName?: string;
  /** Where data stores keep what scripts save, as `--data` says it. */
  readonly data?: string;
  readonly memoryLimitMb?: number;
  readonly setup: readonly { readonly name: string; readonly source: string }[];
  readonly caseTimeoutMs: number;
  readonly fileTimeoutMs: number;
  /** How often a failed case is tried again, in a fresh place. */
  readonly retries: number;
  /** Ends the run after so many failed cases. */
  readonly bail?: number;
  readonly choose?: (file: TestFile, cases: readonly HarnessCase[]) => readonly string[];
  readonly fileOfScript: FileOfScript;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** A further worker pays off only where this much work is left for it, as its Studio must start first. */
const WORTH_MS = 500;
/** What a file of unknown duration is taken for. */
const UNKNOWN_MS = 100;

/** Resolves when all files have run, or with why not all of them have. Throws what keeps Studios from starting. */
export async function runTestsAsync(options: RunOptions): Promise<"bail" | "interrupted" | undefined> {
  const { files, expectedMs, signal, bail = Infinity } = options;
  const waiting = [...files];
  let failures = 0;
  const isOver = (): boolean => signal.aborted || failures >= bail;
  const workAsync = async (number: number): Promise<void> => {
    await using worker = new TestWorker({ ...options, number });
    for (let file = waiting.shift(); file !== undefined && !isOver(); file = waiting.shift())
      failures += await runWithRetriesAsync(worker, file, options);
  };
  const totalMs = files.reduce((sum, file) => sum + (expectedMs(file) ?? UNKNOWN_MS), 0);
  const count = Math.max(1, Math.min(options.workers, files.length, Math.ceil(totalMs / WORTH_MS)));
  await Promise.all(Array.from({ length: count }, (_, index) => workAsync(index + 1)));
  if (signal.aborted) return "interrupted";
  return failures >= bail && waiting.length > 0 ? "bail" : undefined;
}

/** How many of its cases failed in the last attempt of each. */
async function runWithRetriesAsync(worker: TestWorker, file: TestFile, options: RunOptions): Promise<number> {
  let outcome: FileOutcome = await runFileAsync(worker, file, options);
  for (let attempt = 2; attempt <= options.retries + 1 && outcome.failed.length > 0; attempt += 1) {
    if (options.signal.aborted) break;
    const only = outcome.failed.includes(FILE_CASE) ? undefined : new Set(outcome.failed);
    outcome = await runFileAsync(worker, file, options, attempt, only);
  }
  return outcome.failed.length;
}
