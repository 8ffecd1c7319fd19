/** The client core in a world without sockets: time is turned by hand, frames are said as a host would. */
import { createClientState, nextDueAt, step } from "../../../../src/bridge/client/client-core.ts";
import type { ClientEffect, ClientEvent } from "../../../../src/bridge/client/client-core.ts";
import { encode } from "../../../../src/protocol/codec.ts";
import type { SessionInfo } from "../../../../src/protocol/network.ts";

export const exampleSession: SessionInfo = {
  sessionId: "s",
  instanceId: "window-1",
  context: "edit",
  placeName: "Baseplate",
  placeId: 0,
  gameId: 0,
  state: "Edit",
  origin: "user",
  health: "ok",
  capabilities: ["execute"],
  pluginVersion: "1",
  connectedAt: "2026-01-01T00:00:00.000Z",
  uptimeMs: 100,
};

export class ClientWorld {
  nowMs = 0;
  #counter = 0;
  readonly client = createClientState({ randomHex: () => `fresh-${++this.#counter}` }, 0);

  do(event: ClientEvent): ClientEffect[] {
    return step(this.client, event, this.nowMs);
  }

  hear(type: string, payload: unknown, header: { requestId?: string } = {}): ClientEffect[] {
    return this.do({ type: "frame", text: encode({ type, sessionId: "", ...header, payload }) });
  }

  ready(): this {
    this.do({ type: "attached" });
    return this;
  }

  call(callId: string, timeoutMs = 1_000): ClientEffect[] {
    const payload = { script: callId };
    return this.do({
      type: "call",
      call: { callId, sessionId: "s", action: "execute", payload, timeoutMs },
    });
  }

  query(callId: string): ClientEffect[] {
    const call = { callId, sessionId: "s", action: "queryState", payload: {}, timeoutMs: 1_000 } as const;
    return this.do({ type: "call", call });
  }

  answer(requestId: string, type: string, payload: unknown): ClientEffect[] {
    return this.hear("host-response", { requestId, result: { type, sessionId: "s", requestId, payload } });
  }

  pass(durationMs: number): ClientEffect[] {
    const until = this.nowMs + durationMs;
    const effects: ClientEffect[] = [];
    while (nextDueAt(this.client) <= until) {
      this.nowMs = Math.max(this.nowMs, nextDueAt(this.client));
      effects.push(...this.do({ type: "tick" }));
    }
    this.nowMs = until;
    return effects;
  }
}
