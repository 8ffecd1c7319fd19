/**
 * Runs test files in a Studio that stays open, one after the other. It cannot go back to what it was: a file finds what those
 * before it have left, and the harness tells what that is. Modules are read anew in each run.
 */
import {
  endTestAsync,
  holdTest,
  runningTestAsync,
  startTestAsync,
  type TestedStudio,
} from "../../command/sessions/play-test.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { randomHex } from "../../util/random-hex.ts";
import type { CountedScript } from "../coverage/covered-files.ts";
import { HARNESS_NAME, leavingSource, preparingSource } from "../harness.ts";
import { isSameContext, type TestContext } from "../test-context.ts";
import { callHarnessAsync, countLinesAsync, passHitsAsync, prepareAsync } from "./harness-call.ts";
import { explainedEnd } from "./play-test-end.ts";
import type { FileJob, SetupScript, TestRunner } from "./runner.ts";

/** Disposing it closes what was opened for the run. */
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
  /** Where lines are counted: in the edited place, or in the server and all clients of the play test. */
  readonly counted: readonly SessionInfo[];
}

/** What a person does who finds that Studio has not the file. */
const WHERE_MISSING = "; bring the project there with `sb sync`";

export class StudioRunner implements TestRunner {
  readonly #options: StudioRunnerOptions;
  #studio: OpenedStudio | undefined;
  #stage: Stage | undefined;

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
    // Modules that files before it have loaded are not loaded again.
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
    const studio = this.#tested(signal);
    // Before a play test begins, so that what its own scripts run is counted too.
    if (context.kind !== "edit") await this.#countLinesAsync(studio.session, signal);
    const all = await this.#dataModelsAsync(studio, context);
    const sessions = all.filter((session) => session.context === context.kind);
    const counted = this.#options.covered === undefined ? [] : all;
    const stage = { context, sessions, counted };
    this.#stage = stage;
    try {
      const moduleSet = this.#moduleSetFor(context);
      const harness = { name: HARNESS_NAME, source: preparingSource() };
      for (const session of counted) await this.#countLinesAsync(session, signal, moduleSet);
      for (const session of sessions)
        for (const script of [...this.#options.setup, harness])
          await prepareAsync(studio.bridge.session(session.sessionId), script, signal, moduleSet);
      return stage;
    } catch (error) {
      // The next file tries again, and tells the same of a setup script that fails.
      await this.#leaveStageAsync();
      throw error;
    }
  }

  /**
   * Modules that another run has loaded are loaded anew. A play test has loaded none; there the engine loads them where their
   * lines are counted, because it counts only what it has loaded itself.
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
    // The texts of a play test are those of the edited place, where they are compared.
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

  /** A file may have ended the play test, or removed a player. */
  async #isThereAsync({ sessions }: Stage): Promise<boolean> {
    const connected = new Set(
      (await this.#studio?.bridge.sessionsAsync())?.map(({ sessionId }) => sessionId),
    );
    return sessions.every(({ sessionId }) => connected.has(sessionId));
  }

  /** Ends the play test that this runner has started, and forgets in the edited place what it has defined there. */
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
        // A Studio that is gone has nothing to forget.
        .catch(() => {});
  }
}
