/**
 * The runner for a Studio that stays open. Files run one after the other. A Studio cannot return to an earlier state, so that a
 * file finds everything that earlier files have left; the harness reports what they leave. Each run loads modules again.
 */
import type { BridgeSession } from "../../bridge/index.ts";
import {
  endTestAsync,
  holdTest,
  runningTestAsync,
  startTestAsync,
  type TestedStudio,
} from "../../play/play-test.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { randomHex } from "../../util/random-hex.ts";
import type { CountedScript } from "../coverage/covered-files.ts";
import { HARNESS_NAME, leavingSource, preparingSource } from "../harness.ts";
import { isSameContext, type TestContext } from "../test-context.ts";
import {
  callHarnessAsync,
  countLinesAsync,
  isSetupLate,
  passHitsAsync,
  prepareAsync,
  setUpAsync,
} from "./harness-call.ts";
import { explainedEnd } from "./play-test-end.ts";
import type { FileJob, SetupScript, TestRunner } from "./runner.ts";

/** The Studio of a run. Disposing of it closes a Studio that was launched for the run. */
export interface OpenedStudio extends AsyncDisposable {
  readonly bridge: TestedStudio["bridge"];
  /** The session of the edited place. */
  readonly session: SessionInfo;
}

export interface StudioRunnerOptions {
  readonly openAsync: (signal: AbortSignal) => Promise<OpenedStudio>;
  /** Scripts whose lines are counted. */
  readonly covered?: readonly CountedScript[] | undefined;
  /** Scripts that run in each DataModel of the tests before the first file. */
  readonly setup: readonly SetupScript[];
  readonly status: (text: string) => void;
}

/** The sessions in which files of one context run. */
interface Stage {
  readonly context: TestContext;
  readonly sessions: readonly SessionInfo[];
  /** The clients of the play test. */
  readonly players: readonly SessionInfo[];
  /** The sessions whose lines are counted: the edited place, or the server and all clients of the play test. */
  readonly counted: readonly SessionInfo[];
}

/** The client to which a file gives input: its own, or the first one; undefined in the edited place. */
function playerOf(
  { players }: Stage,
  client: number | undefined,
  bridge: TestedStudio["bridge"],
): BridgeSession | undefined {
  const player = players[(client ?? 1) - 1];
  return player === undefined ? undefined : bridge.session(player.sessionId);
}

/** What a person does who finds that Studio has not the file. */
const WHERE_MISSING = "; bring the project there with `sb sync`";

export class StudioRunner implements TestRunner {
  readonly #options: StudioRunnerOptions;
  #studio: OpenedStudio | undefined;
  #stage: Stage | undefined;
  /** The error of a setup script that took too long. No other file waits for it. */
  #lateSetup: unknown;

  constructor(options: StudioRunnerOptions) {
    this.#options = options;
  }

