/**
 * Runs test files in a headless Studio of its own, one after the other, each in the place as it was opened: the Studio returns
 * before each file to what it was when it had started, with the server and the clients of its play test where it has one.
 */
import type { ScriptsUsed } from "../../headless/index.ts";
import { isSameContext } from "../test-context.ts";
import { callHarnessAsync, passHitsAsync } from "./harness-call.ts";
import { HeadlessStudio, type HeadlessRunnerOptions } from "./headless-studio.ts";
import { explainedEnd } from "./play-test-end.ts";
import type { FileJob, SourceChange, TestRunner } from "./runner.ts";

export type { HeadlessRunnerOptions };

export class HeadlessRunner implements TestRunner {
  readonly #options: HeadlessRunnerOptions;
  #studio: HeadlessStudio | undefined;
  /** Its place is as it was opened. */
  #isFresh = false;

  constructor(options: HeadlessRunnerOptions) {
    this.#options = options;
  }

  async runAsync(job: FileJob): Promise<void> {
    const studio = await this.#openedAsync(job);
    this.#isFresh = false;
    try {
      const session = studio.session(job.client);
      await callHarnessAsync({ session, input: { placeReturns: job.isFresh } }, job);
      await passHitsAsync(studio.countedBeside(session), job);
    } catch (error) {
      await this.#dropAsync();
      throw studio.context.kind === "edit" ? error : explainedEnd(error);
    }
    // What files before it have loaded is not loaded again, so that only a fresh place tells what a file uses.
    if (!job.isFresh) return job.onUsed?.(undefined);
    const used = await this.#refreshAsync(studio);
    // Scripts that ran while a play test began were not noted.
    job.onUsed?.(studio.context.kind === "edit" ? used : undefined);
  }

  async changeAsync(changes: readonly SourceChange[], signal: AbortSignal): Promise<void> {
    const studio = this.#studio;
    if (studio === undefined) return;
    try {
      const isFresh = this.#isFresh || (await this.#refreshAsync(studio)) !== undefined;
      if (isFresh && !(await studio.changeAsync(changes, signal))) await this.#dropAsync();
    } catch {
      // The next file gets a new Studio, which opens the place as it is by then.
      await this.#dropAsync();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dropAsync();
  }

  /** A Studio in that context; as it was when it had started, where the job asks for that. */
  async #openedAsync({ file, isFresh, signal }: FileJob): Promise<HeadlessStudio> {
    const { context, framework } = file;
    const known = this.#studio;
    const isFit =
      known !== undefined && isSameContext(known.context, context) && known.frameworks.includes(framework);
    const mayStay = isFit && (!isFresh || this.#isFresh || (await this.#refreshAsync(known)) !== undefined);
    if (mayStay) return known;
    await this.#dropAsync();
    // A file that came later, in a watch, may be the first of its framework.
    const frameworks = [...new Set([...this.#options.frameworks, framework])];
    this.#studio = await HeadlessStudio.startAsync(context, { ...this.#options, frameworks }, signal);
    this.#isFresh = true;
    return this.#studio;
  }

  /** Resolves with the scripts that were used since the place was fresh; the Studio ends where it cannot be put back. */
  async #refreshAsync(studio: HeadlessStudio): Promise<ScriptsUsed | undefined> {
    const used = await studio.returnAsync();
    this.#isFresh = used !== undefined;
    if (used === undefined) await this.#dropAsync();
    return used;
  }

  async #dropAsync(): Promise<void> {
    const studio = this.#studio;
    this.#studio = undefined;
    await studio?.[Symbol.asyncDispose]();
  }
}
