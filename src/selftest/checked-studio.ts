/**
 * The Studio that is checked: its edited place, with a scratch folder in ServerStorage. At the end, the selection and the
 * camera are restored and the folder is removed. The folder of an earlier run that was killed is removed at the start.
 */
import type { BridgeConnection, CallOptions } from "../bridge/index.ts";
import type { ActionName, ActionRequest, ActionResult } from "../protocol/actions.ts";
import type { Caller } from "../protocol/fields/callers.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { SessionInfo } from "../protocol/network.ts";
import { randomHex } from "../util/random-hex.ts";
import closingProgram from "./close-scratch.luau" with { type: "text" };
import openingProgram from "./open-scratch.luau" with { type: "text" };

/**
 * The end of each script. The plugin makes no undo step for a script that names this service, so that the self-test leaves the
 * undo history as it was.
 */
export const NO_STEP = "\n-- ChangeHistoryService";

export interface StudioOptions {
  readonly bridge: BridgeConnection;
  /** The session of the edited place. */
  readonly session: SessionInfo;
  readonly signal: AbortSignal;
  /** Shows progress to people. */
  readonly status: (text: string) => void;
}

export class CheckedStudio implements AsyncDisposable {
  readonly bridge: BridgeConnection;
  readonly session: SessionInfo;
  readonly signal: AbortSignal;
  readonly status: (text: string) => void;
  /** The owner of the checks' undo steps. Undo takes back only steps of this caller. */
  readonly caller: Caller = { id: `selftest-${randomHex(8)}`, name: "sb selftest" };
  readonly scratchName = `StudioBridgeSelftest-${randomHex(4)}`;
  /** The path of the scratch folder. */
  readonly scratch = `game.ServerStorage.${this.scratchName}`;

  private constructor({ bridge, session, signal, status }: StudioOptions) {
    this.bridge = bridge;
    this.session = session;
    this.signal = signal;
    this.status = status;
  }

  static async openAsync(options: StudioOptions): Promise<CheckedStudio> {
    const studio = new CheckedStudio(options);
    await studio.runAsync(openingProgram, { args: [studio.scratchName] });
    return studio;
  }

  async callAsync<Name extends ActionName>(
    name: Name,
    request: ActionRequest<Name>,
    options: CallOptions = {},
  ): Promise<ActionResult<Name>> {
    return await this.bridge
      .session(this.session.sessionId)
      .callAsync(name, request, { signal: this.signal, ...options });
  }

  /** Runs a script without an undo step and returns its values. Throws SCRIPT_RUNTIME_ERROR if the script fails. */
  async runAsync(
    script: string,
    request: Omit<ActionRequest<"execute">, "script"> = {},
    options: CallOptions = {},
  ): Promise<readonly unknown[]> {
    const result = await this.callAsync("execute", { ...request, script: script + NO_STEP }, options);
    if (result.success) return result.returnValues;
    throw new StudioBridgeError("SCRIPT_RUNTIME_ERROR", result.error ?? "the script failed");
  }

  /** Cleans up. The call has no signal, so that it also runs after an interruption. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.bridge
        .session(this.session.sessionId)
        .callAsync("execute", { script: closingProgram + NO_STEP, args: [this.scratchName] });
    } catch (error) {
      // If the Studio is gone, the folder is gone too. If it comes back, the next run removes the folder.
      if (!(error instanceof StudioBridgeError)) throw error;
    }
  }
}
