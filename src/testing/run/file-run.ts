/** Runs one file once. Where a case takes along what runs it, the cases that are left run afterwards. */
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { Report } from "../events.ts";
import type { FileOfScript } from "../frames.ts";
import type { HarnessCase } from "../harness-events.ts";
import type { TestFile } from "../test-file.ts";
import { type FileOutcome, FileRecord } from "./file-record.ts";
import type { TestRunner } from "./runner.ts";

export interface FileRunOptions {
  readonly caseTimeoutMs: number;
  readonly fileTimeoutMs: number;
  readonly choose?: (file: TestFile, cases: readonly HarnessCase[]) => readonly string[];
  /** How often failed cases are tried again. */
  readonly retries: number;
  readonly fileOfScript: FileOfScript;
  readonly report: Report;
  /** Interrupts the run. */
  readonly signal: AbortSignal;
}

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
  /** The only cases that run, by their ids; undefined for all. */
  readonly only?: ReadonlySet<string>;
}

export async function runFileAsync(
  { file, client, runner, worker, attempt, only }: FileRun,
  { caseTimeoutMs, fileTimeoutMs, choose, retries, fileOfScript, report, signal }: FileRunOptions,
): Promise<FileOutcome> {
  const record = new FileRecord({ file, client, attempt, worker, fileOfScript, report });
  if (file.fault !== undefined) {
    record.fail({ message: file.fault, frames: [] });
    return record.end(0);
  }
  const chosen = (cases: readonly HarnessCase[]): readonly string[] => {
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
        done: record.done,
        ...(choose === undefined && only === undefined ? {} : { choose: chosen }),
        onEvent: (event) => {
          if (!signal.aborted) record.add(event);
        },
        signal,
      });
      // A run that broke off without an error must not count as one that passed.
      if (!record.hasEnded) record.fail({ message: "the run of this file broke off", frames: [] });
      break;
    } catch (error) {
      // A case that an interruption ends has not failed.
      if (signal.aborted) {
        record.cut();
        throw error;
      }
      if (!(error instanceof StudioBridgeError) || error.code === "CANCELLED") throw error;
      const isTimeout = error.code === "TIMEOUT";
      const isCase = record.lose({ message: error.message, frames: [], isTimeout });
      if (!isCase || isTimeout) break;
    }
  }
  return record.end(retries);
}
