/** Starts a play session in a headless Studio of the command's own, so that a script can run in its server or client. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { cancelled } from "../protocol/messages.ts";
import type { SessionContext } from "../protocol/actions.ts";
import type { SessionInfo } from "../protocol/network.ts";
import type { BridgeCommandContext } from "./define.ts";

const START_TIMEOUT_MS = 20_000;

/** The play session lasts as long as the Studio. */
const START_PLAY = `task.spawn(function() game:GetService("StudioTestService"):ExecutePlayModeAsync() end)`;

/** The session of that context of the same Studio, which so far is in edit mode. */
export async function playedContextAsync(
  { bridge, signal, status }: BridgeCommandContext,
  edit: SessionInfo,
  context: SessionContext = "edit",
): Promise<SessionInfo> {
  if (context === edit.context) return edit;
  status("Starting a play session");
  const request = { script: START_PLAY };
  const { success, error } = await bridge.session(edit.sessionId).callAsync("execute", request, { signal });
  if (!success) throw new StudioBridgeError("HEADLESS_FAILED", `The play session did not start: ${error}`);
  const isWanted = (other: SessionInfo) => other.instanceId === edit.instanceId && other.context === context;
  const found = await bridge.waitForSessionAsync(isWanted, { timeoutMs: START_TIMEOUT_MS, signal });
  if (found !== null) return found;
  if (signal.aborted) throw cancelled("not_started");
  throw new StudioBridgeError("HEADLESS_FAILED", "The play session did not start in time.");
}
