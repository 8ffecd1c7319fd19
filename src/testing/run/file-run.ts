/** Runs one file once. Where a case takes along what runs it, the cases that are left run afterwards. */
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { ScriptsUsed } from "../../headless/index.ts";
import type { Report, SnapshotMode } from "../events.ts";
import type { IsOfFramework } from "../discovery/framework-scripts.ts";
import type { FileOfScript } from "../frames.ts";
import type { HarnessCase, ScriptHits } from "../harness-events.ts";
import type { TestFile } from "../test-file.ts";
import { type FileOutcome, FileRecord } from "./file-record.ts";
import type { TestRunner } from "./runner.ts";

export interface FileRunOptions {
  readonly caseTimeoutMs: number;
  readonly fileTimeoutMs: number;
  readonly snapshots: SnapshotMode;
  readonly choose?: (file: TestFile, cases: readonly HarnessCase[]) => readonly string[];
  /** How often failed cases are tried again. */
  readonly retries: number;
  /** Of the order of cases; undefined for that of their file. */
  readonly seed?: number;
  /** Ends the run when it is aborted: by a person, or because the time of the run is over. */
  readonly signal: AbortSignal;
  readonly fileOfScript: FileOfScript;
  /** Scripts that stacks leave out. */
  readonly isOfFramework?: IsOfFramework;
  readonly report: Report;
  /** Hears which lines of the project have run, where that is counted. */
  readonly addHits?: (scripts: readonly ScriptHits[]) => void;
  /** Told which scripts a file has used, after each try. */
  readonly onUsed?: (file: TestFile, used: ScriptsUsed | undefined) => void;
}

/** What is wrong with the whole run, and not with one file. */
const ENDS_RUN = new Set<StudioBridgeError["code"]>(["CANCELLED", "COVERAGE_UNAVAILABLE"]);

/** One try of a file. */
export interface FileRun {
  readonly file: TestFile;
  /** The client that it runs in, from 1; absent where it runs in no client. */
  readonly client?: number | undefined;
  readonly runner: TestRunner;
  /** The number of the worker, from 1. */
  readonly worker: number;
  /** Counts from 1. */
  readonly attempt: number;
  /** Counts from 1 where each file runs several times. */
  readonly repeat?: number;
  /** The place is to be as it was opened. */
  readonly isFresh: boolean;
  /** The harness is to tell which Instances the file leaves. */
  readonly tellsLeft: boolean;
  /** The only cases that run, by their ids; undefined for all. */
  readonly only?: ReadonlySet<string>;
}

export async function runFileAsync(
  { runner, only, isFresh, tellsLeft, ...run }: FileRun,
  {
    caseTimeoutMs,
    fileTimeoutMs,
    snapshots,
    choose,
    retries,
    seed,
    fileOfScript,
    isOfFramework,
    report,
    addHits,
    onUsed,
    signal,
  }: FileRunOptions,
): Promise<FileOutcome> {
  const { file, client, repeat = 1 } = run;
  const hasFailed = run.attempt > 1 && only === undefined;
  const record = new FileRecord({ ...run, hasFailed, fileOfScript, isOfFramework, report, addHits });
  if (file.fault !== undefined) {
    record.fail({ message: file.fault, frames: [] });
    return record.end(0);
  }
  const chosen = (cases: readonly HarnessCase[]): readonly string[] => {
    record.add({ type: "plan", cases: [...cases] });
    const ids = choose?.(file, cases) ?? cases.map(({ id }) => id);
    return only === undefined ? ids : ids.filter((id) => only.has(id));
  };
  for (;;) {
    try {
      await runner.runAsync({
        file,
        ...(client === undefined ? {} : { client }),
        caseTimeoutMs,
        fileTimeoutMs: Math.max(1, Math.ceil(fileTimeoutMs - record.elapsedMs)),
        isFresh,
        tellsLeft,
        // Each repetition has an order of its own, which `--random` shows again with this seed.
        ...(seed === undefined ? {} : { seed: seed + repeat - 1 }),
        snapshots,
        done: record.done,
        onReady: () => record.ready(),
        ...(choose === undefined && only === undefined ? {} : { choose: chosen }),
        onEvent: (event) => {
          if (!signal.aborted) record.add(event);
        },
        ...(onUsed === undefined ? {} : { onUsed: (used) => onUsed(file, used) }),
        signal,
      });
      // What the harness sends after an interruption is not heard, its end neither.
      if (!record.hasEnded) signal.throwIfAborted();
      // A run that broke off without an error must not count as one that passed.
      if (!record.hasEnded) record.fail({ message: "the run of this file broke off", frames: [] });
      break;
    } catch (error) {
      if (signal.aborted) {
        // A case that a person interrupts has not failed; one that uses up the time of the run has.
        if (isRunOver(signal))
          record.lose({ message: "the time of the run is over", frames: [], isTimeout: true });
        record.cut();
        throw error;
      }
      if (!(error instanceof StudioBridgeError) || ENDS_RUN.has(error.code)) throw error;
      const isTimeout = error.code === "TIMEOUT";
      const isCase = record.lose({ message: error.message, frames: [], isTimeout });
      if (!isCase || isTimeout) break;
    }
  }
  return record.end(retries);
}

/** True where the time of the run is over (AbortSignal.timeout), and no person has ended it. */
export const isRunOver = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof DOMException && reason.name === "TimeoutError";
