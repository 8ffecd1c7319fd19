/** Runs a headless Studio in this process: joins the embedded plugin and this machine's key to the engine. */
import { EXIT_CODE, runHeadlessStudioAsync } from "../headless/index.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { embeddedPluginAsync } from "../studio/embedded-plugin.ts";
import { machinePairingAsync } from "../studio/machine-pairing.ts";

interface HeadlessRun {
  /** Where the plugin finds the bridge host. */
  readonly port: number;
  readonly launchId: string;
  readonly placeName?: string;
  /** As readPlaceAsync gives it. */
  readonly place?: Uint8Array;
  readonly savePlaceAsync?: (place: Uint8Array) => Promise<void>;
  /** Ends the Studio. */
  readonly signal: AbortSignal;
  /** Called when a script has used all memory; a fresh Studio follows. Without it that is the end. */
  readonly onRestart?: () => void;
}

/** Resolves when the Studio was told to end; throws what saving threw, HEADLESS_FAILED when it ended for another reason. */
export async function runHeadlessAsync(run: HeadlessRun): Promise<void> {
  const [pluginTree, pairing] = await Promise.all([embeddedPluginAsync(), machinePairingAsync()]);
  let lastLine = "";
  let unsaved: unknown;
  const savePlaceAsync = async (place: Uint8Array): Promise<void> => {
    try {
      await run.savePlaceAsync?.(place);
    } catch (error) {
      unsaved = error;
      throw error;
    }
  };
  const startAsync = (): Promise<number> =>
    runHeadlessStudioAsync({
      ...run,
      ...(run.savePlaceAsync === undefined ? {} : { savePlaceAsync }),
      pluginTree,
      pairing,
      onLog: (_, text) => {
        lastLine = text;
      },
    });
  let exitCode = await startAsync();
  while (exitCode === EXIT_CODE.outOfMemory && run.onRestart !== undefined) {
    run.onRestart();
    exitCode = await startAsync();
  }
  if (exitCode === EXIT_CODE.ended) return;
  if (unsaved !== undefined) throw unsaved;
  const [reason = ""] = lastLine.split("\n");
  throw new StudioBridgeError("HEADLESS_FAILED", reason === "" ? "Headless Studio ended early." : reason);
}
