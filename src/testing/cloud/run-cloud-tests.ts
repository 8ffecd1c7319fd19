/**
 * Runs test files on servers of Roblox. It divides them into few tasks with several files each, and runs as many tasks at a
 * time as the places allow. A task gives its results when it has ended; then they become events of the run.
 */
import { CANCELLED, TaskFault } from "../../cloud/open-cloud.ts";
import type { OpenCloud } from "../../cloud/open-cloud.ts";
import type { PlaceContent } from "../../headless/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { FILE_CASE } from "../events.ts";
import type { HarnessEvent } from "../harness-events.ts";
import { type FileOutcome, FileRecord } from "../run/file-record.ts";
import { isRunOver } from "../run/file-run.ts";
import type { RunOptions } from "../run/run-tests.ts";
import { coverageUnavailable } from "../coverage/unavailable.ts";
import type { TestContext } from "../test-context.ts";
import type { TestFile } from "../test-file.ts";
import { chunksOf } from "./chunks.ts";
import { ANSWER_LOST, type CloudSite, CloudTasks } from "./cloud-tasks.ts";
import { type Slot, Slots } from "./slots.ts";
import type { FileResults, TaskResults } from "./task-results.ts";
import type { TaskRequest } from "./task-script.ts";

export interface CloudRunOptions extends Omit<RunOptions, "newRunner" | "workers"> {
  readonly connect: (signal: AbortSignal) => OpenCloud;
  readonly site: CloudSite;
  readonly place: PlaceContent | undefined;
  readonly setup: TaskRequest["setup"];
  readonly covered: TaskRequest["covered"];
  /** Shows a sentence to people. */
  readonly tell: (text: string) => void;
}

type Choose = NonNullable<RunOptions["choose"]>;

/** One try of a file. */
interface Part {
  readonly file: TestFile;
  /** The number of the try, from 1. */
  readonly try: number;
  /** The number of the repetition, from 1; absent if files run only once. */
  readonly repeat?: number;
  /** The seed of a random order of cases; undefined for the order in the file. */
  readonly seed?: number | undefined;
  /** The file itself has failed in the try before. */
  readonly hasFailed?: boolean;
  /** Ids of the cases to run; undefined for all. */
  readonly ids?: readonly string[] | undefined;
  /** The cases of the file, from which the ids were chosen. */
  readonly plan?: HarnessEvent;
}

/** The content of one task. */
interface Chunk {
  readonly parts: readonly Part[];
  /** The number of earlier tasks with these files that gave no results. */
  readonly losses: number;
}

/** Resolves when all files have run, or with the reason why the run ended early. Throws if tasks cannot run at all. */
export async function runCloudTestsAsync(
  options: CloudRunOptions,
): Promise<"bail" | "interrupted" | "timeout" | undefined> {
  const { signal, site, tell } = options;
  const control = new AbortController();
  const cloud = options.connect(AbortSignal.any([signal, control.signal]));
  const tasks = new CloudTasks(cloud, site, options.place);
  const run = new CloudRun(options, tasks);
  const where = `${site.places.length === 1 ? "place" : "places"} ${site.places.join(", ")}`;
  tell(`Tests run in universe ${site.universe}, ${where}. Data stores there are the real ones.`);
  try {
    await run.runAsync();
  } catch (error) {
    if (!signal.aborted) throw error instanceof TaskFault ? unusable(error) : error;
  } finally {
    control.abort();
  }
  if (!signal.aborted) return run.isBailed ? "bail" : undefined;
  const { running } = tasks;
  if (running > 0)
    tell(
      `${running} ${running === 1 ? "task keeps" : "tasks keep"} running in the cloud and will end without this command, because Open Cloud has no call that ends a task.`,
    );
  return isRunOver(signal) ? "timeout" : "interrupted";
}

class CloudRun {
  readonly #options: CloudRunOptions;
  readonly #tasks: CloudTasks;
  readonly #slots: Slots;
  #failures = 0;
  #hasResults = false;
  #left = 0;

  constructor(options: CloudRunOptions, tasks: CloudTasks) {
    this.#options = options;
    this.#tasks = tasks;
    this.#slots = new Slots(options.site.places);
  }

  /** True if the run ended early because of --bail. */
  get isBailed(): boolean {
    return this.#isOver && this.#left > 0;
  }

