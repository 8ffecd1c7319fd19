/**
 * Runs test files in a headless Studio of its own, one after the other, each in the place as it was opened: after the place
 * and the harness are loaded, the Studio is kept as it is, and returns to that before each file.
 */
import { BridgeConnection, type BridgeSession } from "../../bridge/index.ts";
import { type HeadlessChild, spawnHeadless } from "../../headless/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { newLaunchId } from "../../protocol/launch-id.ts";
import { version } from "../../version.ts";
import { HARNESS_NAME, preparingSource, runningSource } from "../harness.ts";
import { type HarnessCase, harnessEventSchema } from "../harness-events.ts";
import type { FileJob, TestRunner } from "./runner.ts";

const START_TIMEOUT_MS = 60_000;

export interface HeadlessRunnerOptions {
  /** The opened place, as readPlaceAsync gives it. */
  readonly place?: Uint8Array;
  readonly placeName?: string;
  /** Where data stores keep what scripts save, as `--data` says it. */
  readonly data?: string;
  readonly memoryLimitMb?: number;
  /** Sources of scripts that run before the place is kept, by their names. */
  readonly setup: readonly { readonly name: string; readonly source: string }[];
}

export class HeadlessRunner implements TestRunner {
  readonly #options: HeadlessRunnerOptions;
  #studio:
    | Promise<{
        readonly child: HeadlessChild;
        readonly session: BridgeSession;
        readonly end: () => Promise<void>;
      }>
    | undefined;
  #isUsed = false;

  constructor(options: HeadlessRunnerOptions) {
    this.#options = options;
  }

  async runAsync({ file, choose, onEvent, isFresh, ...job }: FileJob): Promise<void> {
    this.#studio ??= this.#startAsync(job.signal);
    const studio = await this.#studio;
    try {
      if (this.#isUsed && isFresh) await studio.child.orderAsync("return");
      this.#isUsed = true;
      let cases: readonly HarnessCase[] = [];
      const input = {
        file: file.path,
        framework: file.framework,
        timeoutSeconds: job.caseTimeoutMs / 1000,
        chooses: choose !== undefined,
        done: job.done,
        tellsLeft: job.tellsLeft,
        ...(job.seed === undefined ? {} : { seed: job.seed }),
        ...(file.instance === undefined ? {} : { instance: file.instance }),
        ...(file.source === undefined ? {} : { source: file.source }),
      };
      const result = await studio.session.callAsync(
        "execute",
        {
          script: runningSource,
          chunkName: HARNESS_NAME,
          keepsGlobals: true,
          emits: true,
          input: JSON.stringify(input),
        },
        {
          timeoutMs: job.fileTimeoutMs,
          signal: job.signal,
          onEvent: (value) => {
            const event = harnessEventSchema.read(value)?.value;
            if (event === undefined)
              throw new Error(`unknown event of the harness: ${JSON.stringify(value)}`);
            if (event.type === "plan") ({ cases } = event);
            else onEvent(event);
          },
          nextInputAsync: async () => ({ text: `${JSON.stringify(choose?.(cases) ?? [])}\n`, isLast: true }),
        },
      );
      if (result.success) return;
      throw new StudioBridgeError("HEADLESS_FAILED", `The test harness failed: ${result.error ?? ""}`);
    } catch (error) {
      await this.#dropAsync();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dropAsync();
  }

  async #dropAsync(): Promise<void> {
    const studio = this.#studio;
    this.#studio = undefined;
    this.#isUsed = false;
    await studio?.then(
      ({ end }) => end(),
      () => {},
    );
  }

  async #startAsync(signal: AbortSignal) {
    const { place, placeName, data, memoryLimitMb, setup } = this.#options;
    const child = spawnHeadless();
    const { bridge, servePlugin } = await BridgeConnection.startPrivateAsync(version);
    const end = async (): Promise<void> => {
      await child[Symbol.asyncDispose]();
      await bridge[Symbol.asyncDispose]();
    };
    try {
      const launchId = newLaunchId("headless-once");
      await child.tellAsync({
        launchId,
        ...(place === undefined ? {} : { place }),
        ...(placeName === undefined ? {} : { placeName }),
        // Tests only read fixtures, so that each file begins with the same and several workers can have them.
        ...(data === undefined ? {} : { data, keepsNoData: true }),
        ...(memoryLimitMb === undefined ? {} : { memoryLimitMb }),
      });
      servePlugin(child.link);
      const info = await Promise.race([
        bridge.waitForSessionAsync((session) => session.launchId === launchId, {
          timeoutMs: START_TIMEOUT_MS,
          signal,
        }),
        child.ended.then((failure) => {
          throw (
            failure ?? new StudioBridgeError("HEADLESS_FAILED", "Headless Studio ended before it connected.")
          );
        }),
      ]);
      if (info === null)
        throw new StudioBridgeError("HEADLESS_FAILED", "Headless Studio did not connect in time.");
      const session = bridge.session(info.sessionId);
      for (const { name, source } of setup) await prepareAsync(session, name, source, signal);
      await prepareAsync(session, HARNESS_NAME, preparingSource(), signal);
      await child.orderAsync("keep");
      return { child, session, end };
    } catch (error) {
      await end();
      throw error;
    }
  }
}

async function prepareAsync(
  session: BridgeSession,
  name: string,
  script: string,
  signal: AbortSignal,
): Promise<void> {
  const { success, error } = await session.callAsync(
    "execute",
    { script, chunkName: name, keepsGlobals: true },
    { signal },
  );
  if (!success)
    throw new StudioBridgeError("SCRIPT_RUNTIME_ERROR", `The setup script ${name} failed: ${error ?? ""}`);
}
