/** One session as its callers see it: typed calls and pushes. It does not know how frames travel. */
import { actions } from "../protocol/actions.ts";
import type { ActionName, ActionRequest, ActionResult } from "../protocol/actions.ts";
import type { Caller } from "../protocol/fields/callers.ts";
import { decodePayload, decodeReply } from "../protocol/codec.ts";
import type { Envelope } from "../protocol/envelope.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { events } from "../protocol/events.ts";
import type { EventPayload, OutputMessage, PrintedMessage, SubscribableEvent } from "../protocol/events.ts";
import { summaryOf } from "../protocol/summary.ts";
import type { CheckedRequest } from "../protocol/summary.ts";
import { ScriptInput } from "./script-input.ts";
import type { InputPiece } from "./script-input.ts";
import type { CallOptions as ClientCallOptions, BridgeClient } from "./client/bridge-client.ts";

export interface CallOptions {
  /** Default: the timeout of the action. */
  readonly timeoutMs?: number;
  /** Aborting asks the plugin to cancel the script; the call still ends with what really happened. */
  readonly signal?: AbortSignal;
  /** Lines printed by the script, while it runs. */
  readonly onOutput?: (messages: readonly PrintedMessage[]) => void;
  /** Values that a script with `emits` sends, in order, also in relation to the lines. */
  readonly onEvent?: (value: unknown) => void;
  /** The next piece of standard input, for a script that asks for it; without it the script is told that there is none. */
  readonly nextInputAsync?: () => Promise<InputPiece>;
}

const noInputAsync = async (): Promise<InputPiece> => ({ fault: "This script has no standard input." });

export type SessionPush =
  | { readonly event: "stateChange"; readonly payload: EventPayload<"stateChange"> }
  | { readonly event: "logPush"; readonly payload: EventPayload<"logPush"> }
  | { readonly event: "otherLogPush"; readonly payload: EventPayload<"otherLogPush"> }
  | { readonly event: "treeChange"; readonly payload: EventPayload<"treeChange"> };

export interface SubscribeOptions {
  /** Called with the number of lines or pushes that this process read too slowly to receive. */
  readonly onDropped?: (count: number) => void;
}

/** Who asks for something, and with which command. */
export interface Asker {
  readonly caller: Caller;
  /** The command, with what of its input may be told; the name of each action without it. */
  readonly verb?: string;
  /** Told when the person at Studio is asked about a call, and when that ends. */
  readonly onHeld?: (isHeld: boolean) => void;
}

export interface PingTimes {
  /** From the question to the answer, here. */
  readonly totalMs: number;
  /** From the question to the answer, at the host; absent from an older one. */
  readonly hostMs?: number;
  readonly state: ActionResult<"queryState">;
}

export class BridgeSession {
  readonly sessionId: string;
  readonly #client: BridgeClient;
  readonly #asker: Asker | undefined;

  constructor(sessionId: string, client: BridgeClient, asker?: Asker) {
    this.sessionId = sessionId;
    this.#client = client;
    this.#asker = asker;
  }

  /**
   * Rejects with a StudioBridgeError that has an `outcome`: the plugin's or the host's code, TIMEOUT, CANCELLED or
   * SESSION_GONE.
   */
  async callAsync<Name extends ActionName>(
    name: Name,
    request: ActionRequest<Name>,
    options: CallOptions = {},
  ): Promise<ActionResult<Name>> {
    const timeoutMs = options.timeoutMs ?? actions[name].timeoutMs;
    const payload = checkedRequest(name, request, timeoutMs);
    const { nextInputAsync = noInputAsync } = options;
    const input = new ScriptInput(nextInputAsync, (piece) => this.callAsync("provideInput", piece));
    const clientOptions: ClientCallOptions = {
      ...options,
      onOutput: (messages) => tellApart(messages, options),
      timeoutMs,
      onInputWanted: (wanted) => void input.answerAsync(wanted),
      ...told(name, payload, this.#asker),
    };
    const reply = decodeReply(
      name,
      await this.#client.callAsync(this.sessionId, name, payload, clientOptions),
    );
    if (reply.ok) return reply.value;
    throw new StudioBridgeError(reply.fault.code, reply.fault.message, { outcome: "ran_reply_lost" });
  }

  /** One question and its answer, in parts that are each measured by one clock. Rejects as `callAsync` does. */
  async pingAsync(options: Pick<CallOptions, "timeoutMs" | "signal"> = {}): Promise<PingTimes> {
    const { timeoutMs = actions.queryState.timeoutMs, signal } = options;
    const payload = { timing: true };
    const sentAtMs = performance.now();
    const reply = await this.#client.callAsync(this.sessionId, "queryState", payload, {
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
      ...told("queryState", payload, this.#asker),
    });
    const totalMs = performance.now() - sentAtMs;
    const read = decodeReply("queryState", reply);
    if (!read.ok)
      throw new StudioBridgeError(read.fault.code, read.fault.message, { outcome: "ran_reply_lost" });
    const { hostMs } = reply;
    return { totalMs, state: read.value, ...(hostMs === undefined ? {} : { hostMs }) };
  }

