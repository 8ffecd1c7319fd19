/** Names one start of a Studio, so that whoever started it recognises its session and the host knows its origin. */
import type { SessionInfo } from "./network.ts";

type LaunchedOrigin = Exclude<SessionInfo["origin"], "user">;

/** Fit for a file name. */
export const LAUNCH_ID = /^[a-z]+-[0-9a-f-]{36}$/;

export function newLaunchId(origin: LaunchedOrigin): string {
  return `${origin}-${crypto.randomUUID()}`;
}

/** A Studio that nobody of ours launched is its user's. */
export function originOf(launchId: string | undefined): SessionInfo["origin"] {
  if (launchId?.startsWith("headless-")) return "headless";
  return launchId?.startsWith("managed-") ? "managed" : "user";
}
