/** A headless Studio of one command's own, on a private link: it needs no port, no key and no bridge host of the machine. */
import { BridgeConnection } from "../../bridge/index.ts";
import {
  type DataChoice,
  MEMORY,
  type PlaceSources,
  type WorldChoice,
  type ScreenChoice,
  readPlaceAsync,
  readSavablePlaceAsync,
  spawnHeadless,
} from "../../headless/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { newLaunchId } from "../../protocol/launch-id.ts";
import { cancelled, invalidInput } from "../../protocol/messages.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { version } from "../../version.ts";
import type { BridgeCommandContext } from "../context.ts";

/** Many headless Studios that start at once on few cores take long; one that ends early is noticed at once. */
const START_TIMEOUT_MS = 60_000;

interface HeadlessWishes {
  /** What it opens. */
  readonly placeFile?: string | undefined;
  /** What its scripts that use data stores get; without it they are refused. */
  readonly data?: DataChoice | undefined;
  readonly world?: WorldChoice | undefined;
  readonly memoryLimitMb?: number | undefined;
  /** The screen that its interfaces are laid out on. */
  readonly screen?: ScreenChoice | undefined;
  /** The place may be saved, so that what the engine cannot hold of its file is kept. */
  readonly isSavable?: boolean | undefined;
}

/** Ends with its disposal. */
export interface StartingHeadless extends AsyncDisposable {
  /** Rejects with FILE_ERROR where its place cannot be read, so that nothing else is started for it. */
  readonly placeRead: Promise<PlaceSources>;
  /** To the bridge host in this process that has this Studio alone. */
  bridgeAsync(): Promise<BridgeConnection>;
  /** Resolves once it is connected. Throws HEADLESS_FAILED when it ends early or does not connect, CANCELLED. */
  connectAsync(context: BridgeCommandContext): Promise<SessionInfo>;
}

const EMPTY_PLACE = { sources: { files: [], folders: [], scripts: new Map() } } as const;

/** Starts at once, so that it comes up while this process loads what it needs of the bridge. */
export function startHeadless({
  placeFile,
  data,
  world,
  memoryLimitMb,
  screen,
  isSavable = false,
}: HeadlessWishes): StartingHeadless {
  const child = spawnHeadless();
  const opened =
    placeFile === undefined
      ? Promise.resolve(EMPTY_PLACE)
      : (isSavable ? readSavablePlaceAsync : readPlaceAsync)(placeFile);
  const placeRead = opened.then(({ sources }) => sources);
  // It may fail before its caller waits for it.
  placeRead.catch(() => {});
  const started = BridgeConnection.startPrivateAsync(version);
  return {
    placeRead,
    bridgeAsync: async () => (await started).bridge,
    async connectAsync(context) {
      context.status("Starting headless Studio");
      context.note(`Headless Studio is process ${child.pid}, on a link of its own to this command.`);
      const launchId = newLaunchId("headless-once");
      const { sources: _, ...place } = await opened;
      await child.tellAsync({
        launchId,
        ...(data === undefined ? {} : { data }),
        ...(world === undefined ? {} : { world }),
        ...(memoryLimitMb === undefined ? {} : { memoryLimitMb }),
        ...(screen === undefined ? {} : { screen }),
        ...place,
      });
      (await started).servePlugin(child.link);
      return waitForLaunchAsync(context, launchId, child.ended);
    },
    async [Symbol.asyncDispose]() {
      // Without a data folder nothing is saved, and a goodbye would take a quarter of the time of a short command.
      if (data === undefined || data.place === MEMORY) await child.killAsync();
      else await child[Symbol.asyncDispose]();
      const { bridge } = await started;
      await bridge[Symbol.asyncDispose]();
    },
  };
}

/**
 * Waits for the session of a launch; throws HEADLESS_FAILED when nothing connects or `ended` settles first, in which case
 * an error that it settles with is thrown instead.
 */
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
    ended.then((failure) => (failure instanceof StudioBridgeError ? failure : ("ended" as const))),
  ]);
  if (found instanceof StudioBridgeError) throw found;
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
