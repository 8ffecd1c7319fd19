/**
 * Passes the engine's calls from the VM's thread to the main thread. Lines of output and notes wait for the next other call and are sent
 * together with it, because each message wakes another thread, which takes longer than the content of the message (0.25 ms on two
 * busy cores).
 */
import { isOfType } from "./frame-text.ts";
import type { HostCall } from "./worker-messages.ts";

/** The longest time that a line of output waits while the VM works. */
const WAIT_MS = 5;
/** Waiting calls are sent at once when they have more characters than this. */
const MAX_CHARACTERS = 65_536;

export class CallQueue {
  readonly #post: (calls: readonly HostCall[]) => void;
  #waiting: HostCall[] = [];
  #characters = 0;
  /** The time at which the first waiting call was added. */
  #sinceMs = 0;

  constructor(post: (calls: readonly HostCall[]) => void) {
    this.#post = post;
  }

  /** Sends the call after the waiting ones. A call with lines of output may have to wait itself. */
  add(call: HostCall): void {
    if (this.#waiting.length === 0) this.#sinceMs = performance.now();
    this.#waiting.push(call);
    this.#characters += call[0] === "sendSocket" ? call[2].length : 0;
    if (!mayWait(call) || this.#characters > MAX_CHARACTERS) this.flush();
  }

  /** Sends all waiting calls. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const calls = this.#waiting;
    this.#waiting = [];
    this.#characters = 0;
    this.#post(calls);
  }

  /** Sends the waiting calls if the first one has waited too long. Call it repeatedly while the VM works. */
  flushOld(): void {
    if (this.#waiting.length > 0 && performance.now() - this.#sinceMs > WAIT_MS) this.flush();
  }
}

const mayWait = (call: HostCall): boolean =>
  call[0] === "noted" || (call[0] === "sendSocket" && isOfType(call[2], "output"));
