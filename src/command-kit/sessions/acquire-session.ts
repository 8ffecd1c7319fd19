/**
 * Finds the session for one command. It lists the sessions, and waits for a Studio that is just starting, or for the
 * command's own headless Studio. The resolver decides which of several sessions is meant.
 */
import type { SessionContext } from "../../protocol/fields/contexts.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput, noSessions } from "../../protocol/messages.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { intervals } from "../../protocol/limits.ts";
import type { BridgeCommandContext, OtherOutput } from "../context.ts";
import { FollowedOutput } from "../scripts/other-output.ts";
import { headlessIsLocal } from "./start-headless.ts";
import type { StartingHeadless } from "./start-headless.ts";
import { playedContextAsync } from "./own-play-test.ts";
import { sessionDisconnected } from "../../session/session-messages.ts";
import { chosenSessionAsync } from "./choose-session.ts";
import { findSession, resolveSession } from "./session-resolver.ts";
import type { SessionTarget } from "../../session/session-target.ts";

/** How long a running Studio gets to show its plugin. */
const STUDIO_GRACE_MS = intervals.pluginIdleProbeMs + 1_000;

/** How long the DataModels of a play session get to show theirs. */
const PLAY_GRACE_MS = 10_000;

interface AcquiredSession {
  readonly session: SessionInfo;
  /** Of a Studio of the command's own, where it runs scripts. */
  readonly otherOutput?: OtherOutput;
}

interface AcquireOptions {
  /** The Studio that this command has started for itself. */
  readonly headless?: StartingHeadless;
  readonly runsScripts: boolean;
  /** What a Studio that is launched for it opens. */
  readonly placeFile?: string;
  /** Where no Studio runs, one is launched and stays. */
  readonly launchesStudio: boolean;
  /** Throws for a place that the command must not touch; the Studio that was launched with it is then ended. */
  readonly checkLaunchedAsync?: (session: SessionInfo) => Promise<void>;
  /** The next step where no Studio is there and one of the command's own will not do. */
  readonly withoutStudio?: string;
  /** How long a Studio that is launched for it may take to connect; default: as for `sb launch`. */
  readonly timeoutMs?: number;
  readonly defaultContext?: SessionContext;
}

export async function acquireSessionAsync(
  context: BridgeCommandContext,
  target: SessionTarget,
  {
    headless,
    runsScripts,
    placeFile,
    launchesStudio,
    withoutStudio,
    timeoutMs,
    defaultContext,
    checkLaunchedAsync,
  }: AcquireOptions,
): Promise<AcquiredSession> {
  if (headless !== undefined) return acquireHeadlessAsync(context, target, headless, runsScripts);
  const findAsync = async () => {
    const launch = { timeoutMs, checkAsync: checkLaunchedAsync };
    if (placeFile !== undefined) return launchedSessionAsync(context, { ...launch, place: placeFile });
    const known = findSession(await context.bridge.sessionsAsync(), target, defaultContext);
    if (known !== undefined) return known;
    const mayLaunch = launchesStudio && isAnyStudio(target);
    const sessions = await connectedSessionsAsync(context, { mayLaunch, withoutStudio, ...launch });
    return resolvedAsync(context, sessions, target, defaultContext).catch((error: unknown) =>
      chosenSessionAsync(context, sessions, { error, target, defaultContext }),
    );
  };
  const session = await findAsync();
  return { session: session.health === "reconnecting" ? await reconnectedAsync(context, session) : session };
}

/** What a Studio of the command's own cannot be; known before anything is opened. */
export function checkHeadlessTarget({ sessionId, instanceId }: SessionTarget, isRemote: boolean): void {
  if (isRemote) throw headlessIsLocal();
  if (sessionId === undefined && instanceId === undefined) return;
  throw new StudioBridgeError("INVALID_INPUT", "Cannot use --headless with --session or --instance.", {
    hint: "--headless starts a Studio of its own; leave out one of them.",
    ...(sessionId === undefined ? {} : { data: { sessionId } }),
  });
}

export function dataIsForHeadless(flag: "--data" | "--throttle"): StudioBridgeError {
  return invalidInput(
    `Cannot use ${flag} without --headless.`,
    `Studio has data stores of its own; leave out ${flag}, or add --headless.`,
  );
}

