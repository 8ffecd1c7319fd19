/** Sessions to choose from and to list. */
import type { SessionInfo } from "../../../../src/protocol/network.ts";

export function sessionInfo(changes: Partial<SessionInfo> = {}): SessionInfo {
  return {
    sessionId: "a1b2c3d4-e5f6-7890-abcd-ef1234567890",
    instanceId: "inst-001",
    context: "edit",
    placeName: "TestPlace.rbxl",
    placeId: 1_234_567_890,
    gameId: 9_876_543_210,
    state: "Edit",
    origin: "user",
    health: "ok",
    capabilities: [],
    pluginVersion: "1.0.0",
    connectedAt: "2026-01-02T03:04:05.000Z",
    uptimeMs: 150_000,
    ...changes,
  };
}

export const edit = sessionInfo();
