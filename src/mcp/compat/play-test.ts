/** Starts, ends and recognises play tests of one Studio. What runs in them is no concern of it. */
import type { SessionCommandContext } from "../../command/context.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { SessionContext } from "../../protocol/actions.ts";
import type { SessionInfo } from "../../protocol/network.ts";

/** In the words of the tools. */
type StudioMode = "start_play" | "run_server" | "stop";
type PlayMode = Exclude<StudioMode, "stop">;

type Studio = Pick<SessionCommandContext, "bridge" | "session" | "callAsync" | "signal" | "status">;

const START_TIMEOUT_MS = 20_000;
/** UNVERIFIED: in Studio the edit context comes back up to ten seconds after EndTest (reports of plugin authors). */
const END_TIMEOUT_MS = 30_000;
const POLL_MS = 100;

/**
 * The call stays open for as long as the test; an error comes at once.
 * UNVERIFIED: StudioTestService lets a plugin start tests (documented as PluginSecurity, never seen here).
 */
const START = `
local mode = ...
local isOver, problem = false, nil
task.spawn(function()
	local service = game:GetService("StudioTestService")
	local ok, message = pcall(function()
		if mode == "start_play" then
			service:ExecutePlayModeAsync({})
		else
			service:ExecuteRunModeAsync({})
		end
	end)
	isOver, problem = true, if ok then nil else tostring(message)
end)
for _ = 1, 5 do
	if isOver then
		break
	end
	task.wait(0.05)
end
return problem`;

/** The script lasts as long as the test, and the test no longer than the script: stopping one ends the other. */
const PLAY = `
local mode = ...
local service = game:GetService("StudioTestService")
if mode == "start_play" then
	service:ExecutePlayModeAsync({})
else
	service:ExecuteRunModeAsync({})
end`;
const LONGEST_PLAY_MS = 24 * 60 * 60 * 1_000;

/** Deferred, so that the answer leaves before the server does. */
const END = `task.defer(function() game:GetService("StudioTestService"):EndTest() end)`;

/** Judges by the contexts that are connected, else by what the edit context says of itself. */
export async function studioModeAsync({ bridge, session, callAsync }: Studio): Promise<StudioMode> {
  const contexts = (await contextsAsync({ bridge, session })).map(({ context }) => context);
  if (contexts.includes("client")) return "start_play";
  if (contexts.includes("server")) return "run_server";
  const { state } = await callAsync("queryState", {});
  if (state === "Edit") return "stop";
  return state === "Run" || state === "Server" ? "run_server" : "start_play";
}

/** Gives the test's server, once it is connected. Throws BUSY where Studio refused to start; else nothing runs on failure. */
export async function startPlayAsync(studio: Studio, mode: PlayMode): Promise<SessionInfo> {
  studio.status("Starting a play test");
  await askToStartAsync(studio, mode);
  try {
    return await contextAsync(studio, mode);
  } catch (error) {
    await stopPlayAsync(studio);
    throw error;
  }
}

/**
 * Runs something in the server of a test that ends with it, also when this process dies on the way. Scripts of the edit
 * context wait for that. Throws BUSY where Studio refused to start.
 */
export async function duringPlayAsync<T>(
  studio: Studio,
  mode: PlayMode,
  runAsync: (server: SessionInfo) => Promise<T>,
): Promise<T> {
  studio.status("Starting a play test");
  const over = playAsync(studio, mode);
  const notStarted = over.then((reason): never => {
    throw startFailure(reason ?? "it ended at once");
  });
  try {
    const server = await Promise.race([contextAsync(studio, mode), notStarted]);
    return await runAsync(server);
  } finally {
    await stopPlayAsync(studio, over);
  }
}

/** Resolves when the test is over, with what went wrong. */
async function playAsync({ bridge, session, signal }: Studio, mode: PlayMode): Promise<string | undefined> {
  const edit = bridge.session(session.sessionId);
  const request = { script: PLAY, args: [mode] };
  try {
    const { error } = await edit.callAsync("execute", request, { signal, timeoutMs: LONGEST_PLAY_MS });
    return error;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The server, once everything of the test is connected. */
async function contextAsync(studio: Studio, mode: PlayMode): Promise<SessionInfo> {
  if (mode === "start_play") await connectedAsync(studio, "client");
  return connectedAsync(studio, "server");
}

/** Not to be cancelled half-way: whoever gives up meanwhile has the test stopped again. */
async function askToStartAsync({ bridge, session, signal }: Studio, mode: PlayMode): Promise<void> {
  signal.throwIfAborted();
  const edit = bridge.session(session.sessionId);
  const request = { script: START, args: [mode] };
  const { returnValues, success, error } = await edit.callAsync("execute", request);
  const [problem] = returnValues;
  if (success && typeof problem !== "string") return;
  throw startFailure(String(problem ?? error));
}

function startFailure(reason: string): StudioBridgeError {
  return new StudioBridgeError("BUSY", `The play test did not start: ${reason}`, {
    hint: "Look with get_studio_mode, and stop what runs with start_stop_play.",
  });
}

/** Ends the test that runs or starts, whoever started it, even for a call that was cancelled. It may be over by itself. */
export async function stopPlayAsync(
  { bridge, session, status }: Studio,
  over: Promise<unknown> = Promise.withResolvers<never>().promise,
): Promise<void> {
  const { signal } = new AbortController();
  const edit = bridge.session(session.sessionId);
  const studio: Studio = {
    ...{ bridge, session, status, signal },
    callAsync: (name, request) => edit.callAsync(name, request),
  };
  status("Stopping the play test");
  const server = await Promise.race([connectedAsync(studio, "server"), over.then(() => undefined)]);
  try {
    if (server !== undefined) await bridge.session(server.sessionId).callAsync("execute", { script: END });
  } catch (error) {
    // The test may end before it answers; whether it did is seen below.
    if (!(error instanceof StudioBridgeError) || error.code !== "SESSION_GONE") throw error;
  }
  const giveUpAt = performance.now() + END_TIMEOUT_MS;
  while ((await studioModeAsync(studio)) !== "stop") {
    if (performance.now() > giveUpAt)
      throw new StudioBridgeError("TIMEOUT", "The play test did not end in time.");
    await Bun.sleep(POLL_MS);
  }
}

/** Throws PLAY_CONTEXT_UNAVAILABLE where it does not come. */
async function connectedAsync({ bridge, session, signal }: Studio, wanted: SessionContext) {
  const accept = ({ instanceId, context }: SessionInfo) =>
    instanceId === session.instanceId && context === wanted;
  const found = await bridge.waitForSessionAsync(accept, { timeoutMs: START_TIMEOUT_MS, signal });
  if (found !== null) return found;
  const message = `Studio plays, but the ${wanted} of the play test is not connected.`;
  throw new StudioBridgeError("PLAY_CONTEXT_UNAVAILABLE", message);
}

/** Every context of this Studio. */
export async function contextsAsync({
  bridge,
  session,
}: Pick<Studio, "bridge" | "session">): Promise<SessionInfo[]> {
  const sessions = await bridge.sessionsAsync();
  return sessions.filter(({ instanceId }) => instanceId === session.instanceId);
}
