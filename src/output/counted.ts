/** Asks a Studio what it has done otherwise than Roblox Studio. */
import type { ActionRequest } from "../protocol/actions.ts";
import { type Counted, NOTHING_COUNTED } from "../protocol/caveats.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { SessionInfo } from "../protocol/network.ts";

interface Asked {
  readonly session: Pick<SessionInfo, "origin" | "capabilities">;
  readonly callAsync: (name: "queryCaveats", request: ActionRequest<"queryCaveats">) => Promise<Counted>;
}

/** Throws nothing: a Studio that is gone, or has another version, has nothing to tell. */
export async function countedAsync(
  { session, callAsync }: Asked,
  of: "studio" | "test" = "studio",
): Promise<Counted> {
  if (session.origin !== "headless" || !session.capabilities.includes("queryCaveats")) return NOTHING_COUNTED;
  try {
    return await callAsync("queryCaveats", { of });
  } catch (error) {
    if (error instanceof StudioBridgeError) return NOTHING_COUNTED;
    throw error;
  }
}
