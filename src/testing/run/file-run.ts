/** Runs one file once, which is one try. If a case ends the Studio, the remaining cases run in a new one. */
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { ScriptsUsed } from "../../headless/index.ts";
import type { Report, SnapshotMode } from "../events.ts";
import type { IsOfFramework } from "../discovery/framework-scripts.ts";
import type { FileOfScript } from "../frames.ts";
import type { HarnessCase, ScriptHits } from "../harness-events.ts";
import type { PictureBook } from "../pictures/picture-book.ts";
import type { TestFile } from "../test-file.ts";
import { type FileOutcome, FileRecord } from "./file-record.ts";
import type { FileJob, TestRunner } from "./runner.ts";

export interface FileRunOptions {
  readonly caseTimeoutMs: number;
  readonly fileTimeoutMs: number;
  readonly snapshots: SnapshotMode;
  readonly choose?: (file: TestFile, cases: readonly HarnessCase[]) => readonly string[];
  /** Opens the expected pictures of a file; absent if the run compares none. */
  readonly openPictures?: (file: TestFile, client: number | undefined) => PictureBook;
  /** The number of times that failed cases are tried again. */
  readonly retries: number;
  /** The seed of a random order of cases; undefined for the order in the file. */
  readonly seed?: number;
  /** Aborted by an interruption, or when the time of the run is over. */
  readonly signal: AbortSignal;
  readonly fileOfScript: FileOfScript;
  /** True for scripts that stacks leave out. */
  readonly isOfFramework?: IsOfFramework;
  /** Messages of uncaught errors that are no failures. */
  readonly allowedErrors?: readonly RegExp[];
  readonly report: Report;
  /** Receives the hits of lines, if lines are counted. */
  readonly addHits?: (scripts: readonly ScriptHits[]) => void;
  /** Called after each try with the scripts that the file has used. */
  readonly onUsed?: (file: TestFile, used: ScriptsUsed | undefined) => void;
}

/** Codes of errors that end the whole run and do not fail the file. */
const ENDS_RUN = new Set<StudioBridgeError["code"]>(["CANCELLED", "COVERAGE_UNAVAILABLE"]);

/** One try of a file. */
export interface FileRun {
  readonly file: TestFile;
  /** The number of the client in which it runs, from 1; absent if it runs in no client. */
  readonly client?: number | undefined;
  readonly runner: TestRunner;
  /** The number of the worker, from 1. */
  readonly worker: number;
  /** The number of the try, from 1. */
  readonly try: number;
  /** The number of the repetition, from 1; absent if files run only once. */
  readonly repeat?: number;
  /** True if the file needs the place as it was opened. */
  readonly isFresh: boolean;
  /** True if the harness sends the Instances that the file leaves. */
  readonly tellsLeft: boolean;
  /** Ids of the cases to run; undefined for all. */
  readonly only?: ReadonlySet<string>;
}

export async function runFileAsync(run: FileRun, options: FileRunOptions): Promise<FileOutcome> {
  const { file, only } = run;
  const { fileOfScript, isOfFramework, allowedErrors, report, addHits } = options;
  const record = new FileRecord({
    ...run,
    hasFailed: run.try > 1 && only === undefined,
    fileOfScript,
    isOfFramework,
    allowedErrors,
    report,
    addHits,
  });
  if (file.fault !== undefined) {
    record.fail({ message: file.fault, frames: [] });
    return record.end(0);
  }
  const pictures = options.openPictures?.(file, run.client);
  let isOver = false;
  while (!isOver) isOver = await runRestAsync(run, { ...options, pictures }, record);
  const isWhole = only === undefined && options.choose === undefined && record.hasPassedWhole;
  const counts = await pictures?.closeAsync(isWhole);
  if (counts !== undefined) record.addPictures(counts);
  return record.end(options.retries);
}

type RestOptions = FileRunOptions & { readonly pictures: PictureBook | undefined };

/** Runs the cases that are not over. False if one of them has ended the Studio, so that the others still have to run. */
async function runRestAsync(run: FileRun, options: RestOptions, record: FileRecord): Promise<boolean> {
  const { signal } = options;
  try {
    await run.runner.runAsync(jobOf(run, options, record));
    // After an interruption, events of the harness are ignored, even its end.
    if (!record.hasEnded) signal.throwIfAborted();
    // A run that broke off without an error must not count as passed.
    if (!record.hasEnded) record.fail({ message: "the run of this file broke off", frames: [] });
    return true;
  } catch (error) {
    if (signal.aborted) {
      // An interrupted case has not failed. A case that runs when the time of the run is over has failed.
      if (isRunOver(signal))
        record.lose({ message: "the time of the run is over", frames: [], isTimeout: true });
      record.cut();
      throw error;
    }
    if (!(error instanceof StudioBridgeError) || ENDS_RUN.has(error.code)) throw error;
    const isTimeout = error.code === "TIMEOUT";
    const isCase = record.lose({ message: error.message, frames: [], isTimeout });
    return !isCase || isTimeout;
  }
}

/** What the runner gets for the cases that are not over. */
function jobOf(
  { file, client, only, isFresh, tellsLeft, repeat = 1 }: FileRun,
  { choose, caseTimeoutMs, fileTimeoutMs, snapshots, pictures, seed, onUsed, signal }: RestOptions,
  record: FileRecord,
): FileJob {
  const chosen = (cases: readonly HarnessCase[]): readonly string[] => {
    record.add({ type: "plan", cases: [...cases] });
    const ids = choose?.(file, cases) ?? cases.map(({ id }) => id);
    return only === undefined ? ids : ids.filter((id) => only.has(id));
  };
  return {
    file,
    ...(client === undefined ? {} : { client }),
    caseTimeoutMs,
    fileTimeoutMs: Math.max(1, Math.ceil(fileTimeoutMs - record.elapsedMs)),
    isFresh,
    tellsLeft,
    // Each repetition has its own order. `--random` with this seed repeats it.
    ...(seed === undefined ? {} : { seed: seed + repeat - 1 }),
    snapshots,
    pictures,
    onDifference: (picture) => record.addDifference(picture),
    done: record.done,
    onReady: () => record.ready(),
    ...(choose === undefined && only === undefined ? {} : { choose: chosen }),
    onEvent: (event) => {
      if (!signal.aborted) record.add(event);
    },
    ...(onUsed === undefined ? {} : { onUsed: (used) => onUsed(file, used) }),
    signal,
  };
}

/** True if the signal was aborted because the time of the run is over (AbortSignal.timeout). */
export const isRunOver = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof DOMException && reason.name === "TimeoutError";
