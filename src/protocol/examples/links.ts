/** The handshake, registration and liveness of the plugin, and the messages between clients and the host. */
import { REQUEST, SESSION, hex, request } from "./example.ts";
import type { MessageExample } from "./example.ts";

const session = {
  sessionId: SESSION,
  instanceId: "inst-001",
  context: "edit",
  placeName: "TestPlace.rbxl",
  placeId: 1_234_567_890,
  gameId: 9_876_543_210,
  state: "Edit",
  origin: "user",
  health: "ok",
  capabilities: ["queryState", "execute"],
  pluginVersion: "0.1.0",
  connectedAt: "2026-01-01T00:00:00.000Z",
  uptimeMs: 150_000,
};

export const linkExamples: readonly MessageExample[] = [
  {
    type: "hello",
    protocolVersion: 2,
    payload: {
      role: "plugin",
      pluginVersion: "0.1.0",
      buildId: "0123456789ab",
      nonceA: hex("0a", 32),
      keyId: hex("1b", 8),
    },
  },
  { type: "hello", variant: "v1", payload: { role: "plugin", sessionId: "legacy-session" } },
  { type: "challenge", payload: { nonceB: hex("0b", 32), hostId: "host-1", proof: hex("2c", 32) } },
  { type: "auth", payload: { proof: hex("3d", 32) } },
  { type: "welcome", protocolVersion: 2, payload: { serverVersion: "0.1.0", protocolVersion: 2 } },
  {
    type: "welcome",
    variant: "client",
    protocolVersion: 2,
    payload: { serverVersion: "0.1.0", protocolVersion: 2, sessions: [session] },
  },
  {
    type: "register",
    requestId: REQUEST,
    payload: {
      pluginVersion: "0.1.0",
      buildId: "0123456789ab",
      instanceId: "inst-001",
      context: "client",
      player: { name: "Player1", index: 1 },
      launchId: "headless-1",
      previousSessionId: SESSION,
      placeName: "Café ☕.rbxl",
      placeId: 0,
      gameId: 0,
      state: "Play",
      capabilities: ["queryState", "execute"],
      studioVersion: "0.735.0.7351131",
    },
  },
  {
    type: "registered",
    sessionId: SESSION,
    requestId: REQUEST,
    payload: { sessionId: SESSION, capabilities: ["queryState", "execute"], pluginUpdateAvailable: false },
  },
  { type: "unregister", sessionId: SESSION, payload: { reason: "play session ended" } },
  {
    type: "heartbeat",
    sessionId: SESSION,
    payload: { uptimeMs: 15_000, state: "Edit", pendingRequests: 0 },
  },
  { type: "permissionChosen", sessionId: SESSION, payload: { permission: "look", isDefault: false } },
  { type: "ping", payload: {} },
  { type: "pong", payload: {} },
  { type: "running", ...request, payload: {} },
  {
    type: "error",
    ...request,
    payload: {
      code: "INSTANCE_NOT_FOUND",
      message: "No instance found at path: game.Workspace.Nope",
      details: { resolvedTo: "game.Workspace", failedSegment: "Nope" },
      outcome: "not_started",
    },
  },
  { type: "chunk", ...request, payload: { seq: 0, total: 2, data: '{"type":"dataModelResult","pay' } },
  { type: "clients", payload: { clients: [{ id: "5f21c0de5f21c0de", name: "sb" }] } },
  { type: "shutdown", payload: { reason: "stopped" } },
  { type: "list-sessions", requestId: REQUEST, payload: {} },
  {
    type: "list-sessions-response",
    payload: {
      requestId: REQUEST,
      sessions: [session],
      unpaired: [{ at: "2026-01-01T00:00:00.000Z", pluginVersion: "0.1.0" }],
      refusals: { origin: 2 },
      allowsUnpaired: true,
    },
  },
  {
    type: "host-envelope",
    payload: {
      requestId: REQUEST,
      targetSessionId: SESSION,
      timeoutMs: 5_000,
      caller: { id: "5f21c0de5f21c0de", name: "sb", version: "1.3.0", pid: 4711 },
      summary: "query game.Workspace",
      action: { type: "queryDataModel", payload: { path: "game.Workspace" } },
    },
  },
  {
    type: "host-response",
    payload: {
      requestId: REQUEST,
      result: { type: "running", sessionId: SESSION, requestId: REQUEST, payload: {} },
    },
  },
  { type: "session-event", payload: { event: "connected", session } },
  {
    type: "session-push",
    payload: {
      sessionId: SESSION,
      frame: { type: "logPush", sessionId: SESSION, payload: { entries: [] } },
    },
  },
  { type: "push-dropped", payload: { sessionId: SESSION, dropped: 12 } },
  { type: "host-transfer", payload: { reason: "upgrade" } },
  { type: "host-retire", payload: { version: "1.3.0" } },
  { type: "host-ready", payload: { sessionIds: [SESSION] } },
];
