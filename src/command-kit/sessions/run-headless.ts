/** Runs a headless Studio in this process: joins the embedded plugin and the way to its bridge host to the engine. */
import {
  EXIT_CODE,
  type HeadlessOptions,
  runHeadlessStudioAsync,
  type VmThread,
} from "../../headless/process/run.ts";
import type { DataChoice, PlaceSaver, ScreenChoice, WorldChoice } from "../../headless/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { words } from "../../protocol/words.ts";
import { machinePairingAsync } from "../../studio/machine-pairing.ts";
import { expectLongRun } from "../../util/long-run.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";

interface HeadlessRun {
  /** Where the plugin finds this machine's bridge host. */
  readonly port: number;
  readonly launchId: string;
  readonly placeName?: string;
  readonly placeId?: number;
  /** As readPlaceAsync gives it. */
  readonly place?: Uint8Array;
  /** What scripts that use data stores get; without it they are refused. */
  readonly data?: DataChoice;
  readonly world?: WorldChoice;
  readonly memoryLimitMb?: number;
  /** The screen that its interfaces are laid out on. */
  readonly screen?: ScreenChoice;
  /** Saves or keeps the place at the end. */
  readonly saver: PlaceSaver;
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
  const { port, onRestart, ...rest } = run;
  const once = { ...rest, bridge: { port, pairing: await machinePairingAsync() } };
  let { exitCode, reason } = await runOnceAsync(once);
  while (exitCode === EXIT_CODE.outOfMemory && onRestart !== undefined) {
    onRestart();
    ({ exitCode, reason } = await runOnceAsync(once));
  }
  if (exitCode === EXIT_CODE.ended) return;
  throw run.saver.failure ?? new StudioBridgeError("HEADLESS_FAILED", reason);
}

/** One Studio until it ends for whatever reason, which is the first line of its last words. */
export async function runOnceAsync(
  run: Omit<HeadlessOptions, "pluginTree" | "onLog">,
  thread?: VmThread,
): Promise<{ exitCode: number; reason: string }> {
  expectLongRun();
  let lastLine = "";
  const onLog = (_: number, text: string): void => {
    // No session can show it.
    if (text.startsWith(words.logPrefix)) process.stderr.write(`${visibleOnOneLine(text)}\n`);
    else lastLine = text;
  };
  const exitCode = await runHeadlessStudioAsync({ ...run, onLog }, thread);
  const [line = ""] = lastLine.split("\n");
  return { exitCode, reason: line === "" ? "Headless Studio ended early." : line };
}
