/**
 * Holds a warning of WaitForChild back until it is complete, so that it can be reported as output of the case that waits. The engine
 * writes the warning 5 seconds after the start of the wait, when another case may run, and then its stack in further lines.
 */
import type { HarnessEvent } from "../harness-events.ts";

export type Output = Extract<HarnessEvent, { readonly type: "output" }>;

const WARNING = /^Infinite yield possible on '/;
const [STACK_BEGIN, STACK_END] = ["Stack Begin", "Stack End"];

export class WaitWarning {
  #held: readonly Output[] = [];

  /** True if the output is such a warning or a line of its stack. It is then held back. */
  takes(output: Output): boolean {
    const isPart = this.#held.length === 0 ? isWarning(output) : this.#continues(output);
    if (isPart) this.#held = [...this.#held, output];
    return isPart;
  }

  /** The held lines: the warning and then its stack. There is no stack if the waiting thread has ended. */
  release(): readonly Output[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  #continues({ level, text }: Output): boolean {
    const last = this.#held.at(-1)?.text;
    return level === "Info" && (this.#held.length === 1 ? text === STACK_BEGIN : last !== STACK_END);
  }
}

const isWarning = ({ level, text }: Output): boolean => level === "Warning" && WARNING.test(text);
