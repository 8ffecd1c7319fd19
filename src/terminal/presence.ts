/** Tells the person at a terminal when Studio or the bridge host goes, and takes the session up again when it is back. */
import type { SessionEvent } from "../bridge/index.ts";
import { findSession } from "../command/sessions/session-resolver.ts";
import { quietText } from "../command/sessions/session-messages.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { SessionInfo } from "../protocol/network.ts";
import { outlookOf, placeOf } from "./shell.ts";
import type { Shell } from "./shell.ts";

export class Presence implements Disposable {
  readonly #shell: Shell;
  readonly #stops: readonly (() => void)[];

  constructor(shell: Shell) {
    this.#shell = shell;
    const { bridge } = shell;
    this.#stops = [
      bridge.onSessionEvent((event) => void this.#hearAsync(event)),
      bridge.onHostChange(
        () => void this.#checkAsync("The bridge host was replaced; going on with the next one."),
      ),
      bridge.onQuiet((isQuiet) => shell.say(quietText(isQuiet))),
    ];
    void bridge.closed.then(() => this.#hostGone());
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop();
  }

  async #hearAsync({ event, session }: SessionEvent): Promise<void> {
    const own = this.#shell.session;
    if (own === undefined) return;
    if (session.sessionId === own.sessionId) {
      if (event === "disconnected") this.#lose();
      else if (this.#shell.isLost) this.#shell.takeUp(session);
      else this.#shell.session = session;
    } else if (event === "connected" && this.#shell.isLost) {
      await this.#checkAsync();
    }
  }

  /** Looks at what is there now: the same window, or the only one. */
  async #checkAsync(note?: string): Promise<void> {
    if (note !== undefined) this.#shell.say(note);
    const own = this.#shell.session;
    if (own === undefined) return;
    const sessions = await this.#shell.bridge.sessionsAsync().catch(ignoreLostHost);
    if (own !== this.#shell.session) return;
    const same =
      sessions.find(({ sessionId }) => sessionId === own.sessionId) ??
      sessions.find(({ instanceId, context }) => instanceId === own.instanceId && context === own.context);
    if (same !== undefined && this.#shell.isLost) return this.#shell.takeUp(same);
    if (same !== undefined) {
      this.#shell.session = same;
      return;
    }
    if (!this.#shell.isLost) return;
    // Where there is no choice, a Studio that has just come is the one that is meant.
    const only = findSession(sessions, {}, own.context);
    if (only !== undefined) this.#shell.attach(only);
  }

  #lose(): void {
    const { session, isLost } = this.#shell;
    if (session === undefined || isLost) return;
    this.#shell.isLost = true;
    this.#shell.say(`${placeOf(session)} has gone. ${outlookOf(session)}`);
  }

  #hostGone(): void {
    this.#shell.isLost = true;
    this.#shell.say("No bridge host can be reached any more. Leave with .exit and start again.");
  }
}

function ignoreLostHost(error: unknown): readonly SessionInfo[] {
  if (error instanceof StudioBridgeError) return [];
  throw error;
}