  get #isOver(): boolean {
    return this.#failures >= (this.#options.bail ?? Infinity);
  }

  async runAsync(): Promise<void> {
    const { expectedMs, isolation } = this.#options;
    const parts = await this.#partsAsync();
    this.#left = parts.length;
    const wanted = parts.filter(({ ids }) => ids === undefined || ids.length > 0);
    for (const part of parts) if (!wanted.includes(part)) this.#reportFile(part, unchosen(part), 1);
    const alone = isolation === "file";
    const chunks = alone ? wanted.map((part) => [part]) : chunksOf(wanted, ({ file }) => expectedMs(file));
    await Promise.all(chunks.map((chunk) => this.#chunkAsync({ parts: chunk, losses: 0 })));
  }

  /** The tries with which the run begins. If cases are chosen, a task lists them first. */
  async #partsAsync(): Promise<readonly Part[]> {
    const { files, choose, repeats = 1, seed } = this.#options;
    const once = files.filter((file) => this.#canRun(file)).map((file): Part => ({ file, try: 1, seed }));
    const parts = choose === undefined ? once : await this.#chosenAsync(once, choose);
    if (repeats === 1) return parts;
    return Array.from({ length: repeats }, (_, index) => index + 1).flatMap((repeat) =>
      parts.map((part) => ({ ...part, repeat, seed: seed === undefined ? undefined : seed + repeat - 1 })),
    );
  }

  /** Returns false for a file that cannot run in the cloud, and reports it as failed. */
  #canRun(file: TestFile): boolean {
    const fault = file.fault ?? (hasClients(file.context) ? "Luau Execution has no clients" : undefined);
    if (fault === undefined) return true;
    const { fileOfScript, isOfFramework, report } = this.#options;
    const record = new FileRecord({ file, try: 1, worker: 1, fileOfScript, isOfFramework, report });
    record.fail({ message: fault, frames: [] });
    record.end(0);
    this.#failures += 1;
    return false;
  }

  /** Lists the cases of the files in one task, and keeps those that `choose` names. */
  async #chosenAsync(parts: readonly Part[], choose: Choose): Promise<readonly Part[]> {
    if (parts.length === 0) return parts;
    const results = await this.#slots.useAsync((slot) => this.#taskAsync(slot, parts, true));
    return parts.map((part, index): Part => {
      const plan = results.files.get(index + 1)?.events.find((event) => event.type === "plan");
      // A file without a list of cases cannot be loaded. It runs nevertheless, so that its error is reported.
      return plan === undefined ? part : { ...part, ids: choose(part.file, plan.cases), plan };
    });
  }

  /** Runs a chunk in a task, and then in further tasks whatever has to run again. */
  async #chunkAsync(chunk: Chunk): Promise<void> {
    const next = await this.#slots.useAsync(async (slot) =>
      this.#isOver ? [] : this.#runOnceAsync(chunk, slot),
    );
    await Promise.all(next.map((further) => this.#chunkAsync(further)));
  }

  async #runOnceAsync(chunk: Chunk, slot: Slot): Promise<readonly Chunk[]> {
    try {
      return this.#reportResults(chunk, await this.#taskAsync(slot, chunk.parts, false), slot);
    } catch (error) {
      if (error instanceof TaskFault && !this.#options.signal.aborted)
        return await this.#afterLossAsync(chunk, error, slot);
      throw error;
    }
  }

  async #taskAsync(slot: Slot, parts: readonly Part[], lists: boolean): Promise<TaskResults> {
    const { setup, covered, snapshots, caseTimeoutMs, fileTimeoutMs } = this.#options;
    const results = await this.#tasks.runAsync(slot.place, {
      files: parts,
      lists,
      setup,
      covered: lists ? undefined : covered,
      snapshots,
      caseTimeoutMs,
      fileTimeoutMs,
    });
    this.#hasResults = true;
    if (results.broken !== undefined) throw unprepared(results.broken);
    return results;
  }

  /** Reports the files of a task. Returns the chunks that have to run next: failed cases, and files that had no time to begin. */
  #reportResults({ parts }: Chunk, results: TaskResults, { number }: Slot): readonly Chunk[] {
    const { retries } = this.#options;
    const unrun: Part[] = [];
    const again: Part[] = [];
    for (const [index, part] of parts.entries()) {
      const fileResults = results.files.get(index + 1);
      if (fileResults === undefined) {
        unrun.push(part);
        continue;
      }
      const { failed } = this.#reportFile(part, fileResults, number);
      if (failed.length > 0 && part.try <= retries)
        again.push({
          ...part,
          try: part.try + 1,
          hasFailed: failed.includes(FILE_CASE),
          ids: failed.includes(FILE_CASE) ? part.ids : failed,
        });
    }
    return [unrun, again].filter(({ length }) => length > 0).map((next) => ({ parts: next, losses: 0 }));
  }

  /**
   * Decides what follows a task without results. It runs once more, because the cause may be an accident. If the second task
   * has no results either, each file gets a task of its own, because one file may be the cause.
   */
  async #afterLossAsync({ parts, losses }: Chunk, fault: TaskFault, slot: Slot): Promise<readonly Chunk[]> {
    const isLate = fault.code === "DEADLINE_EXCEEDED";
    const isFirst = losses === 0 && !isLate;
    // A task that a user has stopped is not repeated, and tests that run in another task do not run twice.
    const mayRunAgain = fault.code !== CANCELLED && fault.code !== ANSWER_LOST;
    if (fault.code === "LOST") await this.#checkPlaceAsync(slot);
    else if (isFirst && mayRunAgain) return [{ parts, losses: 1 }];
    if (mayRunAgain && (isFirst || parts.length > 1))
      return parts.map((part) => ({ parts: [part], losses: 1 }));
    const text = faultText(fault, losses > 0 ? ["A second task had no results either."] : []);
    for (const part of parts) this.#reportFile(part, { ...NOTHING, isLate, fault: text }, slot.number);
    return [];
  }

  /**
   * A task that never ended may be one of a place that cannot be loaded. A task without files then does not end either, and its
   * error ends the run.
   */
  async #checkPlaceAsync(slot: Slot): Promise<void> {
    if (!this.#hasResults) await this.#taskAsync(slot, [], true);
  }

  #reportFile(
    { file, try: tryNumber, repeat, hasFailed = false }: Part,
    results: FileResults,
    worker: number,
  ): FileOutcome {
    const { fileOfScript, isOfFramework, allowedErrors, report, addHits, retries } = this.#options;
    const repetition = repeat === undefined ? {} : { repeat };
    const record = new FileRecord({
      file,
      try: tryNumber,
      hasFailed,
      worker,
      fileOfScript,
      isOfFramework,
      allowedErrors,
      report,
      addHits,
      ...repetition,
    });
    for (const event of results.events) record.add(event);
    if (results.fault !== undefined)
      record.lose({ message: results.fault, frames: [], isTimeout: results.isLate });
    else if (results.isLate)
      record.lose({
        message: `the file did not end in ${Math.round(results.durationMs / 1000)} s`,
        frames: [],
        isTimeout: true,
      });
    else if (!record.hasEnded) record.fail({ message: "the run of this file broke off", frames: [] });
    const outcome = record.end(retries, results.durationMs);
    if (tryNumber > retries || outcome.failed.length === 0) {
      this.#failures += outcome.failed.length;
      this.#left -= 1;
    }
    return outcome;
  }
}

