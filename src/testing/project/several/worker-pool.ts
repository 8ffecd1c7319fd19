/** The headless Studios that all members of a run share: no more of them run at once than there are places. */
import type { NewRunner, TestRunner } from "../../run/runner.ts";

export class WorkerPool {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Runners that wait for a place before they start a Studio, and give it back at their end. */
  limited(newRunner: NewRunner): NewRunner {
    return () => new PooledRunner(newRunner(), this);
  }

  async enterAsync(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

class PooledRunner implements TestRunner {
  readonly #runner: TestRunner;
  readonly #pool: WorkerPool;
  #entered: Promise<void> | undefined;

  constructor(runner: TestRunner, pool: WorkerPool) {
    this.#runner = runner;
    this.#pool = pool;
  }

  async startAsync(signal: AbortSignal): Promise<void> {
    await this.#enteredAsync();
    await this.#runner.startAsync?.(signal);
  }

  async runAsync(job: Parameters<TestRunner["runAsync"]>[0]): Promise<void> {
    await this.#enteredAsync();
    await this.#runner.runAsync(job);
  }

  async takeCountedAsync(): ReturnType<NonNullable<TestRunner["takeCountedAsync"]>> {
    return (await this.#runner.takeCountedAsync?.()) ?? { neverFires: [], approximated: [] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#runner[Symbol.asyncDispose]();
    } finally {
      if (this.#entered !== undefined) void this.#entered.then(() => this.#pool.leave());
    }
  }

  /** The runner that enters takes its files only then, so that none waits in a worker without a place. */
  async #enteredAsync(): Promise<void> {
    this.#entered ??= this.#pool.enterAsync();
    await this.#entered;
  }
}
