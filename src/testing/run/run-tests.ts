/** Runs test files in any target: which worker takes which file, retries, and when the run ends early. */
import { FILE_CASE } from "../events.ts";
import { clientsOf, isSameContext } from "../test-context.ts";
import type { TestFile } from "../test-file.ts";
import type { FileOutcome } from "./file-record.ts";
import { type FileRun, type FileRunOptions, isRunOver, runFileAsync } from "./file-run.ts";
import type { NewRunner, TestRunner } from "./runner.ts";
import type { Isolation } from "./run-words.ts";

export interface RunOptions extends FileRunOptions {
  /** In the order in which they are begun. */
  readonly files: readonly TestFile[];
  /** How long a file took the last time; undefined where that is not known. */
  readonly expectedMs: (file: TestFile) => number | undefined;
  readonly newRunner: NewRunner;
  /** How many runners there are at most. */
  readonly workers: number;
  /**
   * What files share; nothing without it. Jest isolates modules itself, but only a fresh place tells which scripts a file has
   * used, and returning to it costs less than the runtime that Jest would have to make for the next file.
   */
  readonly isolation?: Isolation;
  /** How often each file runs; once without it. */
  readonly repeats?: number;
  /** Ends the run after so many failed cases. */
  readonly bail?: number;
}

/** A file, in which client it runs, and which of its repetitions. */
type Task = Pick<FileRun, "file" | "client" | "repeat">;

/** A further worker pays off only where this much work is left for it, as its runner must start first. */
const WORTH_MS = 500;
/** What a file of unknown duration is taken for. */
const UNKNOWN_MS = 100;
/** What a file costs beside its own duration: its place is put back, and the next file is begun. */
const BETWEEN_MS = 3;

/** Resolves when all files have run, or with why not all of them have. Throws what keeps runners from starting. */
export async function runTestsAsync(
  options: RunOptions,
): Promise<"bail" | "interrupted" | "timeout" | undefined> {
  const { expectedMs, signal, bail = Infinity } = options;
  const tasks = tasksOf(options);
  const totalMs = tasks.reduce((sum, { file }) => sum + (expectedMs(file) ?? UNKNOWN_MS) + BETWEEN_MS, 0);
  const waiting = [...tasks];
  let failures = 0;
  const isOver = (): boolean => signal.aborted || failures >= bail;
  const workAsync = async (number: number): Promise<void> => {
    await using runner = options.newRunner();
    const worker = new Worker(runner, number, options);
    let last: Task | undefined;
    try {
      await runner.startAsync?.(signal);
      for (let task = takeNext(waiting); task !== undefined && !isOver(); task = takeNext(waiting, last)) {
        last = task;
        failures += await worker.runAsync(task);
      }
    } catch (error) {
      // What an interruption breaks is no failure of its own; the run ends with what there is.
      if (!signal.aborted) throw error;
    }
  };
  const count = Math.max(1, Math.min(options.workers, tasks.length, Math.ceil(totalMs / WORTH_MS)));
  await Promise.all(Array.from({ length: count }, (_, index) => workAsync(index + 1)));
  if (signal.aborted) return isRunOver(signal) ? "timeout" : "interrupted";
  return failures >= bail && waiting.length > 0 ? "bail" : undefined;
}

/** The first one that needs no other play test than the last, and else the first. */
function takeNext(waiting: Task[], last?: Task): Task | undefined {
  const at =
    last === undefined ? 0 : waiting.findIndex(({ file }) => isSameContext(file.context, last.file.context));
  return waiting.splice(Math.max(0, at), 1)[0];
}

function tasksOf({ files, repeats = 1 }: RunOptions): Task[] {
  const tasks = files.flatMap((file) => clientsOf(file.context).map((client): Task => ({ file, client })));
  if (repeats === 1) return tasks;
  return Array.from({ length: repeats }, (_, index) => index + 1).flatMap((repeat) =>
    tasks.map((task) => ({ ...task, repeat })),
  );
}

/** Runs files in one runner, and knows whether the last one has left the place as it was opened. */
class Worker {
  readonly #runner: TestRunner;
  readonly #number: number;
  readonly #options: RunOptions;
  #isClean = true;

  constructor(runner: TestRunner, number: number, options: RunOptions) {
    this.#runner = runner;
    this.#number = number;
    this.#options = options;
  }

  /** How many cases failed in the last try of each. */
  async runAsync(task: Task): Promise<number> {
    const { signal } = this.#options;
    const retries = task.file.fault === undefined ? this.#options.retries : 0;
    let outcome: FileOutcome = await this.#tryAsync(task, 1);
    for (let attempt = 2; attempt <= retries + 1 && outcome.failed.length > 0; attempt += 1) {
      if (signal.aborted) break;
      const only = outcome.failed.includes(FILE_CASE) ? undefined : new Set(outcome.failed);
      outcome = await this.#tryAsync(task, attempt, only);
    }
    return outcome.failed.length;
  }

  async #tryAsync(task: Task, attempt: number, only?: ReadonlySet<string>): Promise<FileOutcome> {
    const [runner, worker] = [this.#runner, this.#number];
    const { isolation = "file" } = this.#options;
    // In a play test the scripts of the place make Instances too.
    const tellsLeft = isolation !== "file" && task.file.context.kind === "edit";
    const isFresh = isolation === "file" || attempt > 1 || (isolation === "worker" && !this.#isClean);
    const outcome = await runFileAsync(
      { ...task, runner, worker, attempt, isFresh, tellsLeft, ...(only === undefined ? {} : { only }) },
      this.#options,
    );
    // A file that was not asked may have left anything.
    this.#isClean = tellsLeft && outcome.leaked.length === 0;
    return outcome;
  }
}