  /** Calls the listener for each push until the result is disposed, or the session or the host ends. */
  async subscribeAsync(
    names: readonly SubscribableEvent[],
    listener: (push: SessionPush) => void,
    options: SubscribeOptions = {},
  ): Promise<AsyncDisposable> {
    const stop = this.#client.listenToPushes({
      sessionId: this.sessionId,
      events: names,
      push: (envelope) => {
        const push = decodePush(envelope);
        if (push !== undefined && names.includes(push.event)) listener(push);
      },
      dropped: options.onDropped ?? (() => {}),
    });
    try {
      await this.callAsync("subscribe", { events: [...names] });
    } catch (error) {
      stop();
      throw error;
    }
    return { [Symbol.asyncDispose]: () => this.#unsubscribeAsync(stop) };
  }

  async #unsubscribeAsync(stop: () => readonly SubscribableEvent[]): Promise<void> {
    const unwanted = stop();
    if (unwanted.length === 0 || this.#client.isClosed) return;
    await this.callAsync("unsubscribe", { events: [...unwanted] }).catch((error: unknown) => {
      // The session or the host has ended and pushes nothing more, so there is nothing to unsubscribe from.
      if (!(error instanceof StudioBridgeError)) throw error;
    });
  }
}

const isPrinted = (message: OutputMessage): message is PrintedMessage => message.level !== "Event";

/** Passes lines on as they come together, and each event by itself, in the order in which they were sent. */
function tellApart(messages: readonly OutputMessage[], { onOutput, onEvent }: CallOptions): void {
  if (messages.every(isPrinted)) return onOutput?.(messages);
  for (const message of messages) {
    if (isPrinted(message)) onOutput?.([message]);
    else onEvent?.(JSON.parse(message.body));
  }
}

/** What the host and the plugin are told of the request beside it. */
function told<Name extends ActionName>(name: Name, request: CheckedRequest<Name>, asker: Asker | undefined) {
  if (asker === undefined) return {};
  return { caller: asker.caller, summary: summaryOf(name, request, asker.verb), onHeld: asker.onHeld };
}

const RUNS_A_SCRIPT: ReadonlySet<ActionName> = new Set(["execute", "tryScript", "runInGame"]);

/** The request as its schema reads it, with defaults; that of a script also carries its deadline. */
function checkedRequest<Name extends ActionName>(
  name: Name,
  request: unknown,
  timeoutMs: number,
): CheckedRequest<Name> {
  const checked = decodePayload(actions[name].request, { type: name, sessionId: "", payload: request });
  if (!checked.ok)
    throw new StudioBridgeError("INVALID_PAYLOAD", checked.fault.message, { outcome: "not_started" });
  const value = RUNS_A_SCRIPT.has(name) ? { ...checked.value, timeoutMs } : checked.value;
  // The row of `name` fixes the type; TypeScript cannot follow that through the index.
  return value as CheckedRequest<Name>;
}

function decodePush(envelope: Envelope): SessionPush | undefined {
  const { type: event } = envelope;
  switch (event) {
    case "stateChange": {
      const decoded = decodePayload(events[event].payload, envelope);
      return decoded.ok ? { event, payload: decoded.value } : undefined;
    }
    case "logPush":
    case "otherLogPush": {
      const decoded = decodePayload(events[event].payload, envelope);
      return decoded.ok ? { event, payload: decoded.value } : undefined;
    }
    case "treeChange": {
      const decoded = decodePayload(events[event].payload, envelope);
      return decoded.ok ? { event, payload: decoded.value } : undefined;
    }
    default:
      return undefined;
  }
}
