/** Starts, ends and recognises play tests of one Studio. The caller decides what runs in them. */
import type { BridgeConnection, BridgeSession } from "../bridge/index.ts";
import type { ActionRequest, ActionResult } from "../protocol/actions.ts";
import type { SessionContext, StudioState } from "../protocol/fields/contexts.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { SessionInfo } from "../protocol/network.ts";

/** With a client, or only a server. */
export type PlayMode = "play" | "run";

/** What a test consists of. */
export type TestWish = Pick<ActionRequest<"startTest">, "mode" | "players">;

/** The Studio to test in, as a command sees it. */
export interface TestedStudio {
  readonly bridge: BridgeConnection;
  /** A session of the Studio; to start a test, that of its edit context. */
  readonly session: SessionInfo;
  readonly signal: AbortSignal;
  /** Tells people what is going on. */
  readonly status: (text: string) => void;
}

const START_TIMEOUT_MS = 20_000;
/** UNVERIFIED(edit-returns): Studio edits again at most ten seconds after EndTest, as plugin authors report. */
const END_TIMEOUT_MS = 30_000;
/** Studio may refuse to end a test because the test is ending by itself. */
const REFUSED_TIMEOUT_MS = 2_000;
const POLL_MS = 100;
const LONGEST_TEST_MS = 24 * 60 * 60 * 1_000;

/** Judges by the contexts that are connected, else by what the edit context says of itself. */
export async function studioModeAsync(studio: TestedStudio): Promise<PlayMode | "edit"> {
  const contexts = (await contextsAsync(studio)).map(({ context }) => context);
  if (contexts.includes("client")) return "play";
  if (contexts.includes("server")) return "run";
  const { state } = await editOf(studio).callAsync("queryState", {}, { signal: studio.signal });
  if (state === "Edit") return "edit";
  return state === "Run" || state === "Server" ? "run" : "play";
}

/** What a Studio plays now. */
export interface RunningTest {
  /** `Edit` where nothing plays. */
  readonly state: StudioState;
  /** The sessions of the test, the server first, then the clients by their number. */
  readonly sessions: readonly SessionInfo[];
  /** Who has started it, and who has ended the one before. */
  readonly test?: ActionResult<"queryState">["test"];
}

const SERVER_GOES = new Set(["SESSION_GONE", "SESSION_NOT_FOUND", "SESSION_MISMATCH"]);

/** A test may end while its server is asked; then its Studio is asked again. */
export async function runningTestAsync(studio: TestedStudio): Promise<RunningTest> {
  for (;;) {
    try {
      return await testNowAsync(studio);
    } catch (error) {
      const hasEnded = error instanceof StudioBridgeError && SERVER_GOES.has(error.code);
      const isThere = (await contextsAsync(studio)).some(
        ({ sessionId }) => sessionId === studio.session.sessionId,
      );
      if (!hasEnded || !isThere) throw error;
      await Bun.sleep(POLL_MS);
    }
  }
}

/** Asks the server of the test where it is connected, because it alone knows whether the test is paused. */
async function testNowAsync(studio: TestedStudio): Promise<RunningTest> {
  const sessions = (await contextsAsync(studio)).filter(({ context }) => context !== "edit").sort(byRole);
  const server = sessions.find(({ context }) => context === "server");
  const signal = { signal: studio.signal };
  const edit = editOf({ ...studio, session: await editSessionAsync(studio) });
  const { state, test } = await edit.callAsync("queryState", {}, signal);
  const ofTest = test === undefined ? {} : { test };
  if (server === undefined) return { state, sessions, ...ofTest };
  const asked = await studio.bridge.session(server.sessionId).callAsync("queryState", {}, signal);
  return { state: asked.state, sessions, ...ofTest };
}

const roleOf = ({ context, player }: SessionInfo): number =>
  context === "server" ? 0 : (player?.index ?? 1);
const byRole = (one: SessionInfo, other: SessionInfo): number => roleOf(one) - roleOf(other);

/** The edit context of this Studio; the session itself where that is not connected. */
export async function editSessionAsync(
  studio: Pick<TestedStudio, "bridge" | "session">,
): Promise<SessionInfo> {
  if (studio.session.context === "edit") return studio.session;
  const edit = (await contextsAsync(studio)).find(({ context }) => context === "edit");
  return edit ?? studio.session;
}

/** Every context of this Studio. */
export async function contextsAsync({
  bridge,
  session,
}: Pick<TestedStudio, "bridge" | "session">): Promise<SessionInfo[]> {
  const sessions = await bridge.sessionsAsync();
  return sessions.filter(({ instanceId }) => instanceId === session.instanceId);
}

