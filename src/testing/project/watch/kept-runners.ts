/** Keeps the runners between the runs of a watch, so that a run need not start a Studio. */
import { NOTHING_COUNTED } from "../../../protocol/caveats.ts";
import type { NewRunner, SourceChange, TestRunner } from "../../run/runner.ts";

export class KeptRunners implements AsyncDisposable {
  readonly #make: NewRunner;
  #idle: TestRunner[] = [];

  constructor(make: NewRunner) {
    this.#make = make;
  }

  /** Gives a runner for one run. The run returns it by disposing of it. */
  readonly newRunner: NewRunner = () => {
    const runner = this.#idle.pop() ?? this.#make();
    return {
      runAsync: (job) => runner.runAsync(job),
      takeCountedAsync: async () => (await runner.takeCountedAsync?.()) ?? NOTHING_COUNTED,
      [Symbol.asyncDispose]: async () => void this.#idle.push(runner),
    };
  };

  /** Passes changed sources to all runners, and ends those that cannot take them. Call it between two runs. */
  async changeAsync(changes: readonly SourceChange[], signal: AbortSignal): Promise<void> {
    const runners = this.#idle;
    this.#idle = runners.filter(({ changeAsync }) => changeAsync !== undefined);
    const others = runners.filter(({ changeAsync }) => changeAsync === undefined);
    await Promise.all([
      ...others.map((runner) => runner[Symbol.asyncDispose]()),
      ...this.#idle.map((runner) => runner.changeAsync?.(changes, signal)),
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#idle.map((runner) => runner[Symbol.asyncDispose]()));
    this.#idle = [];
  }
}
