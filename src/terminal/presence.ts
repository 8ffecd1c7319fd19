/** Tells the person at a terminal when Studio or the bridge host goes, and takes the session up again when it is back. */
import type { SessionEvent } from "../bridge/index.ts";
import { findSession } from "../command-kit/sessions/session-resolver.ts";
import { quietText } from "../session/session-messages.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { SessionInfo } from "../protocol/network.ts";
import { nameOf, outlookOf } from "./repl.ts";
import type { Repl } from "./repl.ts";

export class Presence implements Disposable {
  readonly #repl: Repl;
  readonly #stops: readonly (() => void)[];

  constructor(repl: Repl) {
    this.#repl = repl;
    const { bridge } = repl;
    this.#stops = [
      bridge.onSessionEvent((event) => void this.#hearAsync(event)),
      bridge.onHostChange(
        () => void this.#checkAsync("The bridge host was replaced; going on with the next one."),
      ),
      bridge.onQuiet((isQuiet) => repl.say(quietText(isQuiet))),
    ];
    void bridge.closed.then(() => this.#hostGone());
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop();
  }

  async #hearAsync({ event, session }: SessionEvent): Promise<void> {
    const own = this.#repl.session;
    if (own === undefined) return;
    const isOfStudio = session.instanceId === own.instanceId;
    if (isOfStudio && event !== "state-changed" && (await this.#repl.followAsync())) return;
    if (own !== this.#repl.session) return;
    if (session.sessionId === own.sessionId) {
      if (event === "disconnected") this.#lose();
      else if (this.#repl.isLost) this.#repl.takeUp(session);
      else this.#repl.session = session;
    } else if (event === "connected" && this.#repl.isLost) {
      await this.#checkAsync();
    }
  }

  /** Looks at what is there now: the same window, or the only one. */
  async #checkAsync(note?: string): Promise<void> {
    if (note !== undefined) this.#repl.say(note);
    const own = this.#repl.session;
    if (own === undefined) return;
    const sessions = await this.#repl.bridge.sessionsAsync().catch(ignoreLostHost);
    if (own !== this.#repl.session) return;
    const same =
      sessions.find(({ sessionId }) => sessionId === own.sessionId) ??
      sessions.find(({ instanceId, context }) => instanceId === own.instanceId && context === own.context);
    if (same !== undefined && this.#repl.isLost) return this.#repl.takeUp(same);
    if (same !== undefined) {
      this.#repl.session = same;
      return;
    }
    if (!this.#repl.isLost) return;
    // With only one Studio to choose from, take it.
    const only = findSession(sessions, {}, own.context);
    if (only !== undefined) this.#repl.attach(only);
  }

  #lose(): void {
    const { session, isLost } = this.#repl;
    if (session === undefined || isLost) return;
    this.#repl.isLost = true;
    this.#repl.say(`${nameOf(session)} has gone. ${outlookOf(session)}`);
  }

  #hostGone(): void {
    this.#repl.isLost = true;
    this.#repl.say("No bridge host can be reached any more. Leave with .exit and start again.");
  }
}

function ignoreLostHost(error: unknown): readonly SessionInfo[] {
  if (error instanceof StudioBridgeError) return [];
  throw error;
}
