/** Starts a play session in a headless Studio of the command's own, so that a script can run in its server or client. */
import { StudioBridgeError } from "../../protocol/errors.ts";
import { cancelled } from "../../protocol/messages.ts";
import type { SessionContext } from "../../protocol/actions.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import type { BridgeCommandContext } from "../context.ts";

/** Scripts of the place that never yield are stopped one after the other before anything else runs. */
const START_TIMEOUT_MS = 60_000;

/** The play session lasts as long as the Studio, or until a script of the place ends it. */
const PLAY = `game:GetService("StudioTestService"):ExecutePlayModeAsync()`;
const LONGEST_PLAY_MS = 24 * 60 * 60 * 1000;

const SESSION_ENDS = new Set(["SESSION_GONE", "SESSION_MISMATCH", "SESSION_NOT_FOUND"]);
const ENDED_HINT = "A script of the place has called EndTest, or its server has failed: see its output.";

/** The session of that context of the same Studio, which so far is in edit mode. */
export async function playedContextAsync(
  context: BridgeCommandContext,
  edit: SessionInfo,
  wanted: SessionContext = "edit",
): Promise<SessionInfo> {
  if (wanted === edit.context) return edit;
  const { bridge, signal, status } = context;
  status("Starting a play session");
  const isWanted = (other: SessionInfo) => other.instanceId === edit.instanceId && other.context === wanted;
  const found = await Promise.race([
    bridge.waitForSessionAsync(isWanted, { timeoutMs: START_TIMEOUT_MS, signal }),
    playAsync(context, edit),
  ]);
  if (found instanceof StudioBridgeError) throw found;
  if (found !== null) return found;
  if (signal.aborted) throw cancelled("not_started");
  throw new StudioBridgeError("HEADLESS_FAILED", "The play session did not start in time.");
}

/** In a play session of the command's own, the end of a session can only be the end of play, and is told as that. */
export function failAtEndOfPlay(error: unknown): never {
  if (!(error instanceof StudioBridgeError) || !SESSION_ENDS.has(error.code)) throw error;
  const outcome = error.code === "SESSION_MISMATCH" ? "not_started" : error.outcome;
  const message = `The play session ended before the script ${outcome === "not_started" ? "could run" : "did"}.`;
  throw new StudioBridgeError("SESSION_GONE", message, {
    hint: ENDED_HINT,
    cause: error,
    ...(outcome === undefined ? {} : { outcome }),
  });
}

/** Plays the place; resolves with why there is no play session any more. */
async function playAsync(
  { bridge, signal }: BridgeCommandContext,
  edit: SessionInfo,
): Promise<StudioBridgeError> {
  try {
    const options = { signal, timeoutMs: LONGEST_PLAY_MS };
    const { success, error } = await bridge
      .session(edit.sessionId)
      .callAsync("execute", { script: PLAY }, options);
    const message = success
      ? "The play session ended before the script could run in it."
      : `The play session did not start: ${error}`;
    return new StudioBridgeError("HEADLESS_FAILED", message, success ? { hint: ENDED_HINT } : {});
  } catch (error) {
    if (error instanceof StudioBridgeError) return error;
    throw error;
  }
}
