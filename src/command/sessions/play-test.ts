/** Starts, ends and recognises play tests of one Studio. The caller decides what runs in them. */
import type { BridgeConnection } from "../../bridge/index.ts";
import type { SessionContext } from "../../protocol/actions.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import endProgram from "./end-play-test.luau" with { type: "text" };
import runProgram from "./run-play-test.luau" with { type: "text" };
import startProgram from "./start-play-test.luau" with { type: "text" };

/** With a client, or only a server. */
export type PlayMode = "play" | "run";

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
/** UNVERIFIED: in Studio the edit context comes back up to ten seconds after EndTest (reports of plugin authors). */
const END_TIMEOUT_MS = 30_000;
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

/** Every context of this Studio. */
export async function contextsAsync({
  bridge,
  session,
}: Pick<TestedStudio, "bridge" | "session">): Promise<SessionInfo[]> {
  const sessions = await bridge.sessionsAsync();
  return sessions.filter(({ instanceId }) => instanceId === session.instanceId);
}

/** The session of that context of this Studio, once it is connected; null if that takes too long or is given up. */
export function waitForContextAsync(
  { bridge, session, signal }: TestedStudio,
  wanted: SessionContext,
  timeoutMs: number,
): Promise<SessionInfo | null> {
  const isWanted = ({ instanceId, context }: SessionInfo) =>
    instanceId === session.instanceId && context === wanted;
  return bridge.waitForSessionAsync(isWanted, { timeoutMs, signal });
}

/**
 * Plays until the test ends or the signal aborts; the test also ends with this process. Resolves with what went wrong:
 * the failure of the script that runs the test, or of the call.
 * UNVERIFIED: StudioTestService lets a plugin start tests (documented as PluginSecurity, never seen here).
 */
export async function playAsync(
  studio: TestedStudio,
  mode: PlayMode,
): Promise<string | StudioBridgeError | undefined> {
  const options = { signal: studio.signal, timeoutMs: LONGEST_TEST_MS };
  try {
    const request = { script: runProgram, args: [mode] };
    const { success, error = "" } = await editOf(studio).callAsync("execute", request, options);
    return success ? undefined : error;
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
    const server = await Promise.race([startedAsync(studio, mode), notStarted]);
    return await runAsync(server);
  } finally {
    await endTestAsync(studio, over);
  }
}

/**
 * Starts a test that outlives this process, and gives its server once it is connected. Throws BUSY where Studio refused
 * to start; after any other failure the test is ended.
 */
export async function startTestAsync(studio: TestedStudio, mode: PlayMode): Promise<SessionInfo> {
  studio.status("Starting a play test");
  await askToStartAsync(studio, mode);
  try {
    return await startedAsync(studio, mode);
  } catch (error) {
    await endTestAsync(studio);
    throw error;
  }
}

/** Once asked, Studio starts the test, so the call is not given up: a caller that gives up ends the test afterwards. */
async function askToStartAsync(studio: TestedStudio, mode: PlayMode): Promise<void> {
  studio.signal.throwIfAborted();
  const request = { script: startProgram, args: [mode] };
  const { returnValues, success, error } = await editOf(studio).callAsync("execute", request);
  const [problem] = returnValues;
  if (success && typeof problem !== "string") return;
  throw startFailure(String(problem ?? error));
}

function startFailure(reason: string): StudioBridgeError {
  return new StudioBridgeError("BUSY", `The play test did not start: ${reason}`, {
    hint: "Studio may be playing already: stop that play test, and try again.",
  });
}

/** The server, once everything of the test is connected. */
async function startedAsync(studio: TestedStudio, mode: PlayMode): Promise<SessionInfo> {
  if (mode === "play") await connectedAsync(studio, "client");
  return connectedAsync(studio, "server");
}

/**
 * Ends the test that runs or starts, by whatever it was started, even for a call that was cancelled. `over` resolves
 * when a test is over by itself.
 */
export async function endTestAsync(
  cancelled: TestedStudio,
  over: Promise<unknown> = Promise.withResolvers<never>().promise,
): Promise<void> {
  const studio = { ...cancelled, signal: new AbortController().signal };
  studio.status("Stopping the play test");
  const server = await Promise.race([connectedAsync(studio, "server"), over.then(() => undefined)]);
  try {
    if (server !== undefined)
      await studio.bridge.session(server.sessionId).callAsync("execute", { script: endProgram });
  } catch (error) {
    // The test may end before it answers; whether it did is seen below.
    if (!(error instanceof StudioBridgeError) || error.code !== "SESSION_GONE") throw error;
  }
  const giveUpAt = performance.now() + END_TIMEOUT_MS;
  while ((await studioModeAsync(studio)) !== "edit") {
    if (performance.now() > giveUpAt)
      throw new StudioBridgeError("TIMEOUT", "The play test did not end in time.");
    await Bun.sleep(POLL_MS);
  }
}

/** Throws PLAY_CONTEXT_UNAVAILABLE where it does not come. */
async function connectedAsync(studio: TestedStudio, wanted: SessionContext): Promise<SessionInfo> {
  const found = await waitForContextAsync(studio, wanted, START_TIMEOUT_MS);
  if (found !== null) return found;
  const message = `Studio plays, but the ${wanted} of the play test is not connected.`;
  throw new StudioBridgeError("PLAY_CONTEXT_UNAVAILABLE", message);
}

const editOf = ({ bridge, session }: TestedStudio) => bridge.session(session.sessionId);