/** The first such session of this Studio, once it is connected; null if that takes too long. */
export function waitForContextAsync(
  { bridge, session, signal }: TestedStudio,
  wanted: SessionContext,
  timeoutMs: number,
  accept: (session: SessionInfo) => boolean = () => true,
): Promise<SessionInfo | null> {
  const isWanted = (other: SessionInfo) =>
    other.instanceId === session.instanceId && other.context === wanted && accept(other);
  return bridge.waitForSessionAsync(isWanted, { timeoutMs, signal });
}

/**
 * Plays until the test ends or the signal aborts; the test also ends with this process. Resolves with what went wrong:
 * why Studio refused it, or how the call failed.
 */
export async function playAsync(
  studio: TestedStudio,
  mode: PlayMode,
): Promise<string | StudioBridgeError | undefined> {
  const options = { signal: studio.signal, timeoutMs: LONGEST_TEST_MS };
  try {
    return (await editOf(studio).callAsync("startTest", { mode, until: "ended" }, options)).problem;
  } catch (error) {
    if (error instanceof StudioBridgeError) return error;
    throw error;
  }
}

/**
 * Runs something in the server of a test that ends with it. Scripts of the edit context wait for that. Throws BUSY where
 * Studio refused to start.
 */
export async function duringTestAsync<T>(
  studio: TestedStudio,
  mode: PlayMode,
  runAsync: (server: SessionInfo) => Promise<T>,
): Promise<T> {
  studio.status("Starting a play test");
  const over = playAsync(studio, mode);
  const notStarted = over.then((problem = "it ended at once"): never => {
    throw startFailure(problem instanceof StudioBridgeError ? problem.message : problem);
  });
  try {
    await Promise.race([startedAsync(studio, { mode }), notStarted]);
    return await runAsync(await connectedAsync(studio, "server"));
  } finally {
    await endTestAsync(studio, { over });
  }
}

/**
 * Starts a test that outlives this process; resolves once all of its sessions are connected and answer. Throws BUSY where
 * Studio refused to start; after any other failure the test is ended.
 */
export async function startTestAsync(studio: TestedStudio, wish: TestWish): Promise<RunningTest> {
  studio.status("Starting a play test");
  let started: Promise<RunningTest> | undefined;
  const waitAsync = (): Promise<RunningTest> => (started ??= startedOrEndedAsync(studio, wish));
  await askToStartAsync(studio, wish, waitAsync);
  return waitAsync();
}

/** The test, once it has started; ends it if it does not start whole. */
async function startedOrEndedAsync(studio: TestedStudio, wish: TestWish): Promise<RunningTest> {
  const watch = new AbortController();
  try {
    return await Promise.race([startedAsync(studio, wish), endedAtOnceAsync(studio, watch.signal)]);
  } catch (error) {
    await endTestAsync(studio);
    throw error;
  } finally {
    watch.abort();
  }
}

/** Throws once the test that starts is over. */
async function endedAtOnceAsync(studio: TestedStudio, signal: AbortSignal): Promise<never> {
  for (let hasPlayed = false; !signal.aborted; await Bun.sleep(POLL_MS)) {
    const mode = await studioModeAsync(studio);
    if (hasPlayed && mode === "edit") throw endedAtOnce();
    hasPlayed ||= mode !== "edit";
  }
  return new Promise(() => {});
}

/** From now on the plugin ends the running test when this process goes, however it goes. */
export function holdTest(studio: Pick<TestedStudio, "bridge" | "session">): void {
  const request = { condition: "state", state: "Edit", timeoutMs: LONGEST_TEST_MS, holdsTest: true } as const;
  void editOf(studio)
    .callAsync("wait", request, { timeoutMs: LONGEST_TEST_MS })
    // It fails where the Studio or the connection ends, and the test with it.
    .catch(() => {});
}

/**
 * The plugin ends the test where the request that starts it is cancelled, or left by its client. So that a caller that is
 * killed leaves no test behind, the request lasts until `waitAsync` has settled.
 */
async function askToStartAsync(
  studio: TestedStudio,
  wish: TestWish,
  waitAsync: () => Promise<unknown>,
): Promise<void> {
  studio.signal.throwIfAborted();
  const { problem, isOver } = await editOf(studio).callAsync("startTest", wish, {
    signal: studio.signal,
    nextInputAsync: async () => {
      await waitAsync().catch(() => {});
      return { text: "", isLast: true };
    },
  });
  studio.signal.throwIfAborted();
  if (problem !== undefined) throw startFailure(problem);
  if (isOver) throw endedAtOnce();
}

function endedAtOnce(): StudioBridgeError {
  return new StudioBridgeError(
    "PLAY_CONTEXT_UNAVAILABLE",
    "The play test ended before all of it was connected.",
    { hint: "A script of the place has called EndTest, or its server has failed: see `sb logs`." },
  );
}

