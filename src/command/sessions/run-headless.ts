/** Runs a headless Studio in this process: joins the embedded plugin and the way to its bridge host to the engine. */
import {
  EXIT_CODE,
  type HeadlessOptions,
  runHeadlessStudioAsync,
  type VmThread,
} from "../../headless/process/run.ts";
import type { DataChoice } from "../../headless/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { machinePairingAsync } from "../../studio/machine-pairing.ts";
import { expectLongRun } from "../../util/long-run.ts";

interface HeadlessRun {
  /** Where the plugin finds this machine's bridge host. */
  readonly port: number;
  readonly launchId: string;
  readonly placeName?: string;
  /** As readPlaceAsync gives it. */
  readonly place?: Uint8Array;
  /** What scripts that use data stores get; without it they are refused. */
  readonly data?: DataChoice;
  readonly memoryLimitMb?: number;
  readonly savePlaceAsync?: (place: Uint8Array) => Promise<void>;
  /** Ends the Studio. */
  readonly signal: AbortSignal;
  /** Called when a script has used all memory; a fresh Studio follows. Without it that is the end. */
  readonly onRestart?: () => void;
}

/**
 * Resolves when the Studio was told to end; throws what saving threw, KEY_ERROR, or HEADLESS_FAILED when it ended for
 * another reason.
 */
export async function runHeadlessAsync(run: HeadlessRun): Promise<void> {
  let unsaved: unknown;
  const savePlaceAsync = async (place: Uint8Array): Promise<void> => {
    try {
      await run.savePlaceAsync?.(place);
    } catch (error) {
      unsaved = error;
      throw error;
    }
  };
  const { port, onRestart, ...rest } = run;
  const bridge = { port, pairing: await machinePairingAsync() };
  const once = { ...rest, bridge, ...(run.savePlaceAsync === undefined ? {} : { savePlaceAsync }) };
  let { exitCode, reason } = await runOnceAsync(once);
  while (exitCode === EXIT_CODE.outOfMemory && onRestart !== undefined) {
    onRestart();
    ({ exitCode, reason } = await runOnceAsync(once));
  }
  if (exitCode === EXIT_CODE.ended) return;
  throw unsaved ?? new StudioBridgeError("HEADLESS_FAILED", reason);
}

/** One Studio until it ends for whatever reason, which is the first line of its last words. */
export async function runOnceAsync(
  run: Omit<HeadlessOptions, "pluginTree" | "onLog">,
  thread?: VmThread,
): Promise<{ exitCode: number; reason: string }> {
  expectLongRun();
  let lastLine = "";
  const onLog = (_: number, text: string): void => {
    lastLine = text;
  };
  const exitCode = await runHeadlessStudioAsync({ ...run, onLog }, thread);
  const [line = ""] = lastLine.split("\n");
  return { exitCode, reason: line === "" ? "Headless Studio ended early." : line };
}