/** The results of a file that no task gave. */
const NOTHING: FileResults = { events: [], durationMs: 0, isLate: false };

/** The results of a file of which no case was chosen, so that no task runs it. */
const unchosen = ({ plan }: Part): FileResults => ({
  ...NOTHING,
  events: [...(plan === undefined ? [] : [plan]), { type: "end" }],
});

/** Roblox's code and message with the task, the given sentences, the next step, and the end of the task's log. */
function faultText({ code, message, path, log }: TaskFault, sentences: readonly string[] = []): string {
  const next = NEXT_STEPS[code];
  return [
    `${code}: ${message} (${path})`,
    ...sentences,
    ...(next === undefined ? [] : [next]),
    ...(log.length === 0 ? [] : ["The log ends with:", ...log]),
  ].join("\n");
}

/** The next step for people after a task without results, by its code. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  [ANSWER_LOST]: "The results of that task cannot be read. Run the tests again when it has ended.",
  DEADLINE_EXCEEDED: "Split the file, or give it more time with --file-timeout (5 minutes at most).",
  INTERNAL_ERROR: "Roblox's service failed: run the tests again later.",
  NO_OUTPUT: "Run the tests again; with fewer tests in a file its results are smaller.",
  OUTPUT_SIZE_LIMIT_EXCEEDED: "Let the tests of the file print less, or split the file.",
  SCRIPT_ERROR:
    "See the end of the log for what ran last; `sb test` without --on shows whether the file is at fault.",
  [CANCELLED]: "Run the tests again when the place is free.",
};

function unusable(fault: TaskFault): StudioBridgeError {
  return new StudioBridgeError("CLOUD_FAILED", `A task in the cloud gave no results: ${faultText(fault)}`, {
    data: { cloudCode: fault.code, task: fault.path },
    ...(fault.code === "LOST"
      ? { hint: "Open the place in Studio, to see that it can be loaded, and run the tests again." }
      : {}),
  });
}

function unprepared({
  step,
  message,
}: {
  readonly step: string;
  readonly message: string;
}): StudioBridgeError {
  if (step === "place")
    return new StudioBridgeError("CLOUD_FAILED", `The place could not be unpacked in the cloud: ${message}`, {
      hint: 'Set "upload": "save" under test.cloud in sb.config.json; the place is then uploaded as a version.',
    });
  if (step === "coverage")
    // UNVERIFIED: servers of Roblox may not count lines. The documentation of ScriptContext:EnableCoverage says that it then
    // raises an error, which this shows.
    return coverageUnavailable("in the cloud", message);
  return new StudioBridgeError("SCRIPT_RUNTIME_ERROR", `In the cloud, the ${step} failed: ${message}`);
}

const hasClients = ({ kind, players }: TestContext): boolean => kind === "client" || players > 1;
