/** The play test of a command's own headless Studio, in whose server or client the command runs its script. */
import type { SessionContext } from "../../protocol/fields/contexts.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { cancelled } from "../../protocol/messages.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import type { BridgeCommandContext } from "../context.ts";
import { playAsync, waitForContextAsync } from "../../play/play-test.ts";
import type { TestedStudio } from "../../play/play-test.ts";

/** Scripts of the place that never yield are stopped one after the other before anything else runs. */
const START_TIMEOUT_MS = 60_000;

const SESSION_ENDS = new Set(["SESSION_GONE", "SESSION_MISMATCH", "SESSION_NOT_FOUND"]);
const ENDED_HINT = "A script of the place has called EndTest, or its server has failed: see its output.";

/**
 * The session of that context of the same Studio, which so far is in edit mode. The test lasts as long as the Studio, or
 * until a script of the place ends it.
 */
export async function playedContextAsync(
  { bridge, signal, status }: BridgeCommandContext,
  edit: SessionInfo,
  wanted: SessionContext = "edit",
): Promise<SessionInfo> {
  if (wanted === edit.context) return edit;
  status("Starting a play session");
  const studio: TestedStudio = { bridge, signal, status, session: edit };
  const found = await Promise.race([
    waitForContextAsync(studio, wanted, START_TIMEOUT_MS),
    endOfPlayAsync(studio),
  ]);
  if (found instanceof StudioBridgeError) throw found;
  if (found !== null) return found;
  if (signal.aborted) throw cancelled("not_started");
  throw new StudioBridgeError("HEADLESS_FAILED", "The play session did not start in time.");
}

/** Plays the place; resolves with why there is no play session any more. */
async function endOfPlayAsync(studio: TestedStudio): Promise<StudioBridgeError> {
  const problem = await playAsync(studio, "play");
  if (problem instanceof StudioBridgeError) return problem;
  if (problem !== undefined)
    return new StudioBridgeError("HEADLESS_FAILED", `The play session did not start: ${problem}`);
  const message = "The play session ended before the script could run in it.";
  return new StudioBridgeError("HEADLESS_FAILED", message, { hint: ENDED_HINT });
}

/** In a play session of the command's own, the end of a session can only be the end of play, and is reported as that. */
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
