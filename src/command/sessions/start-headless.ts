/** A headless Studio of one command's own. */
import { readPlaceAsync, spawnHeadless } from "../../headless/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { newLaunchId } from "../../protocol/launch-id.ts";
import { cancelled, invalidInput } from "../../protocol/messages.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import type { BridgeCommandContext } from "../context.ts";

const START_TIMEOUT_MS = 20_000;

/** Ends with its disposal. */
export interface StartingHeadless extends AsyncDisposable {
  /** Rejects with FILE_ERROR where its place cannot be read, so that nothing else is started for it. */
  readonly placeRead: Promise<unknown>;
  /** Resolves once it is connected. Throws HEADLESS_FAILED when it ends early or does not connect, CANCELLED. */
  connectAsync(context: BridgeCommandContext): Promise<SessionInfo>;
}

/** Starts at once, so that it comes up while its caller finds the bridge. */
export function startHeadless(placeFile?: string): StartingHeadless {
  const child = spawnHeadless();
  const opened = placeFile === undefined ? Promise.resolve({}) : readPlaceAsync(placeFile);
  // It may fail before anybody waits for it.
  opened.catch(() => {});
  return {
    placeRead: opened,
    async connectAsync(context) {
      context.status("Starting headless Studio");
      const launchId = newLaunchId("headless-once");
      await child.tellAsync({ port: context.bridge.port, launchId, ...(await opened) });
      return waitForLaunchAsync(context, launchId, child.exited);
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
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
