/** Reads trees of a headless Studio through the plugin, without a host. */
import { expect } from "bun:test";
import { decodeReply } from "../../../src/protocol/codec.ts";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";
import type { TreeSource } from "../../../src/tree/read-tree.ts";
import type { BridgePeer } from "../plugin/bridge-peer.ts";

/** `asked` has the payloads that went to the plugin. */
export function sourceOf(peer: BridgePeer, asked: unknown[] = [], budget?: number): TreeSource {
  return {
    session: { origin: "headless" },
    async callAsync(name, request) {
      const requestId = crypto.randomUUID();
      const payload = budget === undefined ? request : { ...request, budget };
      asked.push(payload);
      peer.send(name, payload, requestId);
      const answer = await peer.untilAsync(
        () => peer.inbox.find((frame) => frame.requestId === requestId && frame.type !== "output"),
        `answer to ${name}`,
      );
      expect(peer.faults).toEqual([]);
      const { code, message } = answer.payload as { code: "READING_ENDED"; message: string };
      if (answer.type === "error") throw new StudioBridgeError(code, message);
      // An empty table of Luau becomes an empty object only when the schema reads it.
      const decoded = decodeReply(name, answer);
      if (!decoded.ok) throw new Error("The reply does not fit its schema.");
      return decoded.value;
    },
  };
}

export async function luauAsync(peer: BridgePeer, script: string): Promise<void> {
  const { reply } = await peer.executeAsync(script);
  expect(reply.payload).toMatchObject({ success: true });
}
