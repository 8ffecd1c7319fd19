/**
 * The name of one start of a Studio. The process that started it recognises its session by this name, and the host
 * knows how the session began.
 */
import type { SessionInfo } from "./network.ts";

/** `headless-once` is a headless Studio that one command starts for itself and ends again. */
type LaunchKind = Exclude<SessionInfo["origin"], "user"> | "headless-once";

/** Fit for a file name. */
export const LAUNCH_ID = /^[a-z]+(?:-once)?-[0-9a-f-]{36}$/;

export function newLaunchId(kind: LaunchKind): string {
  return `${kind}-${crypto.randomUUID()}`;
}

/** The Studio of one command that is running: it ends with that command. */
export function isOneCommandsOwn({ launchId }: Pick<SessionInfo, "launchId">): boolean {
  return launchId?.startsWith("headless-once-") === true;
}

/** A Studio without a launch id was opened by its user. */
export function originOf(launchId: string | undefined): SessionInfo["origin"] {
  if (launchId?.startsWith("headless-")) return "headless";
  return launchId?.startsWith("managed-") ? "managed" : "user";
}
