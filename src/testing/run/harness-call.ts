/** Calls the harness in a connected session: it sends the scripts that define it, count lines, and run one file. */
import type { BridgeSession } from "../../bridge/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import {
  changingSource,
  coveringSource,
  HARNESS_NAME,
  holdingSource,
  preparingSource,
  runningSource,
  sendingHitsSource,
} from "../harness.ts";
import type { Framework } from "../events.ts";
import {
  type ClockWish,
  type HarnessCase,
  type HarnessEvent,
  harnessEventSchema,
  slowEventSchema,
} from "../harness-events.ts";
import { type HarnessJob, harnessInput } from "../harness-job.ts";
import type { CountedScript } from "../coverage/covered-files.ts";
import { coverageUnavailable } from "../coverage/unavailable.ts";
import { UiAnswers } from "./ui-answers.ts";
import type { FileJob, SetupScript, SourceChange } from "./runner.ts";

interface HarnessCall {
  readonly session: Pick<BridgeSession, "callAsync">;
  /** Fields of the HarnessJob that the runner adds. */
  readonly input?: Pick<HarnessJob, "placeReturns" | "whereMissing">;
  /** Resolves when a frame has run, or at once if that would change nothing. Without it, the harness waits for each frame. */
  readonly awaitFrameAsync?: () => Promise<void>;
  /** Holds and moves the clock of the place. Without it, tests cannot hold the clock. */
  readonly moveClockAsync?: (wish: ClockWish) => Promise<void>;
  /** The client to which a test gives input; undefined in the edited place. */
  readonly player?: Pick<BridgeSession, "callAsync"> | undefined;
  /** Whether the target draws pictures, which are then the same on each machine. */
  readonly drawsPictures?: boolean;
}

function eventOf(value: unknown): HarnessEvent {
  const event = harnessEventSchema.read(value)?.value;
  if (event === undefined) throw new Error(`unknown event of the harness: ${JSON.stringify(value)}`);
  return event;
}

/**
 * Passes on the hits of the other DataModels of the play test, because a test in a client may call the server. The hits of a
 * DataModel that the file has ended are lost.
 */
export async function passHitsAsync(
  sessions: readonly BridgeSession[],
  { onEvent, signal }: Pick<FileJob, "onEvent" | "signal">,
): Promise<void> {
  for (const session of sessions)
    await session
      .callAsync(
        "execute",
        { script: sendingHitsSource, chunkName: HARNESS_NAME, keepsGlobals: true, emits: true },
        {
          signal,
          onEvent: (value) => {
            const event = eventOf(value);
            if (event.type === "hits") onEvent(event);
          },
        },
      )
      .catch((error: unknown) => {
        if (!(error instanceof StudioBridgeError) || signal.aborted) throw error;
      });
}

function inputOf(
  { input: facts, awaitFrameAsync, moveClockAsync, drawsPictures = false }: HarnessCall,
  { file, caseTimeoutMs, snapshots, done, tellsLeft, seed, pictures }: Omit<FileJob, "choose" | "onEvent">,
  chooses: boolean,
): string {
  return harnessInput({
    ...{ file, caseTimeoutMs, snapshots, chooses, done, tellsLeft, seed },
    answers: true,
    hasInterface: true,
    awaitsFrames: awaitFrameAsync !== undefined,
    ...(moveClockAsync === undefined ? {} : { holdsClock: true }),
    ...(drawsPictures && pictures !== undefined ? { drawsPictures } : {}),
    ...facts,
  });
}

/** Runs the file of a job. Throws a StudioBridgeError if the script of the harness did not come to its end. */
export async function callHarnessAsync(
  way: HarnessCall,
  { choose, onEvent, ...job }: FileJob,
): Promise<void> {
  const { session, awaitFrameAsync, moveClockAsync } = way;
  job.onReady?.();
  let cases: readonly HarnessCase[] | undefined;
  let isFrameWanted = false;
  // The clock moves at once, because a test that was stopped does not read the answer.
  let clockAsync: Promise<string | undefined> = Promise.resolve(undefined);
  const { player } = way;
  const { caseTimeoutMs, pictures, onDifference } = job;
  const ui = new UiAnswers({ session, player, caseTimeoutMs, pictures, onDifference }, moveClockAsync);
  const input = inputOf(way, job, choose !== undefined);
  const call = session.callAsync(
    "execute",
    { script: runningSource, chunkName: HARNESS_NAME, keepsGlobals: true, emits: true, input },
    {
      timeoutMs: job.fileTimeoutMs,
      signal: job.signal,
      onEvent: (value) => {
        const event = eventOf(value);
        if (event.type === "plan") ({ cases } = event);
        else if (event.type === "frame") isFrameWanted = true;
        else if (event.type === "ui") ui.begin(event, job.signal);
        else if (event.type === "clock") {
          ui.isClockHeld = event.act !== "release";
          clockAsync = movedAsync(moveClockAsync, event);
        } else {
          if (event.type === "case-end") ui.drop();
          onEvent(event);
        }
      },
      nextInputAsync: async () => {
        if (isFrameWanted) await awaitFrameAsync?.();
        isFrameWanted = false;
        const answer = await ui.takeAsync();
        if (answer !== undefined) return { text: `${JSON.stringify(answer)}\n`, isLast: false };
        const fault = await clockAsync;
        if (fault !== undefined) return { text: `${JSON.stringify({ fault })}\n`, isLast: false };
        const ids = cases === undefined ? [] : choose?.(cases);
        cases = undefined;
        return { text: `${JSON.stringify(ids ?? [])}\n`, isLast: false };
      },
    },
  );
  // A Studio that is busy does not answer when the time is over. The call then fails without an answer.
  const result = await call.catch((error: unknown) => {
    throw error instanceof StudioBridgeError && error.code === "TIMEOUT" ? fileTimeIsOver() : error;
  });
  if (result.success) return;
  throw result.errorInfo?.code === "TIMEOUT" ? fileTimeIsOver() : harnessFailed(result.error);
}

