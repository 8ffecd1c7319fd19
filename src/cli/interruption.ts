/**
 * Ends a command on a signal: the first signal asks it to end; a second signal, or two seconds without an end, ends the
 * process. Some commands get more time.
 */
import { cancelled } from "../protocol/messages.ts";
import { CLOSE_SIGNAL } from "../util/close-signal.ts";

const GRACE_MS = 2_000;
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type SignalName = keyof typeof exitCodes;
const signalNames = new Set([...Object.keys(exitCodes), CLOSE_SIGNAL]);

export class Interruption implements Disposable {
  /** What the first signal leaves the command. */
  graceMs = GRACE_MS;
  readonly #controller = new AbortController();
  readonly #hard = Promise.withResolvers<number>();
  readonly #listener = (name: NodeJS.Signals) => this.#receive(name);
  #isAsked = false;
  #exitCode: number | undefined;
  #timer: Timer | undefined;

  constructor() {
    for (const name of signalNames) process.on(name, this.#listener);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** 128 and the signal's number, once there was one; `sb close` leaves the command its own. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Resolves with the exit code when the process must not wait any longer. */
  get hardExit(): Promise<number> {
    return this.#hard.promise;
  }

  /** Ctrl+C belongs to a program that has the terminal for itself while `work` lasts. */
  async leaveToAsync<T>(work: Promise<T>): Promise<T> {
    process.off("SIGINT", this.#listener);
    process.on("SIGINT", ignore);
    try {
      return await work;
    } finally {
      process.off("SIGINT", ignore);
      process.on("SIGINT", this.#listener);
    }
  }

  /** Ends the command without a signal, for example when the reader of the output has gone. */
  abort(): void {
    this.#controller.abort(cancelled("unknown"));
  }

  [Symbol.dispose](): void {
    for (const name of signalNames) process.off(name, this.#listener);
    clearTimeout(this.#timer);
  }

  #receive(name: NodeJS.Signals): void {
    const exitCode = isInterruption(name) ? exitCodes[name] : undefined;
    if (this.#isAsked) return this.#hard.resolve(exitCode ?? 1);
    this.#isAsked = true;
    this.#exitCode = exitCode;
    this.#controller.abort(cancelled("unknown"));
    this.#timer = setTimeout(() => this.#hard.resolve(exitCode ?? 1), this.graceMs);
  }
}

/** For Ctrl+C in raw mode. No signal is sent, because on Windows that would end the process at once. */
export const interruptSelf = (): void => void process.emit("SIGINT", "SIGINT");

function ignore(): void {
  // Without a listener the signal would end the process.
}

function isInterruption(name: string): name is SignalName {
  return Object.hasOwn(exitCodes, name);
}
