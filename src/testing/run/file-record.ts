/**
 * Makes of what the harness sends about one file the events of the run. It needs no conversation with the harness, so that
 * events that arrive together, after the file has run, are recorded in the same way. Each case is reported once.
 */
import { type CaseEnd, FILE_CASE, type Failure, type Report } from "../events.ts";
import type { IsOfFramework } from "../discovery/framework-scripts.ts";
import { type FileOfScript, framesIn, positionIn, withoutPosition } from "../frames.ts";
import type { HarnessCase, HarnessEvent, HarnessFailure, ScriptHits } from "../harness-events.ts";
import { contextName } from "../test-context.ts";
import type { TestFile } from "../test-file.ts";
import { LoadErrors } from "./load-errors.ts";

export interface FileOutcome {
  /** Ids of the cases that failed; FILE_CASE for the file itself. */
  readonly failed: readonly string[];
  readonly durationMs: number;
  /** Paths of Instances that it left in the place, where the harness was to tell. */
  readonly leaked: readonly string[];
}

interface RecordOptions {
  readonly file: TestFile;
  /** The client that it runs in, from 1; absent where it runs in no client. */
  readonly client?: number | undefined;
  /** Counts from 1. */
  readonly attempt: number;
  /** Counts from 1 where each file runs several times. */
  readonly repeat?: number;
  /** The worker that runs the file, from 1. */
  readonly worker: number;
  readonly fileOfScript: FileOfScript;
  /** Scripts that stacks leave out. */
  readonly isOfFramework?: IsOfFramework | undefined;
  readonly report: Report;
  /** Hears which lines of the project have run. */
  readonly addHits?: ((scripts: readonly ScriptHits[]) => void) | undefined;
}

