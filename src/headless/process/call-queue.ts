/**
 * The engine's calls on their way from the VM's thread to the main thread. Lines of output wait for what follows them, because
 * each message wakes another thread, which costs more than what it carries (0.25 ms on two busy cores).
 */
import { isOfType } from "./frame-text.ts";
import type { HostCall } from "./worker-messages.ts";

/** How long a line of output waits at most while the VM works. */
const WAIT_MS = 5;
/** What waits is sent at once when it has grown beyond this. */
const MAX_CHARACTERS = 65_536;

export class CallQueue {
  readonly #post: (calls: readonly HostCall[]) => void;
  #waiting: HostCall[] = [];
  #characters = 0;
  /** When the first of those that wait was added. */
  #sinceMs = 0;

  constructor(post: (calls: readonly HostCall[]) => void) {
    this.#post = post;
  }

  /** Sends the call, and those that wait before it; one that carries lines of output may wait itself. */
  add(call: HostCall): void {
    if (this.#waiting.length === 0) this.#sinceMs = performance.now();
    this.#waiting.push(call);
    this.#characters += call[0] === "sendSocket" ? call[2].length : 0;
    if (!isOutput(call) || this.#characters > MAX_CHARACTERS) this.flush();
  }

  /** Sends what waits. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const calls = this.#waiting;
    this.#waiting = [];
    this.#characters = 0;
    this.#post(calls);
  }

  /** Sends what has waited for long. To be called again and again while the VM works. */
  flushOld(): void {
    if (this.#waiting.length > 0 && performance.now() - this.#sinceMs > WAIT_MS) this.flush();
  }
}

const isOutput = (call: HostCall): boolean => call[0] === "sendSocket" && isOfType(call[2], "output");
