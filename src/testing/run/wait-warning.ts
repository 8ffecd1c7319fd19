/**
 * Holds a warning of WaitForChild back until all of it has come, so that it can be told with the case that waits. The engine
 * writes the warning 5 seconds after the wait began, when another case may run, and its stack in lines of their own behind it.
 */
import type { HarnessEvent } from "../harness-events.ts";

export type Output = Extract<HarnessEvent, { readonly type: "output" }>;

const WARNING = /^Infinite yield possible on '/;
const [STACK_BEGIN, STACK_END] = ["Stack Begin", "Stack End"];

export class WaitWarning {
  #held: readonly Output[] = [];

  /** True if the output is such a warning or a line of its stack, which this then holds back. */
  takes(output: Output): boolean {
    const isPart = this.#held.length === 0 ? isWarning(output) : this.#continues(output);
    if (isPart) this.#held = [...this.#held, output];
    return isPart;
  }

  /** The lines that were held back: the warning, and behind it its stack. The thread that waits has no stack if it has ended. */
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
