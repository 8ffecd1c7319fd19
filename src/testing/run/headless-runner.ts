/**
 * Runs test files in a headless Studio of its own, one after the other, each in the place as it was opened: the Studio returns
 * before each file to what it was when it had started, with the server and the clients of its play test where it has one.
 */
import { StudioBridgeError } from "../../protocol/errors.ts";
import { runningSource } from "../harness.ts";
import { isSameContext } from "../test-context.ts";
import { callHarnessAsync } from "./harness-call.ts";
import { HeadlessStudio, type HeadlessRunnerOptions } from "./headless-studio.ts";
import type { FileJob, TestRunner } from "./runner.ts";

export type { HeadlessRunnerOptions };

export class HeadlessRunner implements TestRunner {
  readonly #options: HeadlessRunnerOptions;
  #studio: HeadlessStudio | undefined;

  constructor(options: HeadlessRunnerOptions) {
    this.#options = options;
  }

  async runAsync(job: FileJob): Promise<void> {
    const studio = await this.#openedAsync(job);
    try {
      await callHarnessAsync({ session: studio.session(job.client), script: runningSource }, job);
    } catch (error) {
      await this.#dropAsync();
      throw studio.context.kind === "edit" ? error : explained(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dropAsync();
  }

  /** A Studio in that context; as it was when it had started, where the job asks for that. */
  async #openedAsync({ file: { context }, isFresh, signal }: FileJob): Promise<HeadlessStudio> {
    const known = this.#studio;
    const isFit = known !== undefined && isSameContext(known.context, context);
    if (isFit && (!isFresh || (await known.returnAsync()))) return known;
    await this.#dropAsync();
    this.#studio = await HeadlessStudio.startAsync(context, this.#options, signal);
    return this.#studio;
  }

  async #dropAsync(): Promise<void> {
    const studio = this.#studio;
    this.#studio = undefined;
    await studio?.[Symbol.asyncDispose]();
  }
}

/** A session of a play test ends with the test, and for no other reason. */
function explained(error: unknown): unknown {
  if (!(error instanceof StudioBridgeError) || error.code !== "SESSION_GONE") return error;
  const message =
    "The play test ended: a script has called EndTest, this player has left, or the server has failed.";
  return new StudioBridgeError("SESSION_GONE", message, { cause: error });
}
