/** What a bridge host tells its own process about peers that connect, leave or are turned away. */
import type { NetworkPayload, SessionInfo } from "../../protocol/network.ts";

/** The reason for turning away another program called studio-bridge, which uses the same port. */
export const OTHER_PRODUCT = "other product";

export type HostNews =
  | {
      readonly what: "session";
      readonly event: NetworkPayload<"session-event">["event"];
      readonly session: SessionInfo;
    }
  | { readonly what: "client"; readonly event: "connected" | "disconnected"; readonly clients: number }
  | { readonly what: "refusal"; readonly reason: string };
