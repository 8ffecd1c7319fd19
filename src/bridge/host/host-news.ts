/** What a bridge host tells its own process about those who come and go. */
import type { NetworkPayload, SessionInfo } from "../../protocol/network.ts";

/** Why another program of the name studio-bridge, which uses the same port, is turned away. */
export const OTHER_PRODUCT = "other product";

export type HostNews =
  | {
      readonly what: "session";
      readonly event: NetworkPayload<"session-event">["event"];
      readonly session: SessionInfo;
    }
  | { readonly what: "client"; readonly event: "connected" | "disconnected"; readonly clients: number }
  | { readonly what: "refusal"; readonly reason: string };
