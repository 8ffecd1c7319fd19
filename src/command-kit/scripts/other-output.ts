/**
 * The output of other scripts, such as the place's, in a Studio that runs for one command alone. Shows each line as it
 * comes, marked with its origin, and keeps it for the result.
 */
import type { BridgeSession } from "../../bridge/index.ts";
import type { LogEntry } from "../../protocol/fields/log-lines.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import type { BridgeCommandContext, OtherLine, OtherOutput } from "../context.ts";
import { droppedNote, markedLine } from "./log-line.ts";

export class FollowedOutput implements OtherOutput, AsyncDisposable {
  readonly #context: BridgeCommandContext;
  readonly #edit: BridgeSession;
  #lines: OtherLine[] = [];
  #subscription: AsyncDisposable | undefined;

  private constructor(context: BridgeCommandContext, edit: BridgeSession) {
    this.#context = context;
    this.#edit = edit;
  }

  /** From now on and as long as the Studio lives, of its edit session, which hears of every DataModel. */
  static follow(context: BridgeCommandContext, { sessionId }: SessionInfo): FollowedOutput {
    const output = new FollowedOutput(context, context.bridge.session(sessionId));
    void output.#followAsync();
    return output;
  }

  /** As `follow`, until it is disposed of; resolves when it is sure to miss nothing from then on. */
  static async followingAsync(
    context: BridgeCommandContext,
    { sessionId }: SessionInfo,
  ): Promise<FollowedOutput> {
    const output = new FollowedOutput(context, context.bridge.session(sessionId));
    await output.#followAsync();
    return output;
  }

  take(): readonly OtherLine[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  async settledAsync(): Promise<void> {
    await this.#edit.callAsync("queryState", {}, { signal: this.#context.signal }).catch(ignoreFailure);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#subscription?.[Symbol.asyncDispose]();
  }

  async #followAsync(): Promise<void> {
    const { emit } = this.#context;
    this.#subscription = await this.#edit
      .subscribeAsync(
        ["otherLogPush"],
        (push) => {
          if (push.event === "otherLogPush") for (const entry of push.payload.entries) this.#add(entry);
        },
        { onDropped: (count) => emit(droppedNote(count)) },
      )
      // An older host that is still there knows no such lines; the script runs all the same.
      .catch(ignoreFailure);
  }

  #add({ level, body, context = "edit", player }: LogEntry): void {
    const line: OtherLine = { level, body, context, ...(player === undefined ? {} : { player }) };
    this.#lines.push(line);
    this.#context.emit(markedLine(line, this.#context.scriptFiles));
  }
}

function ignoreFailure(error: unknown): undefined {
  if (!(error instanceof StudioBridgeError)) throw error;
  return undefined;
}