export function fixturesAreForHeadless(): StudioBridgeError {
  return invalidInput(
    "Cannot use --fixtures without --headless.",
    "Studio asks Roblox; leave out --fixtures, or add --headless.",
  );
}

export function worldIsForHeadless(flag: "--strict-geometry" | "--walk"): StudioBridgeError {
  const reason =
    flag === "--walk"
      ? "In Roblox Studio characters walk anyway"
      : "Roblox Studio knows the shape of each part";
  return invalidInput(
    `Cannot use ${flag} without --headless.`,
    `${reason}; leave out ${flag}, or add --headless.`,
  );
}

export function memoryIsForHeadless(): StudioBridgeError {
  return invalidInput(
    "Cannot use --memory without --headless.",
    "Studio takes what memory it needs; leave out --memory, or add --headless.",
  );
}

/** `flag` is the first of those that say something of a screen. */
export function screenIsForHeadless(flag: string): StudioBridgeError {
  return invalidInput(
    `Cannot use --${flag} without --headless.`,
    `Studio has a screen of its own; leave out --${flag}, or add --headless.`,
  );
}

/** What opens a place: a headless Studio, or one that is launched for a command that runs scripts. */
export async function checkPlaceTargetAsync(
  { sessionId, instanceId }: SessionTarget,
  placeFile: string,
  launchesStudio: boolean,
): Promise<void> {
  if (!launchesStudio)
    throw invalidInput(
      "Cannot use --place without --headless.",
      "Add --headless to run in a Studio of the command's own, or open the place in Studio.",
    );
  if (sessionId !== undefined || instanceId !== undefined)
    throw invalidInput(
      "Cannot use --place with --session or --instance.",
      "--place opens a Studio of its own; leave out one of them.",
    );
  const [{ checkedPlace }, { thisMachine }] = await Promise.all([
    import("../../studio/place-file.ts"),
    import("../../studio/machine.ts"),
  ]);
  checkedPlace(placeFile, thisMachine());
}

async function acquireHeadlessAsync(
  context: BridgeCommandContext,
  target: SessionTarget,
  headless: StartingHeadless,
  runsScripts: boolean,
): Promise<AcquiredSession> {
  const edit = await headless.connectAsync(context);
  const otherOutput = runsScripts ? FollowedOutput.follow(context, edit) : undefined;
  const played = await playedContextAsync(context, edit, target.context);
  const session = resolveSession([played], { ...target, instanceId: played.instanceId });
  return { session, ...(otherOutput === undefined ? {} : { otherOutput }) };
}

/** A Studio that was just launched can be meant: none that is named, and none that plays. */
function isAnyStudio({ sessionId, instanceId, context = "edit", player }: SessionTarget): boolean {
  return sessionId === undefined && instanceId === undefined && player === undefined && context === "edit";
}

interface Launch {
  readonly timeoutMs: number | undefined;
  readonly checkAsync: AcquireOptions["checkLaunchedAsync"];
  readonly place?: string;
}

interface Launching extends Launch {
  readonly mayLaunch: boolean;
  readonly withoutStudio: string | undefined;
}

/** Every session that can be meant; waits a little only where a Studio runs whose plugin may be on its way. */
async function connectedSessionsAsync(
  context: BridgeCommandContext,
  { mayLaunch, withoutStudio, ...launch }: Launching,
): Promise<readonly SessionInfo[]> {
  const { bridge, signal } = context;
  const { sessions, unpaired, refusals } = await bridge.listSessionsAsync();
  if (sessions.length > 0) return sessions;
  context.note("No Studio is connected to the bridge host.");
  for (const [reason, count] of Object.entries(refusals))
    context.note(`The bridge host has turned away ${count} connections: ${reason}.`);
  if (unpaired.length > 0) throw unpairedPlugin();
  if (context.isRemote) throw nothingConnected(OPEN_REMOTE);
  const [{ isStudioRunningAsync }, { thisMachine }] = await Promise.all([
    import("../../studio/studio-process.ts"),
    import("../../studio/machine.ts"),
  ]);
  if (!(await isStudioRunningAsync(thisMachine()))) {
    if (!mayLaunch) throw nothingConnected(withoutStudio ?? OPEN_STUDIO);
    return [await launchedSessionAsync(context, launch)];
  }
  context.status("Waiting for the plugin in Studio");
  const { launchTimeLeftMsAsync, unconnectedStudioAsync } = await import("./launch-studio.ts");
  const timeoutMs = Math.max(STUDIO_GRACE_MS, await launchTimeLeftMsAsync());
  await bridge.waitForSessionAsync(() => true, { timeoutMs, signal });
  const late = await bridge.listSessionsAsync();
  if (late.sessions.length > 0) return late.sessions;
  if (late.unpaired.length > 0) throw unpairedPlugin();
  if (!mayLaunch)
    throw nothingConnected(withoutStudio === undefined ? `${NO_PLUGIN}, ${OR_HEADLESS}.` : `${NO_PLUGIN}.`);
  throw await unconnectedStudioAsync(context);
}