  async startAsync(signal: AbortSignal): Promise<void> {
    this.#studio = await this.#options.openAsync(signal);
    const { state } = await runningTestAsync(this.#tested(signal));
    if (state === "Edit") return;
    throw new StudioBridgeError("BUSY", "A play test runs in this Studio.", {
      hint: "Stop it with `sb play stop`, and try again.",
    });
  }

  async runAsync(job: FileJob): Promise<void> {
    const { file, client, signal } = job;
    const stage = await this.#stageAsync(file.context, signal);
    const session = stage.sessions[(client ?? 1) - 1];
    if (session === undefined) throw new Error(`the play test has no client ${client}`);
    const { bridge } = this.#tested(signal);
    const call = {
      session: bridge.session(session.sessionId),
      input: { whereMissing: WHERE_MISSING },
      player: playerOf(stage, client, bridge),
    };
    try {
      await callHarnessAsync(call, job);
      const others = stage.counted.filter(({ sessionId }) => sessionId !== session.sessionId);
      await passHitsAsync(
        others.map(({ sessionId }) => bridge.session(sessionId)),
        job,
      );
    } catch (error) {
      throw file.context.kind === "edit" ? error : explainedEnd(error);
    }
    // The scripts that a file uses are not known, because modules that earlier files have loaded are not loaded again.
    job.onUsed?.(undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const studio = this.#studio;
    if (studio === undefined) return;
    try {
      await this.#leaveStageAsync();
    } finally {
      await studio[Symbol.asyncDispose]();
    }
  }

  #tested(signal: AbortSignal): TestedStudio {
    if (this.#studio === undefined) throw new Error("the Studio is opened before a file runs in it");
    const { bridge, session } = this.#studio;
    return { bridge, session, signal, status: this.#options.status };
  }

  async #stageAsync(context: TestContext, signal: AbortSignal): Promise<Stage> {
    const known = this.#stage;
    if (known !== undefined && isSameContext(known.context, context) && (await this.#isThereAsync(known)))
      return known;
    await this.#leaveStageAsync();
    if (this.#lateSetup !== undefined) throw this.#lateSetup;
    const studio = this.#tested(signal);
    // Counting begins before the play test, so that lines of the scripts of the place count too.
    if (context.kind !== "edit") await this.#countLinesAsync(studio.session, signal);
    const all = await this.#dataModelsAsync(studio, context);
    const sessions = all.filter((session) => session.context === context.kind);
    const counted = this.#options.covered === undefined ? [] : all;
    const players = all.filter((session) => session.context === "client");
    const stage = { context, sessions, players, counted };
    this.#stage = stage;
    try {
      const moduleSet = this.#moduleSetFor(context);
      const harness = { name: HARNESS_NAME, source: preparingSource() };
      for (const session of counted) await this.#countLinesAsync(session, signal, moduleSet);
      for (const { sessionId } of sessions) {
        const session = studio.bridge.session(sessionId);
        await setUpAsync(session, this.#options.setup, signal, moduleSet);
        await prepareAsync(session, harness, signal, moduleSet);
      }
      return stage;
    } catch (error) {
      // The next file tries again, unless a setup script took too long. If it fails, each file reports its error.
      if (isSetupLate(error)) this.#lateSetup = error;
      await this.#leaveStageAsync();
      throw error;
    }
  }

  /**
   * The set of modules of this run, so that modules of an earlier run are loaded again. Undefined if lines are counted in a play
   * test: the engine loads the modules there, because it counts only modules that it loads itself, and none is loaded before.
   */
  #moduleSetFor({ kind }: TestContext): string | undefined {
    return kind !== "edit" && this.#options.covered !== undefined ? undefined : randomHex(8);
  }

  async #countLinesAsync(
    { sessionId, context }: SessionInfo,
    signal: AbortSignal,
    moduleSet?: string,
  ): Promise<void> {
    const { covered } = this.#options;
    if (covered === undefined) return;
    // Texts are compared only in the edited place, because a play test has the same texts.
    const scripts = context === "edit" ? covered : covered.map(({ names }) => ({ names }));
    await countLinesAsync(this.#tested(signal).bridge.session(sessionId), scripts, signal, moduleSet);
  }

  /** The edited place, or the server and the clients of a play test that begins now. */
  async #dataModelsAsync(
    studio: TestedStudio,
    { kind, players }: TestContext,
  ): Promise<readonly SessionInfo[]> {
    if (kind === "edit") return [studio.session];
    const { sessions } = await startTestAsync(studio, { mode: "play", players });
    holdTest(studio);
    return sessions;
  }

  /** True if all sessions are still connected. A file may have ended the play test or removed a player. */
  async #isThereAsync({ sessions }: Stage): Promise<boolean> {
    const connected = new Set(
      (await this.#studio?.bridge.sessionsAsync())?.map(({ sessionId }) => sessionId),
    );
    return sessions.every(({ sessionId }) => connected.has(sessionId));
  }

  /** Ends the play test that this runner has started, and removes the harness from the edited place. */
  async #leaveStageAsync(): Promise<void> {
    const stage = this.#stage;
    this.#stage = undefined;
    if (stage === undefined) return;
    const studio = this.#tested(new AbortController().signal);
    const isEdit = stage.context.kind === "edit";
    if (!isEdit && (await runningTestAsync(studio)).state !== "Edit") await endTestAsync(studio);
    if (isEdit || this.#options.covered !== undefined)
      await studio.bridge
        .session(studio.session.sessionId)
        .callAsync("execute", { script: leavingSource, chunkName: HARNESS_NAME, keepsGlobals: true })
        // If the Studio is gone, the harness is gone too.
        .catch(() => {});
  }
}
