/**
 * The headless Studio of a runner. It is started and prepared for the context of its test files, and this state is kept, so that
 * it can return to it.
 */
import { BridgeConnection, type BridgeSession } from "../../bridge/index.ts";
import { countedAsync } from "../../output/counted.ts";
import { startTestAsync } from "../../play/play-test.ts";
import {
  type DataChoice,
  type EarlyChild,
  type HeadlessChild,
  type ScreenChoice,
  type ScriptsUsed,
  type WorldChoice,
  spawnHeadless,
} from "../../headless/index.ts";
import { type Counted, difference, NOTHING_COUNTED } from "../../protocol/caveats.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { newLaunchId } from "../../protocol/launch-id.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { version } from "../../version.ts";
import type { Framework } from "../events.ts";
import type { CountedScript } from "../coverage/covered-files.ts";
import type { TestContext } from "../test-context.ts";
import { changeSourcesAsync, countLinesAsync, prepareHarnessAsync, setUpAsync } from "./harness-call.ts";
import type { ClockWish } from "../harness-events.ts";
import type { SetupScript, SourceChange } from "./runner.ts";

const START_TIMEOUT_MS = 60_000;

export interface HeadlessRunnerOptions {
  /** Gives the bytes of the place, in the form of readPlaceAsync. Called at each start of a Studio. */
  readonly placeAsync?: () => Promise<Uint8Array>;
  readonly placeName?: string;
  /** The choice of data stores; without it, scripts that use data stores get an error. */
  readonly data?: DataChoice;
  readonly world?: WorldChoice;
  /** The process of the Studio that starts first, if it has begun to start already. */
  readonly earlyChild?: EarlyChild | undefined;
  readonly memoryLimitMb?: number;
  /** Count what the Studios do otherwise than Roblox Studio. */
  readonly countsCaveats?: boolean;
  /** The screen that interfaces are laid out on. */
  readonly screen?: ScreenChoice;
  /** Scripts whose lines are counted. */
  readonly covered?: readonly CountedScript[];
  /** The frameworks of the files that will run. */
  readonly frameworks: readonly Framework[];
  /** Scripts that run in each DataModel of the tests before its state is kept. */
  readonly setup: readonly SetupScript[];
  /** Shows a remark about the run to people, such as why it takes longer than usual. Several Studios may send the same remark. */
  readonly warn: (text: string) => void;
}

export class HeadlessStudio implements AsyncDisposable {
  readonly context: TestContext;
  readonly frameworks: readonly Framework[];
  readonly #child: HeadlessChild;
  readonly #bridge: BridgeConnection;
  #sessions: readonly BridgeSession[] = [];
  #players: readonly BridgeSession[] = [];
  /** The sessions whose lines are counted: the edited place, or the server and all clients of the play test. */
  #counted: readonly BridgeSession[] = [];
  /** The edited place, once it is connected. */
  #edit: SessionInfo | undefined;
  #caveats = NOTHING_COUNTED;
  /** The scripts that were used before the state was kept. */
  #used: ScriptsUsed = { names: [], made: [] };

  private constructor(
    context: TestContext,
    frameworks: readonly Framework[],
    child: HeadlessChild,
    bridge: BridgeConnection,
  ) {
    this.context = context;
    this.frameworks = frameworks;
    this.#child = child;
    this.#bridge = bridge;
  }