/** Resolves with the reason why the clock did not move; undefined if it did. */
async function movedAsync(
  moveClockAsync: HarnessCall["moveClockAsync"],
  wish: ClockWish,
): Promise<string | undefined> {
  try {
    await moveClockAsync?.(wish);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const fileTimeIsOver = (): StudioBridgeError =>
  new StudioBridgeError("TIMEOUT", "the time of this file is over (--file-timeout)");

const harnessFailed = (error: string | undefined): StudioBridgeError =>
  new StudioBridgeError("HEADLESS_FAILED", `The test harness failed: ${error ?? ""}`);

/** Runs set-up scripts in this order; the harness keeps the globals that it found before them. */
export async function setUpAsync(
  session: BridgeSession,
  scripts: readonly SetupScript[],
  signal: AbortSignal,
  moduleSet?: string,
): Promise<void> {
  const holding = { name: HARNESS_NAME, source: holdingSource };
  for (const script of scripts.length === 0 ? [] : [holding, ...scripts])
    await prepareAsync(session, script, signal, moduleSet);
}

/**
 * Runs a script whose globals stay for later files. In an open Studio, `moduleSet` names the modules of this run: a module that
 * a script of another set has loaded is loaded again.
 */
export async function prepareAsync(
  session: BridgeSession,
  { name, source, timeoutMs }: SetupScript,
  signal: AbortSignal,
  moduleSet?: string,
): Promise<void> {
  const modules = moduleSet === undefined ? {} : { fresh: true, moduleSet };
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  const call = session.callAsync(
    "execute",
    { script: source, chunkName: name, keepsGlobals: true, ...modules },
    { signal, ...limit },
  );
  // A Studio that is busy does not answer when the time is over. The call then fails without an answer.
  const { success, error, errorInfo } = await call.catch((fault: unknown) => {
    throw fault instanceof StudioBridgeError && fault.code === "TIMEOUT" ? setupIsLate(name) : fault;
  });
  if (success) return;
  if (errorInfo?.code === "TIMEOUT") throw setupIsLate(name);
  throw new StudioBridgeError("SCRIPT_RUNTIME_ERROR", `The setup script ${name} failed: ${error ?? ""}`);
}

const setupIsLate = (setupScript: string): StudioBridgeError =>
  new StudioBridgeError(
    "TIMEOUT",
    `the setup script ${setupScript} did not end within the time of a file (--file-timeout)`,
    { data: { setupScript } },
  );

/** True for the error of a setup script that took too long. Each further file would wait as long for the same script. */
export const isSetupLate = (error: unknown): boolean =>
  error instanceof StudioBridgeError && error.code === "TIMEOUT" && error.data["setupScript"] !== undefined;

/**
 * Defines the harness, and loads what all files of these frameworks need. `warn` is called with a reason if these files will take
 * longer than usual.
 */
export async function prepareHarnessAsync(
  session: BridgeSession,
  frameworks: readonly Framework[],
  { warn, signal }: { readonly warn: (text: string) => void; readonly signal: AbortSignal },
): Promise<void> {
  const onEvent = (value: unknown): void => {
    const event = slowEventSchema.read(value)?.value;
    if (event !== undefined) warn(event.remark);
  };
  const { success, error } = await session.callAsync(
    "execute",
    { script: preparingSource(frameworks), chunkName: HARNESS_NAME, keepsGlobals: true, emits: true },
    { signal, onEvent },
  );
  if (!success) throw harnessFailed(error);
}

/** Gives scripts of the place the present sources of their files. Throws if a script does not exist. */
export async function changeSourcesAsync(
  session: BridgeSession,
  changes: readonly SourceChange[],
  signal: AbortSignal,
): Promise<void> {
  const { success, error } = await session.callAsync(
    "execute",
    { script: changingSource, chunkName: HARNESS_NAME, keepsGlobals: true, input: JSON.stringify(changes) },
    { signal },
  );
  if (!success) throw new StudioBridgeError("HEADLESS_FAILED", `The place could not change: ${error ?? ""}`);
}

/**
 * Begins to count the lines of scripts. It runs before all other scripts, because only scripts that are loaded afterwards are
 * counted. With `moduleSet`, the modules that this set loads again are counted. Throws if this Studio does not count lines, or
 * if a script has another text than its file.
 */
export async function countLinesAsync(
  session: BridgeSession,
  scripts: readonly CountedScript[],
  signal: AbortSignal,
  moduleSet?: string,
): Promise<void> {
  const modules = moduleSet === undefined ? {} : { moduleSet };
  const { success, error } = await session.callAsync(
    "execute",
    {
      script: coveringSource(scripts, moduleSet !== undefined),
      chunkName: HARNESS_NAME,
      keepsGlobals: true,
      ...modules,
    },
    { signal },
  );
  if (!success) throw coverageUnavailable("here", error ?? "");
}
