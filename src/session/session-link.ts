/** A session for code that asks its plugin and reports to a surface what happens. */
import type { BridgeConnection, BridgeSession, CallOptions } from "../bridge/index.ts";
import type { RunSurface } from "../output/run-surface.ts";
import type { ActionName, ActionRequest, ActionResult } from "../protocol/actions.ts";
import type { Caller } from "../protocol/fields/callers.ts";
import type { SessionInfo } from "../protocol/network.ts";

export interface SessionLink extends RunSurface {
  readonly bridge: BridgeConnection;
  readonly session: SessionInfo;
  /** Whose the undo steps are that the work makes. */
  readonly caller: Caller;
  /** How long each request may take, where the caller says so. */
  readonly timeoutMs?: number;
  /** Asks the session's plugin, under the caller's `--timeout` and signal. */
  callAsync<Name extends ActionName>(
    name: Name,
    request: ActionRequest<Name>,
    listeners?: Pick<CallOptions, "onOutput" | "nextInputAsync">,
  ): Promise<ActionResult<Name>>;
  readonly subscribeAsync: BridgeSession["subscribeAsync"];
}
