/**
 * Every number both ends of a wire agree on: ports, versions, sizes, intervals. The Luau twin is generated from
 * this file, so a limit is changed here and nowhere else.
 */

export const PROTOCOL_VERSION = 2;

/** Tried in this order by host, client and plugin alike (wire: "Finding each other"). */
export const PORT_CANDIDATES = [38741, 38742, 38743, 38744] as const;

export const PLUGIN_PATH = "/plugin";
export const CLIENT_PATH = "/client";
export const HEALTH_PATH = "/health";

export const limits = {
  /** Largest text frame the host takes from a plugin. */
  pluginFrameBytes: 16 * 1024 * 1024,
  /** Largest text frame the host takes from a client. Room for a 5 MB script with every byte escaped. */
  clientFrameBytes: 32 * 1024 * 1024,
  /** Largest text frame from a peer that has not proven itself yet. */
  unprovenFrameBytes: 4 * 1024,
  /** A reply larger than this travels as `chunk` messages of at most this many characters of JSON text. */
  chunkChars: 256 * 1024,
  /** All chunks of one reply together. */
  chunkedReplyChars: 64 * 1024 * 1024,
  jsonDepth: 64,
  sessions: 256,
  clients: 256,
  unprovenSockets: 16,
  queuedExecutesPerSession: 32,
  inFlightPerClient: 64,
  logBufferEntries: 1_000,
  outputBatchChars: 64 * 1024,
  ledgerEntries: 4_096,
  ledgerBytes: 32 * 1024 * 1024,
  valueNodes: 100_000,
  valueStringBytes: 1024 * 1024,
} as const;

export const intervals = {
  proofMs: 2_000,
  pluginHeartbeatMs: 15_000,
  hostPingMs: 5_000,
  staleAfterMs: 15_000,
  goneAfterMs: 60_000,
  reconnectGraceMs: 2_000,
  pluginProbeMs: 500,
  pluginIdleProbeMs: 2_000,
  pluginIdleAfterMs: 600_000,
  unpairedRetryMs: 10_000,
  ledgerKeepMs: 300_000,
  hostIdleExitMs: 900_000,
  /** How much later than its own deadline a request is answered at the latest. */
  deadlineSlackMs: 250,
} as const;
