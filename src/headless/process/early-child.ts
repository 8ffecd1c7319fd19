/** The process of a headless Studio that starts before its place is known, and even before it is certain that it is needed. */
import { type HeadlessChild, spawnHeadless } from "./child.ts";

export class EarlyChild implements AsyncDisposable {
  #child: HeadlessChild | undefined;

  /** Throws INVALID_INPUT for a variant that does not exist. */
  constructor() {
    this.#child = spawnHeadless();
  }

  /** Gives the process to a caller, who ends it; undefined for all callers but the first. */
  take(): HeadlessChild | undefined {
    const child = this.#child;
    this.#child = undefined;
    return child;
  }

  /** Ends the process if no caller has taken it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.take()?.[Symbol.asyncDispose]();
  }
}
