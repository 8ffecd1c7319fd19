/** Tells when a Studio has changed, plays, goes away and is back. */
import type { BridgeConnection } from "../../bridge/index.ts";
import type { SessionLink } from "../../session/session-link.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import type { StudioLink } from "../studio/studio-link.ts";

export interface StudioListener {
  changed(typing: readonly string[]): void;
  /** Whether the place is being edited, or played. */
  editing(isEdited: boolean): void;
  /** The session has ended: Studio was closed, its plugin was reloaded, or another place was opened. */
  gone(): void;
}

/** Listens until the result is disposed. Throws what the plugin answers, and SESSION_GONE. */
export async function watchStudioAsync(
  bridge: BridgeConnection,
  { session, callAsync, callAnywayAsync }: StudioLink,
  listener: StudioListener,
): Promise<AsyncDisposable> {
  const stopSessions = bridge.onSessionEvent(({ event, session: other }) => {
    if (event === "disconnected" && other.sessionId === session.sessionId) listener.gone();
  });
  const subscription = await bridge.session(session.sessionId).subscribeAsync(
    ["treeChange", "stateChange"],
    (push) => {
      if (push.event === "treeChange") listener.changed(push.payload.typing);
      if (push.event === "stateChange") listener.editing(push.payload.newState === "Edit");
    },
    // What the lost messages said is found out by reading.
    { onDropped: () => listener.changed([]) },
  );
  await callAsync("watchTree", { isOn: true });
  return {
    [Symbol.asyncDispose]: async () => {
      stopSessions();
      await callAnywayAsync("watchTree", { isOn: false }).catch(ignoreGone);
      await subscription[Symbol.asyncDispose]();
    },
  };
}

/** A Studio that is gone watches nothing any more. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof StudioBridgeError)) throw error;
}

/** A Studio that was killed counts as gone after some seconds, when it may be open again already. */
const RESTART_MS = 30_000;

/** The lost session, and those of Studios that were open beside it: none of them is the lost one, started again. */
export async function otherStudiosAsync(bridge: BridgeConnection, lost: SessionInfo): Promise<Set<string>> {
  const sessions = await bridge.sessionsAsync().catch((error: unknown) => {
    ignoreGone(error);
    return [];
  });
  const latestMs = Date.now() - RESTART_MS;
  const others = sessions.filter(
    ({ instanceId, placeId, connectedAt }) =>
      placeId === 0 && instanceId !== lost.instanceId && Date.parse(connectedAt) < latestMs,
  );
  return new Set([lost.sessionId, ...others.map(({ sessionId }) => sessionId)]);
}

/**
 * The session of the same Studio window, of the same published place, or for one that is not published of any such place,
 * once there is one again that is none of `others`. Undefined when the signal fires first.
 */
export async function sessionAgainAsync(
  bridge: BridgeConnection,
  lost: SessionInfo,
  others: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<SessionInfo | undefined> {
  const isSame = (other: SessionInfo) =>
    other.context === lost.context &&
    !others.has(other.sessionId) &&
    (other.instanceId === lost.instanceId || other.placeId === lost.placeId);
  const { promise, resolve } = Promise.withResolvers<SessionInfo | undefined>();
  const stop = bridge.onSessionEvent(({ event, session }) => {
    if (event === "connected" && isSame(session)) resolve(session);
  });
  const end = () => resolve(undefined);
  signal.addEventListener("abort", end, { once: true });
  try {
    const known = (await bridge.sessionsAsync()).find(isSame);
    return known ?? (signal.aborted ? undefined : await promise);
  } finally {
    stop();
    signal.removeEventListener("abort", end);
  }
}

/** A link to another session of the same command. */
export function linkTo(session: SessionInfo, { bridge, caller, signal }: SessionLink): StudioLink {
  const of = bridge.session(session.sessionId);
  return {
    session,
    caller,
    callAsync: (name, request, listeners) => of.callAsync(name, request, { ...listeners, signal }),
    callAnywayAsync: (name, request, timeoutMs) =>
      of.callAsync(name, request, timeoutMs === undefined ? {} : { timeoutMs }),
  };
}