  /** Throws a StudioBridgeError if the Studio does not start or if a set-up script fails. */
  static async startAsync(
    context: TestContext,
    options: HeadlessRunnerOptions,
    signal: AbortSignal,
  ): Promise<HeadlessStudio> {
    const child = options.earlyChild?.take() ?? spawnHeadless();
    const { bridge, servePlugin } = await BridgeConnection.startPrivateAsync(version);
    const studio = new HeadlessStudio(context, options.frameworks, child, bridge);
    try {
      servePlugin(child.link);
      await studio.#prepareAsync(await studio.#connectAsync(options, signal), options, signal);
      return studio;
    } catch (error) {
      await studio[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The session in which files run; `client` counts from 1. */
  session(client: number | undefined): BridgeSession {
    const session = this.#sessions[(client ?? 1) - 1];
    if (session === undefined) throw new Error(`the play test has no client ${client}`);
    return session;
  }

  /** The client to which a file gives input: its own, or the first one; undefined in the edited place. */
  player(client: number | undefined): BridgeSession | undefined {
    return this.#players[(client ?? 1) - 1];
  }

  /** The other sessions whose lines are counted while a file runs in `session`. */
  countedBeside(session: BridgeSession): readonly BridgeSession[] {
    return this.#counted.filter((counted) => counted !== session);
  }

  /**
   * Returns all DataModels to the kept state. Resolves with all scripts that were used since the Studio started, or with
   * undefined if the Studio cannot return.
   */
  returnAsync(): Promise<ScriptsUsed | undefined> {
    return this.#returnAsync("return");
  }

  /**
   * As `returnAsync`, but as soon as the next script has completed. Call it before that script starts, in an edited place only. The
   * Studio then needs no message in between, which takes 2 ms.
   */
  returnAfterScriptAsync(): Promise<ScriptsUsed | undefined> {
    return this.#returnAsync("returnAfterScript");
  }

  async #returnAsync(order: "return" | "returnAfterScript"): Promise<ScriptsUsed | undefined> {
    try {
      const { names, made } = await this.#child.orderAsync(order);
      return { names: [...this.#used.names, ...names], made: [...this.#used.made, ...made] };
    } catch (error) {
      if (error instanceof StudioBridgeError) return undefined;
      throw error;
    }
  }

  /**
   * Changes the sources of scripts in the kept state. Returns false if a new Studio is needed: in a play test, and if one of the
   * scripts was used before the state was kept.
   */
  async changeAsync(changes: readonly SourceChange[], signal: AbortSignal): Promise<boolean> {
    const used = new Set([...this.#used.names, ...this.#used.made]);
    const hasRun = changes.some(({ instance }) => used.has(instance.join(".")));
    if (this.context.kind !== "edit" || hasRun) return false;
    await changeSourcesAsync(this.session(undefined), changes, signal);
    await this.#child.orderAsync("keep");
    return true;
  }

  /** What it has done otherwise than Roblox Studio since the last call; nothing if it is gone. */
  async takeCountedAsync(): Promise<Counted> {
    const session = this.#edit;
    if (session === undefined) return NOTHING_COUNTED;
    const edit = this.#bridge.session(session.sessionId);
    const counted = await countedAsync({ session, callAsync: (...call) => edit.callAsync(...call) });
    const before = this.#caveats;
    this.#caveats = counted;
    return difference(counted, before);
  }

  /** Holds the clock of the place, moves it, or lets it run on. Resolves when everything has run that was due. */
  async moveClockAsync({ act, seconds, source }: ClockWish): Promise<void> {
    const details = {
      hold: source,
      advance: seconds === undefined ? undefined : String(seconds),
      release: undefined,
    };
    await this.#child.orderAsync(act, details[act]);
  }

  /** Resolves when the next frame has run, or at once if no thread waits for one. */
  async awaitFrameAsync(): Promise<void> {
    await this.#child.orderAsync("frame");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Each file has returned the place to its beginning, so that nothing is left to save. A goodbye takes 25 ms and more.
    await this.#child.killAsync();
    await this.#bridge[Symbol.asyncDispose]();
  }

  async #connectAsync(options: HeadlessRunnerOptions, signal: AbortSignal): Promise<SessionInfo> {
    const { placeAsync, placeName, data, world, memoryLimitMb, screen } = options;
    const place = await placeAsync?.();
    const launchId = newLaunchId("headless-once");
    await this.#child.tellAsync({
      launchId,
      ...(place === undefined ? {} : { place }),
      ...(placeName === undefined ? {} : { placeName }),
      // The folder is only read, so that each file begins with the same data and several workers can use the folder.
      ...(data === undefined ? {} : { data, keepsNoData: true }),
      world: { isStrict: false, ...world, walks: this.context.walks ?? world?.walks === true },
      ...(memoryLimitMb === undefined ? {} : { memoryLimitMb }),
      ...(screen === undefined ? {} : { screen }),
    });
    const session = await Promise.race([
      this.#bridge.waitForSessionAsync((each) => each.launchId === launchId && each.context === "edit", {
        timeoutMs: START_TIMEOUT_MS,
        signal,
      }),
      this.#child.ended.then((failure) => {
        throw failure ?? headlessFailed("Headless Studio ended before it connected.");
      }),
    ]);
    if (session === null) throw headlessFailed("Headless Studio did not connect in time.");
    this.#edit = session;
    return session;
  }

  async #prepareAsync(
    edit: SessionInfo,
    { covered, setup, warn }: HeadlessRunnerOptions,
    signal: AbortSignal,
  ): Promise<void> {
    // Counting begins before the play test, so that lines of the scripts of the place count too.
    if (covered !== undefined && this.context.kind !== "edit")
      await countLinesAsync(this.#bridge.session(edit.sessionId), covered, signal);
    const all = (await this.#dataModelsAsync(edit, signal)).map(({ sessionId, context }) => ({
      session: this.#bridge.session(sessionId),
      context,
    }));
    this.#sessions = all.filter(({ context }) => context === this.context.kind).map(({ session }) => session);
    this.#players = all.filter(({ context }) => context === "client").map(({ session }) => session);
    if (covered !== undefined) {
      this.#counted = all.map(({ session }) => session);
      for (const session of this.#counted) await countLinesAsync(session, covered, signal);
    }
    await this.#child.orderAsync("note");
    for (const session of this.#sessions) await setUpAsync(session, setup, signal);
    const bySetup = await this.#child.orderAsync("note");
    for (const session of this.#sessions)
      await prepareHarnessAsync(session, this.frameworks, { warn, signal });
    const byHarness = await this.#child.orderAsync("keep");
    // `byHarness.made` is left out: the harness itself made these scripts to load a framework, and they have no files.
    this.#used = { names: [...bySetup.names, ...byHarness.names], made: bySetup.made };
  }

  /** The edited place, or the server and the clients of a play test that begins now. */
  async #dataModelsAsync(edit: SessionInfo, signal: AbortSignal): Promise<readonly SessionInfo[]> {
    const { kind, players } = this.context;
    if (kind === "edit") return [edit];
    const studio = { bridge: this.#bridge, session: edit, signal, status: () => {} };
    const { sessions } = await startTestAsync(studio, { mode: "play", players });
    return sessions;
  }
}

const headlessFailed = (message: string): StudioBridgeError =>
  new StudioBridgeError("HEADLESS_FAILED", message);
