/** Starts the local Studio for a command and waits until its plugin has connected; offers to install the plugin. */
import { StudioBridgeError } from "../../protocol/errors.ts";
import { cancelled, invalidInput, noSessions } from "../../protocol/messages.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { pluginStateAsync } from "../../studio/plugin-state.ts";
import { installOnThisMachineAsync } from "../../studio/install-plugin.ts";
import {
  forgetLaunchAsync,
  isLaunchAliveAsync,
  pendingLaunchesAsync,
  writeLaunchNote,
} from "../../studio/launch-notes.ts";
import type { LaunchNote } from "../../studio/launch-notes.ts";
import { locateStudioAsync } from "../../studio/locate-studio.ts";
import { thisMachine } from "../../studio/machine.ts";
import type { Machine } from "../../studio/machine.ts";
import { checkedPlace } from "../../studio/place-file.ts";
import { startStudioAsync } from "../../studio/start-studio.ts";
import type { StartedStudio } from "../../studio/start-studio.ts";
import type { BridgeCommandContext, CommandContext } from "../context.ts";

/** How long Studio gets to connect. */
const LAUNCH_TIMEOUT_MS = 30_000;

/** How long a Studio that is of no use may take to end; a second Ctrl+C does not wait for it. */
const END_MS = 1_500;
const LOOK_MS = 20;

interface LaunchOptions {
  readonly place?: string;
  /** Open the place itself, not a copy. */
  readonly inPlace?: boolean;
  readonly timeoutMs?: number;
  /** The caller calls `connectedAsync`. */
  readonly wait?: boolean;
  /** What to do where there is no Studio. */
  readonly withoutStudio: string;
}

interface LaunchedStudio {
  readonly note: LaunchNote;
  connectedAsync(): Promise<SessionInfo>;
  /** Ends it again, for a caller that it is of no use to. */
  endAsync(): Promise<void>;
}

/**
 * Looks at everything that a launch needs, and needs no bridge for it; the result starts Studio, and its
 * `connectedAsync` waits for the session. Throws STUDIO_NOT_FOUND, FILE_ERROR, PLUGIN_NOT_INSTALLED, LAUNCH_FAILED.
 */
export async function prepareLaunchAsync(
  basics: CommandContext,
  { place, inPlace = false, timeoutMs = LAUNCH_TIMEOUT_MS, wait = true, withoutStudio }: LaunchOptions,
): Promise<(context: BridgeCommandContext) => Promise<LaunchedStudio>> {
  if (basics.isRemote)
    throw invalidInput("Cannot launch Studio with --remote.", "Studio is launched on this machine only.");
  const machine = thisMachine();
  const file = place === undefined ? undefined : checkedPlace(place, machine);
  const studio = await locateStudioAsync(machine).catch((error: unknown) => {
    throw withNextStep(error, withoutStudio);
  });
  await offerPluginAsync(basics, machine);
  return async (context) => {
    const sessions = await context.bridge.sessionsAsync();
    const known = new Set(sessions.map(({ instanceId }) => instanceId));
    context.status(`Launching Studio with ${placeTitle(place)}`);
    const started = await startStudioAsync(
      studio,
      { place: file, inPlace, isAwaited: wait, patienceMs: timeoutMs },
      machine,
    );
    context.note(`Started Studio as process ${started.note.pid}: ${studio.executable}.`);
    return {
      note: started.note,
      connectedAsync: async () => {
        const session = await waitForPluginAsync(context, started, known, timeoutMs);
        writeLaunchNote({ ...started.note, instanceId: session.instanceId }, machine);
        return { ...session, origin: "managed", launchId: started.note.launchId };
      },
      endAsync: () => endLaunchAsync(started.note, machine),
    };
  };
}

/** A Studio that takes longer to end keeps its note, so that what it leaves behind is cleaned up later. */
async function endLaunchAsync(note: LaunchNote, machine: Machine): Promise<void> {
  const giveUpAtMs = performance.now() + END_MS;
  machine.end(note.pid, { group: true });
  while (await isLaunchAliveAsync(note, machine)) {
    if (performance.now() > giveUpAtMs) return;
    await Bun.sleep(LOOK_MS);
  }
  await forgetLaunchAsync(note, machine);
}