function startFailure(reason: string): StudioBridgeError {
  return new StudioBridgeError("BUSY", `The play test did not start: ${reason}`, {
    hint: "Studio may be playing already: stop that play test, and try again.",
  });
}

/** The test, once everything of it is connected and answers. */
async function startedAsync(studio: TestedStudio, { mode, players = 1 }: TestWish): Promise<RunningTest> {
  await connectedAsync(studio, "server");
  if (mode === "play") await clientsConnectedAsync(studio, players);
  const test = await runningTestAsync(studio);
  for (const { sessionId } of test.sessions)
    await studio.bridge.session(sessionId).callAsync("queryState", {}, { signal: studio.signal });
  return test;
}

async function clientsConnectedAsync(studio: TestedStudio, players: number): Promise<void> {
  for (let connected = 0; connected < players;) {
    const known = new Set((await clientsAsync(studio)).map(({ sessionId }) => sessionId));
    connected = known.size;
    if (connected < players)
      await connectedAsync(studio, "client", (session) => !known.has(session.sessionId));
  }
}

const clientsAsync = async (studio: TestedStudio): Promise<SessionInfo[]> =>
  (await contextsAsync(studio)).filter(({ context }) => context === "client");

interface TestEnd {
  /** Also where another client, which is connected, has started the test; without it that is BUSY. */
  readonly force?: boolean;
  /** Resolves when the test is over by itself. */
  readonly over?: Promise<unknown>;
}

/**
 * Ends the test that runs or starts, even for a call that was cancelled. Throws BUSY for the test of another client, unless
 * it is forced.
 */
export async function endTestAsync(
  cancelled: TestedStudio,
  { force = true, over = Promise.withResolvers<never>().promise }: TestEnd = {},
): Promise<void> {
  const studio = { ...cancelled, signal: new AbortController().signal };
  await editOf({ ...studio, session: await editSessionAsync(studio) }).callAsync("stopTest", { force });
  studio.status("Stopping the play test");
  const server = await Promise.race([serverToEndAsync(studio), over.then(() => undefined)]);
  const refusal =
    server === undefined ? undefined : await askToEndAsync(studio.bridge.session(server.sessionId));
  if (await editsAgainAsync(studio, refusal === undefined ? END_TIMEOUT_MS : REFUSED_TIMEOUT_MS)) return;
  if (refusal === undefined) throw new StudioBridgeError("TIMEOUT", "The play test did not end in time.");
  throw new StudioBridgeError("BUSY", `Studio refused to end the play test: ${refusal}`, {
    hint: "Stop the play test in Studio.",
  });
}

/** The server of the test that runs or starts, once it is connected; undefined if the test ends before that. */
async function serverToEndAsync(studio: TestedStudio): Promise<SessionInfo | undefined> {
  for (const giveUpAt = performance.now() + START_TIMEOUT_MS; performance.now() < giveUpAt;) {
    const server = (await contextsAsync(studio)).find(({ context }) => context === "server");
    if (server !== undefined) return server;
    if ((await studioModeAsync(studio)) === "edit") return undefined;
    await Bun.sleep(POLL_MS);
  }
  throw notConnected("server");
}

/** Why Studio refuses, if it does. A test that ends before its server answers has ended. */
async function askToEndAsync(server: BridgeSession): Promise<string | undefined> {
  try {
    return (await server.callAsync("stopTest", {})).problem;
  } catch (error) {
    if (error instanceof StudioBridgeError && SERVER_GOES.has(error.code)) return undefined;
    throw error;
  }
}

/** False if that takes longer than `timeoutMs`. */
async function editsAgainAsync(studio: TestedStudio, timeoutMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + timeoutMs;
  while ((await studioModeAsync(studio)) !== "edit") {
    if (performance.now() > giveUpAt) return false;
    await Bun.sleep(POLL_MS);
  }
  return true;
}

/** Throws PLAY_CONTEXT_UNAVAILABLE where it does not come. */
async function connectedAsync(
  studio: TestedStudio,
  wanted: SessionContext,
  accept?: (session: SessionInfo) => boolean,
): Promise<SessionInfo> {
  const found = await waitForContextAsync(studio, wanted, START_TIMEOUT_MS, accept);
  if (found !== null) return found;
  throw notConnected(wanted);
}

function notConnected(wanted: SessionContext): StudioBridgeError {
  const message = `Studio plays, but the ${wanted} of the play test is not connected.`;
  return new StudioBridgeError("PLAY_CONTEXT_UNAVAILABLE", message);
}

const editOf = ({ bridge, session }: Pick<TestedStudio, "bridge" | "session">) =>
  bridge.session(session.sessionId);
