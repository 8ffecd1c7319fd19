/** Runs test files with the runners of any target: it gives files to workers, retries failed cases, and may end the run early. */
import { type Counted, NOTHING_COUNTED } from "../../protocol/caveats.ts";
import { FILE_CASE } from "../events.ts";
import { clientsOf, isSameContext } from "../test-context.ts";
import type { TestFile } from "../test-file.ts";
import type { FileOutcome } from "./file-record.ts";
import { type FileRun, type FileRunOptions, isRunOver, runFileAsync } from "./file-run.ts";
import type { NewRunner, TestRunner } from "./runner.ts";
import type { Isolation } from "./run-words.ts";

export interface RunOptions extends FileRunOptions {
  /** The files, in the order in which they begin. */
  readonly files: readonly TestFile[];
  /** The duration of a file in the history; undefined if it is not known. */
  readonly expectedMs: (file: TestFile) => number | undefined;
  readonly newRunner: NewRunner;
  /** The largest number of runners. */
  readonly workers: number;
  /**
   * The isolation of files; `file` by default. Jest files need it too, although Jest isolates modules itself: only a fresh place
   * shows which scripts a file uses, and a return costs less than the runtime that Jest would otherwise make for the next file.
   */
  readonly isolation?: Isolation;
  /** The number of times that each file runs; 1 by default. */
  readonly repeats?: number;
  /** The number of failed cases after which the run ends. */
  readonly bail?: number;
  /** Hears from each runner, at its end, what its Studios have done otherwise than Roblox Studio. */
  readonly onCounted?: (counted: Counted) => void;
}

/** One run of a file: with its client and the number of its repetition. */
type Task = Pick<FileRun, "file" | "client" | "repeat">;

/** The work for which another worker is started. Less work would not pay for the start of its runner. */
const WORTH_MS = 500;
/** The assumed duration of a file without a history. */
const UNKNOWN_MS = 100;
/** The overhead of a file beside its own duration: the return of the place and the start of the next file. */
const BETWEEN_MS = 3;

/** Resolves when all files have run, or with the reason why the run ended early. Throws if a runner cannot start. */
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
      while (!isOver()) {
        const task = takeNext(waiting, last);
        if (task === undefined) break;
        last = task;
        failures += await worker.runAsync(task);
      }
      if (options.onCounted !== undefined)
        options.onCounted((await runner.takeCountedAsync?.()) ?? NOTHING_COUNTED);
    } catch (error) {
      // Errors after an interruption follow from it and are ignored. The run ends with the results so far.
      if (!signal.aborted) throw error;
    }
  };
  const count = Math.min(options.workers, tasks.length, Math.max(1, Math.ceil(totalMs / WORTH_MS)));
  await Promise.all(Array.from({ length: count }, (_, index) => workAsync(index + 1)));
  if (signal.aborted) return isRunOver(signal) ? "timeout" : "interrupted";
  return failures >= bail && waiting.length > 0 ? "bail" : undefined;
}

/** Takes the first task with the same context as the last one, which needs no new play test; if there is none, the first. */
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

/** Runs files with one runner. It remembers whether the place still is as it was opened. */
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

  /** Runs a task with its retries. Resolves with the number of cases that failed in their last try. */
  async runAsync(task: Task): Promise<number> {
    const { signal } = this.#options;
    const retries = task.file.fault === undefined ? this.#options.retries : 0;
    let outcome: FileOutcome = await this.#tryAsync(task, 1);
    for (let tryNumber = 2; tryNumber <= retries + 1 && outcome.failed.length > 0; tryNumber += 1) {
      if (signal.aborted) break;
      const only = outcome.failed.includes(FILE_CASE) ? undefined : new Set(outcome.failed);
      outcome = await this.#tryAsync(task, tryNumber, only);
    }
    return outcome.failed.length;
  }

  async #tryAsync(task: Task, tryNumber: number, only?: ReadonlySet<string>): Promise<FileOutcome> {
    const [runner, worker] = [this.#runner, this.#number];
    const { isolation = "file" } = this.#options;
    // Not in a play test, because the scripts of the place make Instances there too.
    const tellsLeft = isolation !== "file" && task.file.context.kind === "edit";
    const isFresh = isolation === "file" || tryNumber > 1 || (isolation === "worker" && !this.#isClean);
    const outcome = await runFileAsync(
      {
        ...task,
        runner,
        worker,
        try: tryNumber,
        isFresh,
        tellsLeft,
        ...(only === undefined ? {} : { only }),
      },
      this.#options,
    );
    // If the harness did not search for Instances, the file may have left some.
    this.#isClean = tellsLeft && outcome.leaked.length === 0;
    return outcome;
  }
}