/** Tells a user without Studio first how to do the same without it. */
function withNextStep(error: unknown, withoutStudio: string): unknown {
  if (!(error instanceof StudioBridgeError) || error.code !== "STUDIO_NOT_FOUND") return error;
  const hint = `To go without Studio, ${withoutStudio}. ${error.hint}`;
  return new StudioBridgeError(error.code, error.message, { hint, data: error.data, cause: error });
}

export function placeTitle(place: string | undefined): string {
  return place === undefined ? "an empty place" : visibleOnOneLine(place.replace(/^.*[\\/]/, ""));
}

/** How much longer a Studio that `sb` is starting may take to connect; 0 where there is none. */
export async function launchTimeLeftMsAsync(): Promise<number> {
  const pending = await pendingLaunchesAsync(thisMachine());
  return Math.max(0, ...pending.map(({ startedAtMs, patienceMs }) => startedAtMs + patienceMs - Date.now()));
}

/** Why a Studio that runs is not connected; offers to install what is missing. */
export async function unconnectedStudioAsync(context: BridgeCommandContext): Promise<StudioBridgeError> {
  const { message } = noSessions();
  try {
    const hint = (await offerPluginAsync(context, thisMachine()))
      ? "Restart Studio, so that it loads the plugin that was installed now."
      : "Restart Studio, or add --headless to run without it. `sb doctor` says more.";
    return new StudioBridgeError("NO_SESSION", message, { hint });
  } catch (error) {
    // Where no plugins folder is found, the plugin may be in a folder that we don't know.
    if (!(error instanceof StudioBridgeError) || error.code === "STUDIO_NOT_FOUND")
      return new StudioBridgeError("NO_SESSION", message);
    return error;
  }
}

/** True when it was installed now. A Studio that we start without our plugin would never connect. */
async function offerPluginAsync({ confirmAsync, emit }: CommandContext, machine: Machine): Promise<boolean> {
  const { isPaired, path } = await pluginStateAsync(machine);
  if (isPaired) return false;
  const agreed = await confirmAsync?.(`The studio-bridge plugin is not installed. Install it to ${path}?`);
  if (agreed !== true)
    throw new StudioBridgeError(
      "PLUGIN_NOT_INSTALLED",
      "The studio-bridge plugin is not installed in Studio.",
      {
        hint: "Run `sb install-plugin`, or add --yes to install it now.",
      },
    );
  const installed = await installOnThisMachineAsync(machine);
  emit({ stream: "stderr", text: () => `Plugin installed to ${visibleOnOneLine(installed.path)}` });
  return true;
}

/**
 * UNVERIFIED: a launch id reaches the plugin in Studio. If it does not, the first Studio that was not connected before counts as
 * the launched one.
 */
async function waitForPluginAsync(
  { bridge, signal, status }: BridgeCommandContext,
  { note, failed }: StartedStudio,
  known: ReadonlySet<string>,
  timeoutMs: number,
): Promise<SessionInfo> {
  status("Waiting for the plugin in Studio");
  const isOurs = ({ launchId, instanceId, origin }: SessionInfo) =>
    launchId === note.launchId || (origin === "user" && !known.has(instanceId));
  const found = await Promise.race([bridge.waitForSessionAsync(isOurs, { timeoutMs, signal }), failed]);
  if (found !== null) return found;
  if (signal.aborted) throw cancelled("unknown");
  const { unpaired } = await bridge.listSessionsAsync();
  if (unpaired.length > 0)
    throw new StudioBridgeError("UNPAIRED", "The plugin in Studio does not hold this machine's key.");
  const message = `Studio launched but plugin did not connect within ${timeoutMs}ms. Check Studio's output for errors.`;
  throw new StudioBridgeError("LAUNCH_FAILED", message, { data: { launchId: note.launchId, pid: note.pid } });
}