export class FileRecord {
  readonly #options: RecordOptions;
  readonly #ofFile: {
    readonly file: string;
    readonly context?: string;
    readonly try: number;
    readonly repeat?: number;
  };
  #startedMs = performance.now();
  #isReady = false;
  readonly #failed: string[] = [];
  readonly #done: string[] = [];
  readonly #loadErrors: LoadErrors;
  #running: { readonly case: HarnessCase; readonly sinceMs: number } | undefined;
  /** The choice of cases has left out all that there are. */
  #isLeftOut = false;
  #hasFocus = false;
  #hasEnded = false;
  #leaked: readonly string[] = [];

  constructor(options: RecordOptions) {
    const { file, client, attempt, worker, report, repeat } = options;
    const context = contextName(file.context, client);
    this.#options = options;
    this.#loadErrors = new LoadErrors(options.fileOfScript);
    this.#ofFile = {
      file: file.path,
      ...(context === undefined ? {} : { context }),
      try: attempt,
      ...(repeat === undefined ? {} : { repeat }),
    };
    report({ type: "file-start", ...this.#ofFile, framework: file.framework, worker });
  }

  /** Ids of the cases that were reported. */
  get done(): readonly string[] {
    return this.#done;
  }

  /** What runs the file is ready; the time until then is not the file's. */
  ready(): void {
    if (!this.#isReady) this.#startedMs = performance.now();
    this.#isReady = true;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  /** False where the harness broke off, so that cases may be missing. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  add(event: HarnessEvent): void {
    const { report, file, fileOfScript } = this.#options;
    switch (event.type) {
      case "case-start":
        this.#running = { case: event.case, sinceMs: performance.now() };
        this.#loadErrors.beginCase();
        return report({ type: "case-start", ...this.#ofFile, ...event.case });
      case "case-end": {
        const { case: of, status, durationMs, reason, failure } = event;
        return this.#endCase(of, {
          status,
          durationMs,
          ...(reason === undefined ? {} : { reason }),
          ...(failure === undefined ? {} : { failure: this.#failureOf(failure) }),
        });
      }
      case "output": {
        const { id, level, text } = event;
        if (level === "Error") this.#loadErrors.add(text);
        return report({ type: "output", ...this.#ofFile, ...(id === undefined ? {} : { id }), level, text });
      }
      case "broken":
      case "stray":
        return this.fail(placed(this.#failureOf(event.failure), file, fileOfScript));
      case "hits":
        return this.#options.addHits?.(event.scripts);
      case "late": {
        const failure = failureOf(event.failure, this.#options);
        const culprit = fileOfScript(event.name) ?? event.name;
        return report({ ...this.#ofFile, type: "late-error", file: culprit, during: file.path, failure });
      }
      case "left":
        this.#leaked = event.paths;
        return;
      case "snapshots": {
        const { text, isRemoved, ...counts } = event;
        const content = isRemoved === true ? null : text;
        return report({
          ...counts,
          type: "snapshots",
          ...this.#ofFile,
          ...(content === undefined ? {} : { content }),
        });
      }
      case "focus":
        this.#hasFocus = true;
        return;
      case "end":
        this.#hasEnded = true;
        return;
      case "plan":
        this.#isLeftOut = event.cases.length > 0 && this.#done.length === 0;
    }
  }

  /** A failure of the file itself. */
  fail(failure: Failure): void {
    this.#endCase({ id: FILE_CASE, names: [FILE_CASE] }, { status: "failed", durationMs: 0, failure });
  }

  /**
   * What ran the file was lost. The case that ran then has failed, and else the file. True where a case has failed, so that
   * the others can still run.
   */
  lose(failure: Failure): boolean {
    const lost = this.#running;
    if (lost === undefined) this.fail(failure);
    else
      this.#endCase(lost.case, { status: "failed", durationMs: performance.now() - lost.sinceMs, failure });
    return lost !== undefined;
  }

  /** The run ends before the file does. */
  cut(): void {
    const durationMs = this.elapsedMs;
    this.#options.report({ type: "file-end", ...this.#ofFile, durationMs, isUnfinished: true });
  }

  /** `retries` says how often failed cases are tried again. */
  end(retries: number, durationMs = this.elapsedMs): FileOutcome {
    const { report, attempt } = this.#options;
    const [failed, leaked] = [this.#failed, this.#leaked];
    report({
      type: "file-end",
      ...this.#ofFile,
      durationMs,
      ...(this.#hasFocus ? { hasFocus: true } : {}),
      ...(this.#isLeftOut ? { isLeftOut: true } : {}),
      ...(leaked.length > 0 ? { leaked: [...leaked] } : {}),
      ...(failed.length > 0 && attempt <= retries ? { isRetried: true } : {}),
    });
    return { failed, durationMs, leaked };
  }

  #failureOf(failure: HarnessFailure): Failure {
    return this.#loadErrors.explained(failureOf(failure, this.#options));
  }

  #endCase(of: HarnessCase, facts: Pick<CaseEnd, "status" | "durationMs" | "reason" | "failure">): void {
    this.#running = undefined;
    this.#isLeftOut = false;
    this.#done.push(of.id);
    if (facts.status === "failed") this.#failed.push(of.id);
    this.#options.report({ type: "case-end", ...this.#ofFile, ...of, ...facts });
  }
}

/** A file that does not compile has no stack; its message names the line. */
function placed(failure: Failure, file: TestFile, fileOf: FileOfScript): Failure {
  const place = failure.frames.length > 0 ? undefined : positionIn(failure.message, fileOf);
  if (place?.path !== file.path) return failure;
  return { ...failure, frames: [place], message: withoutPosition(failure.message, [place], fileOf) };
}

function failureOf(
  { message, trace = "", expected, received, isTimeout, waits }: HarnessFailure,
  { fileOfScript, isOfFramework }: Pick<RecordOptions, "fileOfScript" | "isOfFramework">,
): Failure {
  const frames = framesIn(waits ?? trace, fileOfScript, isOfFramework);
  return {
    message: withoutPosition(message, frames, fileOfScript),
    frames,
    ...(expected === undefined ? {} : { expected }),
    ...(received === undefined ? {} : { received }),
    ...(isTimeout === undefined ? {} : { isTimeout }),
    ...(waits === undefined || frames[0] === undefined
      ? {}
      : { waitsIn: `${frames[0].path}:${frames[0].line}` }),
  };
}
