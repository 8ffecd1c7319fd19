/** Runs test files in any target: which worker takes which file, retries, and when the run ends early. */
import { FILE_CASE } from "../events.ts";
import { clientsOf, isSameContext } from "../test-context.ts";
import type { TestFile } from "../test-file.ts";
import type { FileOutcome } from "./file-record.ts";
import { type FileRun, type FileRunOptions, runFileAsync } from "./file-run.ts";
import type { NewRunner } from "./runner.ts";

export interface RunOptions extends FileRunOptions {
  /** In the order in which they are begun. */
  readonly files: readonly TestFile[];
  /** How long a file took the last time; undefined where that is not known. */
  readonly expectedMs: (file: TestFile) => number | undefined;
  readonly newRunner: NewRunner;
  /** How many runners there are at most. */
  readonly workers: number;
  /** Ends the run after so many failed cases. */
  readonly bail?: number;
}

/** A further worker pays off only where this much work is left for it, as its runner must start first. */
const WORTH_MS = 500;
/** What a file of unknown duration is taken for. */
const UNKNOWN_MS = 100;

/** Resolves when all files have run, or with why not all of them have. Throws what keeps runners from starting. */
export async function runTestsAsync(options: RunOptions): Promise<"bail" | "interrupted" | undefined> {
  const { files, expectedMs, signal, bail = Infinity } = options;
  const waiting = [...files];
  let failures = 0;
  const isOver = (): boolean => signal.aborted || failures >= bail;
  const workAsync = async (number: number): Promise<void> => {
    await using runner = options.newRunner();
    let last: TestFile | undefined;
    try {
      for (let file = takeNext(waiting); file !== undefined && !isOver(); file = takeNext(waiting, last)) {
        last = file;
        for (const client of clientsOf(file.context))
          if (!isOver())
            failures += await runWithRetriesAsync({ file, client, runner, worker: number }, options);
      }
    } catch (error) {
      // What an interruption breaks is no failure of its own; the run ends with what there is.
      if (!signal.aborted) throw error;
    }
  };
  const totalMs = files.reduce((sum, file) => sum + (expectedMs(file) ?? UNKNOWN_MS), 0);
  const count = Math.max(1, Math.min(options.workers, files.length, Math.ceil(totalMs / WORTH_MS)));
  await Promise.all(Array.from({ length: count }, (_, index) => workAsync(index + 1)));
  if (signal.aborted) return "interrupted";
  return failures >= bail && waiting.length > 0 ? "bail" : undefined;
}

/** The first one that needs no other play test than the last, and else the first. */
function takeNext(waiting: TestFile[], last?: TestFile): TestFile | undefined {
  const at =
    last === undefined ? 0 : waiting.findIndex(({ context }) => isSameContext(context, last.context));
  return waiting.splice(Math.max(0, at), 1)[0];
}

/** How many cases of the file failed in the last try of each. */
async function runWithRetriesAsync(run: Omit<FileRun, "attempt">, options: RunOptions): Promise<number> {
  let outcome: FileOutcome = await runFileAsync({ ...run, attempt: 1 }, options);
  const tries = run.file.fault === undefined ? options.retries + 1 : 1;
  for (let attempt = 2; attempt <= tries && outcome.failed.length > 0; attempt += 1) {
    if (options.signal.aborted) break;
    const only = outcome.failed.includes(FILE_CASE) ? {} : { only: new Set(outcome.failed) };
    outcome = await runFileAsync({ ...run, attempt, ...only }, options);
  }
  return outcome.failed.length;
}
