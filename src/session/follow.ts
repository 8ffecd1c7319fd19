/** Listens to a session until the caller stops or the session ends. */
import type { SessionPush, SubscribeOptions } from "../bridge/index.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { SEE_SESSIONS } from "../protocol/messages.ts";
import type { SubscribableEvent } from "../protocol/events.ts";
import { expectLongRun } from "../util/long-run.ts";
import type { SessionLink } from "./session-link.ts";

interface FollowOptions extends SubscribeOptions {
  /** Called once, when everything from then on is heard. */
  readonly onListening?: () => void;
}

/**
 * Resolves when the signal fires or the caller's timeout is over; throws SESSION_GONE when the session or the host goes
 * first.
 */
export async function followAsync(
  link: SessionLink,
  event: SubscribableEvent,
  onPush: (push: SessionPush) => void,
  { onListening, ...options }: FollowOptions = {},
): Promise<void> {
  expectLongRun();
  const { bridge, session, timeoutMs } = link;
  const signal =
    timeoutMs === undefined ? link.signal : AbortSignal.any([link.signal, AbortSignal.timeout(timeoutMs)]);
  const ended = new AbortController();
  const stop = bridge.onSessionEvent(({ event: kind, session: other }) => {
    if (kind === "disconnected" && other.sessionId === session.sessionId) ended.abort();
  });
  void bridge.closed.then(() => ended.abort());
  const stopHosts = bridge.onHostChange(() =>
    link.emit({
      stream: "stderr",
      text: (style) => style.dim("(another bridge host took over)"),
    }),
  );
  try {
    await using _subscription = await link.subscribeAsync([event], onPush, options);
    onListening?.();
    await untilAbortedAsync(AbortSignal.any([signal, ended.signal]));
  } finally {
    stop();
    stopHosts();
  }
  if (!signal.aborted) throw sessionEnded(session.sessionId);
}

export function untilAbortedAsync(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function sessionEnded(sessionId: string): StudioBridgeError {
  return new StudioBridgeError("SESSION_GONE", `Session ${sessionId} ended.`, {
    data: { sessionId },
    hint: SEE_SESSIONS,
  });
}
