/** Starts a headless Studio of this command's own and waits until the bridge lists its session. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { newLaunchId } from "../protocol/launch-id.ts";
import { cancelled, invalidInput } from "../protocol/messages.ts";
import type { SessionInfo } from "../protocol/network.ts";
import type { BridgeCommandContext } from "./define.ts";

const START_TIMEOUT_MS = 20_000;

export interface RunningHeadless extends AsyncDisposable {
  readonly session: SessionInfo;
}

/** Throws FILE_ERROR for a place that cannot be read, HEADLESS_FAILED when it ends early or does not connect, CANCELLED when the caller gives up. */
export async function startHeadlessAsync(
  context: BridgeCommandContext,
  placeFile?: string,
): Promise<RunningHeadless> {
  context.status("Starting headless Studio");
  const { readPlaceAsync, spawnHeadlessAsync } = await import("../headless/index.ts");
  const launchId = newLaunchId("headless-once");
  const options = { port: context.bridge.port, launchId };
  const child = await spawnHeadlessAsync(
    placeFile === undefined
      ? options
      : readPlaceAsync(placeFile).then((opened) => ({ ...options, ...opened })),
  );
  try {
    const session = await waitForLaunchAsync(context, launchId, child.exited);
    return { session, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
  } catch (error) {
    await child[Symbol.asyncDispose]();
    throw error;
  }
}

/** Waits for the session of a launch; throws HEADLESS_FAILED when `ended` settles first or nothing connects. */
export async function waitForLaunchAsync(
  { bridge, signal }: BridgeCommandContext,
  launchId: string,
  ended: Promise<unknown>,
): Promise<SessionInfo> {
  const found = await Promise.race([
    bridge.waitForSessionAsync((session) => session.launchId === launchId, {
      timeoutMs: START_TIMEOUT_MS,
      signal,
    }),
    ended.then(() => "ended" as const),
  ]);
  if (found !== null && found !== "ended") return found;
  if (signal.aborted) throw cancelled("not_started");
  const what = found === null ? "did not connect in time" : "ended before it connected";
  throw new StudioBridgeError("HEADLESS_FAILED", `Headless Studio ${what}.`);
}

/** A headless Studio dials a host on its own machine. */
export function headlessIsLocal(): StudioBridgeError {
  return invalidInput(
    "Cannot start a headless Studio with --remote.",
    "Headless Studio runs on this machine; leave out --remote.",
  );
}