/** Waits for the DataModels of a play session that has only just begun. */
async function resolvedAsync(
  context: BridgeCommandContext,
  sessions: readonly SessionInfo[],
  target: SessionTarget,
  defaultContext?: SessionContext,
): Promise<SessionInfo> {
  try {
    return resolveSession(sessions, target, defaultContext);
  } catch (error) {
    if (!(error instanceof StudioBridgeError) || error.code !== "PLAY_CONTEXT_UNAVAILABLE") throw error;
    const { bridge, signal } = context;
    context.status("Waiting for the play session");
    const settles = ({ instanceId, context: own, state }: SessionInfo) =>
      instanceId === error.data["instanceId"] &&
      (own === error.data["context"] || (own === "edit" && state !== "Play"));
    await bridge.waitForSessionAsync(settles, { timeoutMs: PLAY_GRACE_MS, signal });
    return resolveSession(await bridge.sessionsAsync(), target, defaultContext);
  }
}

const LAUNCHED = "(Studio was launched; waiting for its plugin)";

/** A Studio for this command, which stays for the next. */
async function launchedSessionAsync(
  context: BridgeCommandContext,
  { timeoutMs, checkAsync, place }: Launch,
): Promise<SessionInfo> {
  const { prepareLaunchAsync } = await import("./launch-studio.ts");
  try {
    const launchAsync = await prepareLaunchAsync(context, {
      withoutStudio: "add --headless",
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(place === undefined ? {} : { place }),
    });
    const { connectedAsync, endAsync } = await launchAsync(context);
    context.emit({ stream: "stderr", text: (style) => style.dim(LAUNCHED) });
    try {
      const session = await connectedAsync();
      await checkAsync?.(session);
      return session;
    } catch (error) {
      // It never took part in anything, so nothing of worth can be in it.
      await endAsync();
      throw error;
    }
  } catch (error) {
    const isMissing = error instanceof StudioBridgeError && error.code === "STUDIO_NOT_FOUND";
    throw isMissing && place === undefined ? nothingConnected(OPEN_STUDIO) : error;
  }
}

async function reconnectedAsync(context: BridgeCommandContext, session: SessionInfo): Promise<SessionInfo> {
  context.status("Waiting for Studio to reconnect");
  const { sessionId } = session;
  const isBack = (other: SessionInfo) => other.sessionId === sessionId && other.health === "ok";
  const found = await context.bridge.waitForSessionAsync(isBack, {
    timeoutMs: intervals.reconnectGraceMs,
    signal: context.signal,
  });
  if (found === null) throw sessionDisconnected(sessionId);
  return found;
}

const OR_HEADLESS = "or add --headless to run without Studio";
const OPEN_STUDIO = `Open Studio with the plugin installed (sb install-plugin), ${OR_HEADLESS}.`;
const OPEN_REMOTE = "Open Studio on that machine, with the plugin installed (sb install-plugin).";
const NO_PLUGIN =
  "Studio runs, but its plugin did not connect: install it (sb install-plugin) and restart Studio, or see Studio's Output, where a line of [StudioBridge] says why";

/** The usual sentence, with the choices that a person has. */
function nothingConnected(hint: string): StudioBridgeError {
  return new StudioBridgeError("NO_SESSION", noSessions().message, { hint });
}

function unpairedPlugin(): StudioBridgeError {
  const message = "A Studio plugin tried to connect without this machine's key.";
  return new StudioBridgeError("UNPAIRED", message);
}
