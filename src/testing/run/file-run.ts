/** Runs one file in a worker, and makes of what the harness sends the events of the run. Each case is told about once. */
import { StudioBridgeError } from "../../protocol/errors.ts";
import { type CaseEnd, FILE_CASE, type Failure, type Report } from "../events.ts";
import { type FileOfScript, framesIn, placeIn, withoutPlace } from "../frames.ts";
import type { HarnessCase, HarnessEvent, HarnessFailure } from "../harness-events.ts";
import type { TestFile } from "../test-file.ts";
import type { TestWorker } from "./worker.ts";

export interface FileRunOptions {
  readonly caseTimeoutMs: number;
  readonly fileTimeoutMs: number;
  readonly choose?: (file: TestFile, cases: readonly HarnessCase[]) => readonly string[];
  /** How often failed cases are tried again. */
  readonly retries: number;
  readonly fileOfScript: FileOfScript;
  readonly report: Report;
}

export interface FileOutcome {
  /** Ids of the cases that failed; FILE_CASE for the file itself. */
  readonly failed: readonly string[];
  readonly durationMs: number;
}

/** `attempt` counts from 1; only the cases of `only` run, if it is given. */
export async function runFileAsync(
  worker: TestWorker,
  file: TestFile,
  options: FileRunOptions,
  attempt = 1,
  only?: ReadonlySet<string>,
): Promise<FileOutcome> {
  const { report, fileOfScript } = options;
  const ofFile = { file: file.path, try: attempt };
  const failed: string[] = [];
  const done: string[] = [];
  const startedMs = performance.now();
  let running: HarnessCase | undefined;
  let runningSinceMs = 0;
  let hasFocus = false;
  let hasEnded = false;

  const end = (
    of: HarnessCase,
    facts: Pick<CaseEnd, "status" | "durationMs" | "reason" | "failure">,
  ): void => {
    running = undefined;
    done.push(of.id);
    if (facts.status === "failed") failed.push(of.id);
    report({ type: "case-end", ...ofFile, ...of, ...facts });
  };
  const endFile = (failure: Failure): void =>
    end({ id: FILE_CASE, names: [FILE_CASE] }, { status: "failed", durationMs: 0, failure });
  const onEvent = (event: HarnessEvent): void => {
    switch (event.type) {
      case "case-start":
        running = event.case;
        runningSinceMs = performance.now();
        return report({ type: "case-start", ...ofFile, ...event.case });
      case "case-end": {
        const { case: of, status, durationMs, reason, failure } = event;
        return end(of, {
          status,
          durationMs,
          ...(reason === undefined ? {} : { reason }),
          ...(failure === undefined ? {} : { failure: failureOf(failure, fileOfScript) }),
        });
      }
      case "output": {
        const { id, level, text } = event;
        return report({ type: "output", ...ofFile, ...(id === undefined ? {} : { id }), level, text });
      }
      case "broken":
      case "stray":
        return endFile(placed(failureOf(event.failure, fileOfScript), file, fileOfScript));
      case "focus":
        hasFocus = true;
        return;
      case "end":
        hasEnded = true;
        return;
      case "plan":
    }
  };

  report({ type: "file-start", ...ofFile, framework: file.framework, worker: worker.number });
  const { choose } = options;
  const chosen = (cases: readonly HarnessCase[]): readonly string[] => {
    const ids = choose?.(file, cases) ?? cases.map(({ id }) => id);
    return only === undefined ? ids : ids.filter((id) => only.has(id));
  };
  for (;;) {
    try {
      await worker.runAsync({
        file,
        caseTimeoutMs: options.caseTimeoutMs,
        fileTimeoutMs: Math.max(1, Math.ceil(options.fileTimeoutMs - (performance.now() - startedMs))),
        done,
        ...(choose === undefined && only === undefined ? {} : { choose: chosen }),
        onEvent,
      });
      // A run that broke off without an error must not count as one that passed.
      if (!hasEnded) endFile({ message: "the run of this file broke off", frames: [] });
      break;
    } catch (error) {
      if (!(error instanceof StudioBridgeError) || error.code === "CANCELLED") throw error;
      const failure = { message: error.message, frames: [], isTimeout: error.code === "TIMEOUT" };
      const lost = running;
      // A case that took the Studio along has failed, and the others run in a new one.
      if (lost === undefined) {
        endFile(failure);
        break;
      }
      end(lost, { status: "failed", durationMs: performance.now() - runningSinceMs, failure });
      if (error.code === "TIMEOUT") break;
    }
  }
  const durationMs = performance.now() - startedMs;
  const isRetried = failed.length > 0 && attempt <= options.retries;
  report({
    type: "file-end",
    ...ofFile,
    durationMs,
    ...(hasFocus ? { hasFocus } : {}),
    ...(isRetried ? { isRetried } : {}),
  });
  return { failed, durationMs };
}

/** A file that does not compile has no stack; its message names the line. */
function placed(failure: Failure, file: TestFile, fileOf: FileOfScript): Failure {
  const place = failure.frames.length > 0 ? undefined : placeIn(failure.message, fileOf);
  if (place?.path !== file.path) return failure;
  return { ...failure, frames: [place], message: withoutPlace(failure.message, [place], fileOf) };
}

function failureOf(
  { message, trace = "", expected, received, isTimeout, waits }: HarnessFailure,
  fileOf: FileOfScript,
): Failure {
  const frames = framesIn(waits ?? trace, fileOf);
  return {
    message: withoutPlace(message, frames, fileOf),
    frames,
    ...(expected === undefined ? {} : { expected }),
    ...(received === undefined ? {} : { received }),
    ...(isTimeout === undefined ? {} : { isTimeout }),
    ...(waits === undefined || frames[0] === undefined
      ? {}
      : { waitsIn: `${frames[0].path}:${frames[0].line}` }),
  };
}
