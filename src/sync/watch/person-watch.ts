/** What the person at a watched Studio allows: tells when that has changed, or a late Yes has come, and waits for it. */
import type { BridgeConnection } from "../../bridge/index.ts";
import { isSamePermission } from "../../protocol/fields/permission.ts";
import type { SessionInfo } from "../../protocol/network.ts";

export class PersonWatch implements Disposable {
  readonly #stop: () => void;
  readonly #changed: () => void;
  #session: SessionInfo;
  #wake = Promise.withResolvers<void>();

  /** `changed` is called after each change. */
  constructor(bridge: Pick<BridgeConnection, "onSessionEvent">, session: SessionInfo, changed: () => void) {
    this.#session = session;
    this.#changed = changed;
    this.#stop = bridge.onSessionEvent((event) => this.#hear(event.session));
  }

  /** What the session says now, also of the level. */
  get session(): SessionInfo {
    return this.#session;
  }

  /** The place has another session now. */
  follow(session: SessionInfo): void {
    this.#session = session;
  }

  #hear(session: SessionInfo): void {
    const before = this.#session;
    const { instanceId, context } = before;
    if (session.instanceId !== instanceId || session.context !== context) return;
    this.#session = session;
    if (isSamePermission(before, session)) return;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
    this.#changed();
  }

  /** Resolves with the next change, or when the signal fires. */
  async untilChangedAsync(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => resolve(), { once: true });
    await Promise.race([promise, this.#wake.promise]);
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}
