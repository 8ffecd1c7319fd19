/**
 * Turns the events of the harness about one file into events of the run. Each case is reported once. It sends nothing to the
 * harness, so that it also works for events that arrive together after the file has run, as in the cloud.
 */
import { readFileSync } from "node:fs";
import {
  type CaseEnd,
  FILE_CASE,
  type Failure,
  type Frame,
  type Report,
  type SnapshotCounts,
} from "../events.ts";
import { framesIn } from "../frames.ts";
import type { HarnessCase, HarnessEvent, HarnessFailure, ScriptHits, Uncaught } from "../harness-events.ts";
import { contextName } from "../test-context.ts";
import type { TestFile } from "../test-file.ts";
import { AllowedErrors } from "./allowed-errors.ts";
import { type FailureOptions, failureOf, led, placed } from "./failures.ts";
import { asOneFailure } from "./one-failure.ts";
import { LoadErrors } from "./load-errors.ts";
import { limited, OutputLimit } from "./output-limit.ts";
import { isStarter, StartedBy, uncaughtWords } from "./started-by.ts";
import { type Output, WaitWarning } from "./wait-warning.ts";

export interface FileOutcome {
  /** Ids of the cases that failed; FILE_CASE for the file itself. */
  readonly failed: readonly string[];
  readonly durationMs: number;
  /** Paths of Instances that the file left in the place, if the harness has searched for them. */
  readonly leaked: readonly string[];
}

interface RecordOptions extends FailureOptions {
  readonly file: TestFile;
  /** The number of the client in which the file runs, from 1; absent if it runs in no client. */
  readonly client?: number | undefined;
  /** The number of the try, from 1. */
  readonly try: number;
  /** True if the file itself failed in an earlier try. If it does not fail again, its case `(file)` is reported as passed. */
  readonly hasFailed?: boolean;
  /** The number of the repetition, from 1; absent if files run only once. */
  readonly repeat?: number;
  /** The worker that runs the file, from 1. */
  readonly worker: number;
  /** Messages of uncaught errors that are no failures in any file. */
  readonly allowedErrors?: readonly RegExp[] | undefined;
  readonly report: Report;
  /** Receives the hits of lines, if lines are counted. */
  readonly addHits?: ((scripts: readonly ScriptHits[]) => void) | undefined;
}

/** The case as which failures of the file itself are reported. */
const WHOLE_FILE = { id: FILE_CASE, names: [FILE_CASE] };

type CaseFacts = Pick<CaseEnd, "status" | "durationMs" | "reason" | "failure">;

interface RunningCase {
  readonly case: HarnessCase;
  /** The time at which the case started. */
  readonly sinceMs: number;
  /** The first uncaught error of a thread of the case. */
  uncaught?: Failure;
  /** The stack of the last uncaught error. */
  lastStack?: string | undefined;
}

export class FileRecord {
  readonly #options: RecordOptions;
  readonly #fields: {
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
  readonly #startedBy: StartedBy;
  readonly #allowed: AllowedErrors;
  /** The failures of the file itself, in order. */
  readonly #ofFile: Failure[] = [];
  readonly #endedCases: HarnessCase[] = [];
  readonly #limit = new OutputLimit();
  readonly #warning = new WaitWarning();
  /** The stack of the last warning of WaitForChild. */
  #lastWait: readonly Frame[] = [];
  /** The last case that was stopped while it waited. */
  #stopped: HarnessCase | undefined;
  #running: RunningCase | undefined;
  /** True if the file has cases, but none of them was chosen. */
  #isLeftOut = false;
  /** Pictures of differences that no failure has yet. */
  #differences: string[] = [];
  #hasSkipped = false;
  #hasFocus = false;
  #hasEnded = false;
  #leaked: readonly string[] = [];

