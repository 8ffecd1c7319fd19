/**
 * The runner for headless Studio. It has a Studio of its own and runs files one after the other. Before each file, the Studio
 * returns to its state after the start, with the server and the clients of its play test if it has one.
 */
import type { ScriptsUsed } from "../../headless/index.ts";
import { type Counted, sumOf } from "../../protocol/caveats.ts";
import type { ClockWish } from "../harness-events.ts";
import { isSameContext } from "../test-context.ts";
import { callHarnessAsync, isSetupLate, passHitsAsync } from "./harness-call.ts";
import { HeadlessStudio, type HeadlessRunnerOptions } from "./headless-studio.ts";
import { explainedEnd } from "./play-test-end.ts";
import type { FileJob, SourceChange, TestRunner } from "./runner.ts";

export type { HeadlessRunnerOptions };

export class HeadlessRunner implements TestRunner {
  readonly #options: HeadlessRunnerOptions;
  #studio: HeadlessStudio | undefined;
  /** What Studios have counted and takeCountedAsync has not given yet. */
  readonly #counted: Counted[] = [];
  /** True if the place of the Studio is as it was opened. */
  #isFresh = false;
  /** The error of a setup script that took too long. No other Studio is started after it. */
  #lateSetup: unknown;

  constructor(options: HeadlessRunnerOptions) {
    this.#options = options;
  }

  async runAsync(job: FileJob): Promise<void> {
    const studio = await this.#openedAsync(job);
    this.#isFresh = false;
    const isEdit = studio.context.kind === "edit";
    const returned = job.isFresh && isEdit ? studio.returnAfterScriptAsync() : undefined;
    try {
      const session = studio.session(job.client);
      const awaitFrameAsync = () => studio.awaitFrameAsync();
      const moveClockAsync = (wish: ClockWish) => studio.moveClockAsync(wish);
      const input = { placeReturns: job.isFresh };
      const player = studio.player(job.client);
      const way = { session, input, awaitFrameAsync, moveClockAsync, player, drawsPictures: true };
      await callHarnessAsync(way, job);
      await passHitsAsync(studio.countedBeside(session), job);
    } catch (error) {
      await this.#dropAsync();
      throw isEdit ? error : explainedEnd(error);
    }
    // Without a fresh place, the scripts that a file uses are not known, because earlier files may have loaded them.
    if (!job.isFresh) return job.onUsed?.(undefined);
    const used = await this.#refreshAsync(studio, returned);
    // They are not known in a play test either, because scripts that ran at its start were not noted.
    job.onUsed?.(isEdit ? used : undefined);
  }

  async changeAsync(changes: readonly SourceChange[], signal: AbortSignal): Promise<void> {
    // A changed module may be what the setup script waited for.
    this.#lateSetup = undefined;
    const studio = this.#studio;
    if (studio === undefined) return;
    try {
      const isFresh = this.#isFresh || (await this.#refreshAsync(studio)) !== undefined;
      if (isFresh && !(await studio.changeAsync(changes, signal))) await this.#dropAsync();
    } catch {
      // The next file gets a new Studio, which opens the present place.
      await this.#dropAsync();
    }
  }

  async takeCountedAsync(): Promise<Counted> {
    await this.#countAsync();
    return sumOf(this.#counted.splice(0));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dropAsync();
  }

  /** The Studio for the context of a job. It is in its state after the start if the job needs a fresh place. */
  async #openedAsync({ file, isFresh, signal }: FileJob): Promise<HeadlessStudio> {
    const { context, framework } = file;
    const known = this.#studio;
    const isFit =
      known !== undefined && isSameContext(known.context, context) && known.frameworks.includes(framework);
    const mayStay = isFit && (!isFresh || this.#isFresh || (await this.#refreshAsync(known)) !== undefined);
    if (mayStay) return known;
    await this.#dropAsync();
    if (this.#lateSetup !== undefined) throw this.#lateSetup;
    // In a watch, a new file may be the first one of its framework.
    const frameworks = [...new Set([...this.#options.frameworks, framework])];
    try {
      this.#studio = await HeadlessStudio.startAsync(context, { ...this.#options, frameworks }, signal);
    } catch (error) {
      if (isSetupLate(error)) this.#lateSetup = error;
      throw error;
    }
    this.#isFresh = true;
    return this.#studio;
  }

  /**
   * Lets the Studio return to its state after the start, unless it has been told to already (`returned`). Resolves with the scripts
   * that were used since then. If the Studio cannot return, it ends, and the result is undefined.
   */
  async #refreshAsync(
    studio: HeadlessStudio,
    returned = studio.returnAsync(),
  ): Promise<ScriptsUsed | undefined> {
    const used = await returned;
    this.#isFresh = used !== undefined;
    if (used === undefined) await this.#dropAsync();
    return used;
  }

  async #countAsync(): Promise<void> {
    if (this.#options.countsCaveats !== true || this.#studio === undefined) return;
    this.#counted.push(await this.#studio.takeCountedAsync());
  }

  async #dropAsync(): Promise<void> {
    await this.#countAsync();
    const studio = this.#studio;
    this.#studio = undefined;
    await studio?.[Symbol.asyncDispose]();
  }
}
