/** Shows what Studio prints while nothing or something else runs, so that threads left behind are not silent. */
import type { BridgeConnection } from "../bridge/index.ts";
import type { Emission } from "../output/emission.ts";
import { printedLine } from "../command-kit/scripts/execute-script.ts";
import { markedLine } from "../command-kit/scripts/log-line.ts";
import type { LogEntry } from "../protocol/fields/log-lines.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { words } from "../protocol/words.ts";
import { LogMerge } from "./log-merge.ts";

/** How much later than the script's end its last line may reach the log. */
const SETTLE_MS = 1_000;
/** Headless Studio logs a cancelled script in several lines: `words.scriptCancelled`, its frames, and this one. */
const STOP_REPORT_END = "Stack End";

export class StudioLog {
  readonly #show: (emission: Emission) => void;
  readonly #isShownAlready: () => boolean;
  readonly #merge = new LogMerge();
  #sessionId: string | undefined;
  #subscription: Promise<AsyncDisposable | undefined> = Promise.resolve(undefined);
  #settling: Timer | undefined;
  #isInStopReport = false;

  /** `isShownAlready` tells whether a running command prints the log itself. */
  constructor(show: (emission: Emission) => void, isShownAlready: () => boolean) {
    this.#show = show;
    this.#isShownAlready = isShownAlready;
  }

  /** Follows the log of this session from now on, or of none. */
  follow(bridge: BridgeConnection, sessionId: string | undefined): void {
    if (sessionId === this.#sessionId) return;
    this.#sessionId = sessionId;
    const former = this.#subscription;
    this.#merge.forget();
    this.#subscription = former.then(async (subscription) => {
      await subscription?.[Symbol.asyncDispose]();
      return sessionId === undefined ? undefined : this.#subscribeAsync(bridge, sessionId);
    });
  }

  /** False for a script's line that the log has shown already. */
  admits({ logged }: Emission): boolean {
    if (logged === undefined || this.#sessionId === undefined) return true;
    this.#settleLater();
    return this.#merge.isNew("script", logged);
  }

  async #subscribeAsync(bridge: BridgeConnection, sessionId: string): Promise<AsyncDisposable | undefined> {
    try {
      return await bridge.session(sessionId).subscribeAsync(["logPush"], (push) => {
        if (push.event === "logPush" && sessionId === this.#sessionId) this.#receive(push.payload.entries);
      });
    } catch (error) {
      // `Presence` reports a session that ends at this moment.
      if (error instanceof StudioBridgeError) return undefined;
      throw error;
    }
  }

  #receive(entries: readonly LogEntry[]): void {
    if (this.#isShownAlready()) return;
    for (const entry of entries) {
      if (entry.body.startsWith(words.logPrefix) || this.#isStopReport(entry.body)) continue;
      if (entry.context !== undefined) {
        if (entry.isOutput !== true) this.#show(markedLine(entry));
        continue;
      }
      this.#settleLater();
      if (this.#merge.isNew("log", entry)) this.#show(printedLine(entry.level, entry.body));
    }
  }

  /** True for the lines that the log has about a cancelled script, because the terminal says that itself in one line. */
  #isStopReport(body: string): boolean {
    if (body === words.scriptCancelled) this.#isInStopReport = true;
    const isPart = this.#isInStopReport;
    if (body === STOP_REPORT_END) this.#isInStopReport = false;
    return isPart;
  }

  #settleLater(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#merge.forget(), SETTLE_MS);
  }
}