  constructor(options: RecordOptions) {
    const { file, client, worker, report, repeat } = options;
    const context = contextName(file.context, client);
    this.#options = options;
    this.#loadErrors = new LoadErrors(options.fileOfScript);
    this.#startedBy = new StartedBy(file.path, () => textOf(file));
    this.#allowed = new AllowedErrors(file.path, options.allowedErrors ?? [], () => textOf(file));
    this.#fields = {
      file: file.path,
      ...(context === undefined ? {} : { context }),
      try: options.try,
      ...(repeat === undefined ? {} : { repeat }),
    };
    report({ type: "file-start", ...this.#fields, framework: file.framework, worker });
  }

  /** Ids of the reported cases. */
  get done(): readonly string[] {
    return this.#done;
  }

  /** Starts the time of the file at the first call, because the start of a Studio does not count. */
  ready(): void {
    if (!this.#isReady) this.#startedMs = performance.now();
    this.#isReady = true;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  /** False if the harness broke off, so that cases may be missing. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** True if all cases of the file have passed, so that what none of them has used is used by none. */
  get hasPassedWhole(): boolean {
    return this.#hasEnded && !this.#hasFocus && !this.#hasSkipped && this.#failed.length === 0;
  }

  /** Takes a picture of a difference, for which the running case fails. */
  addDifference(picture: string): void {
    this.#differences.push(picture);
  }

  addPictures(counts: SnapshotCounts): void {
    this.#options.report({ type: "pictures", ...this.#fields, ...counts });
  }

  add(event: HarnessEvent): void {
    const { report, file, fileOfScript } = this.#options;
    if (event.type === "output" && this.#warning.takes(event)) return;
    this.#releaseWarning();
    switch (event.type) {
      case "case-start":
        this.#running = { case: event.case, sinceMs: performance.now() };
        this.#loadErrors.beginCase();
        return report({ type: "case-start", ...this.#fields, ...event.case });
      case "case-end":
        return this.#addEnd(event);
      case "output":
        if (event.level === "Error") this.#loadErrors.add(event.text);
        return this.#print(event);
      case "broken":
        return this.fail(this.#withWait(placed(this.#failureOf(event.failure), file, fileOfScript)));
      case "stray":
        return this.fail(placed(this.#failureOf(event.failure), file, fileOfScript));
      case "uncaught":
        return this.#addUncaught(event);
      case "hits":
        return this.#options.addHits?.(event.scripts);
      case "late": {
        if (this.#allowed.isOfSettings(event.failure.message)) return;
        const failure = led(uncaughtWords(event.origin), failureOf(event.failure, this.#options));
        const culprit = fileOfScript(event.name) ?? event.name;
        return report({ ...this.#fields, type: "late-error", file: culprit, during: file.path, failure });
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
          ...this.#fields,
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

  #addEnd(event: Extract<HarnessEvent, { readonly type: "case-end" }>): void {
    const { case: ended = this.#running?.case, status, durationMs, reason } = event;
    if (ended === undefined) throw new Error("the harness ended a case that it had not started");
    const failure = this.#failureOfCase(ended, event.failure);
    if (failure !== undefined && ended.id === FILE_CASE) return this.fail(failure);
    this.#endCase(ended, {
      status: failure === undefined ? status : "failed",
      durationMs,
      ...(reason === undefined ? {} : { reason }),
      ...(failure === undefined ? {} : { failure }),
    });
  }

  /** Notes a failure of the file itself. All of them are reported together at the end of the file. */
  fail(failure: Failure): void {
    if (this.#ofFile.length === 0) {
      this.#done.push(FILE_CASE);
      this.#failed.push(FILE_CASE);
    }
    this.#ofFile.push(failure);
  }

  /**
   * Notes that the Studio was lost or that the time of the file is over. The running case has failed; without one, the file has.
   * Returns true if a case has failed, so that the other cases can still run.
   */
  lose(failure: Failure): boolean {
    const lost = this.#running;
    if (lost === undefined) this.fail(failure);
    else
      this.#endCase(lost.case, { status: "failed", durationMs: performance.now() - lost.sinceMs, failure });
    return lost !== undefined;
  }

  /** Ends the record of a file that was cut off by the end of the run. */
  cut(): void {
    const durationMs = this.elapsedMs;
    this.#reportFile();
    this.#options.report({ type: "file-end", ...this.#fields, durationMs, isUnfinished: true });
  }

  /** Ends the record of the file. `retries` is the number of times that failed cases are tried again. */
  end(retries: number, durationMs = this.elapsedMs): FileOutcome {
    const { report, try: tryNumber } = this.#options;
    const [failed, leaked] = [this.#failed, this.#leaked];
    this.#reportFile();
    if (this.#options.hasFailed === true && this.#ofFile.length === 0)
      report({ type: "case-end", ...this.#fields, ...WHOLE_FILE, status: "passed", durationMs: 0 });
    report({
      type: "file-end",
      ...this.#fields,
      durationMs,
      ...(this.#hasFocus ? { hasFocus: true } : {}),
      ...(this.#isLeftOut && this.#ofFile.length === 0 ? { isLeftOut: true } : {}),
      ...(leaked.length > 0 ? { leaked: [...leaked] } : {}),
      ...(failed.length > 0 && tryNumber <= retries ? { isRetried: true } : {}),
    });
    return { failed, durationMs, leaked };
  }

  /** The cases that may have started a thread. */
  get #begunCases(): readonly HarnessCase[] {
    return this.#running === undefined ? this.#endedCases : [...this.#endedCases, this.#running.case];
  }

  #failureOf(failure: HarnessFailure): Failure {
    return this.#loadErrors.explained(failureOf(failure, this.#options));
  }

  /**
   * The failure of a case: its own, else that of one of its threads. If a case never yielded, only the engine's error has its
   * stack.
   */
  #failureOfCase(ended: HarnessCase, own: HarnessFailure | undefined): Failure | undefined {
    const running = this.#running?.case.id === ended.id ? this.#running : undefined;
    if (own === undefined) return running?.uncaught;
    const isWithoutStack = own.isTimeout === true && own.waits === undefined && own.trace === undefined;
    return this.#failureOf(isWithoutStack ? { ...own, trace: running?.lastStack } : own);
  }

  /**
   * An uncaught error fails the case that started the thread. If that case has ended or is not known, it fails the file. An error that
   * the test allows is only output.
   */
  #addUncaught({ origin, failure: raised, isOwn = false }: Uncaught): void {
    const { file, fileOfScript } = this.#options;
    const running = this.#running;
    const failure = placed(this.#failureOf(raised), file, fileOfScript);
    const starters = this.#startedBy.casesOf(failure.frames, this.#begunCases);
    const isOfRunning = running !== undefined && isStarter(running.case, starters, isOwn);
    const blamed = isOfRunning ? [running.case] : starters;
    if (
      this.#allowed.has(
        failure,
        blamed.flatMap((each) => this.#startedBy.rangeOf(each) ?? []),
      )
    )
      return;
    if (isOfRunning) {
      running.uncaught ??= led(uncaughtWords(origin), failure);
      running.lastStack = raised.trace;
    } else this.fail(led(uncaughtWords(origin, starters, running?.case), failure));
  }

  #endCase(ended: HarnessCase, facts: CaseFacts): void {
    this.#running = undefined;
    this.#isLeftOut = false;
    this.#done.push(ended.id);
    if (facts.status === "failed") this.#failed.push(ended.id);
    if (facts.status === "skipped") this.#hasSkipped = true;
    if (facts.status === "failed" || facts.status === "passed") this.#endedCases.push(ended);
    if (facts.failure?.waitsIn !== undefined) this.#stopped = ended;
    this.#remarkOn(ended.id);
    this.#reportEnd(ended, facts);
  }

  #reportEnd(ended: HarnessCase, { failure, ...facts }: CaseFacts): void {
    const pictures = this.#differences;
    this.#differences = [];
    const shown = pictures.length === 0 ? {} : { pictures };
    this.#options.report({
      type: "case-end",
      ...this.#fields,
      ...ended,
      ...facts,
      ...(failure === undefined
        ? {}
        : { failure: { ...failure, message: limited(failure.message), ...shown } }),
    });
  }

  #print({ id, level, text }: Output): void {
    const kept = this.#limit.keep(id, text);
    if (kept === undefined) return;
    const ofCase = id === undefined ? {} : { id };
    this.#options.report({ type: "output", ...this.#fields, ...ofCase, level, text: kept });
  }

  /** Prints how much output of a case was left out; without an id, of the file's own output. */
  #remarkOn(id?: string): void {
    const text = this.#limit.remark(id);
    if (text !== undefined)
      this.#print({ type: "output", level: "Info", text, ...(id === undefined ? {} : { id }) });
  }

  /** Reports a warning of WaitForChild as output of the case that waits. */
  #releaseWarning(): void {
    const lines = this.#warning.release();
    if (lines.length === 0) return;
    const id = this.#waiterOf(lines);
    for (const { id: _, ...line } of lines) this.#print({ ...line, ...(id === undefined ? {} : { id }) });
  }

  /** The case that waits: the one to whose function the stack leads, or without a stack the one that was stopped last. */
  #waiterOf([warning, ...stack]: readonly Output[]): string | undefined {
    if (stack.length === 0) return this.#stopped?.id ?? warning?.id;
    const frames = framesIn(stack.map(({ text }) => text).join("\n"), this.#options.fileOfScript);
    this.#lastWait = frames;
    const starters = this.#startedBy.casesOf(frames, this.#begunCases);
    if (starters.length === 0 || starters.some(({ id }) => id === warning?.id)) return warning?.id;
    return starters.length === 1 ? starters[0]?.id : undefined;
  }

  /** Of a file that waited while it was loaded, only a warning of WaitForChild has the stack. */
  #withWait(failure: Failure): Failure {
    const [first] = this.#lastWait;
    if (failure.isTimeout !== true || failure.frames.length > 0 || first === undefined) return failure;
    return { ...failure, frames: [...this.#lastWait], waitsIn: `${first.path}:${first.line}` };
  }

  #reportFile(): void {
    this.#releaseWarning();
    this.#remarkOn();
    if (this.#ofFile.length === 0) return;
    this.#reportEnd(WHOLE_FILE, { status: "failed", durationMs: 0, failure: asOneFailure(this.#ofFile) });
  }
}

/** The text of a test file; undefined if it cannot be read. */
function textOf({ absolutePath }: TestFile): string | undefined {
  try {
    return readFileSync(absolutePath, "utf8");
  } catch {
    return undefined;
  }
}
