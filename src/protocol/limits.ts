/**
 * Every number that both ends of the wire agree on: ports, versions, sizes, intervals. The plugin's constants are
 * generated from this file, and docs/protocol.md shows the comment above each limit and interval.
 */

export const PROTOCOL_VERSION = 2;

/** The most clients that a play test can have (docs of StudioTestService:ExecuteMultiplayerTestAsync). */
export const MAX_PLAYERS = 8;

/** Tried in this order by host, client and plugin alike. */
export const PORT_CANDIDATES = [38741, 38742, 38743, 38744] as const;

export const PLUGIN_PATH = "/plugin";
export const CLIENT_PATH = "/client";
export const HEALTH_PATH = "/health";

export const limits = {
  /** Largest text frame that the host takes from a plugin. */
  pluginFrameBytes: 16 * 1024 * 1024,
  /** Largest text frame that the host takes from a client: a script of 5 MB with every byte escaped fits, beside its input. */
  clientFrameBytes: 64 * 1024 * 1024,
  /** Largest text that a script gets as `sb.input`, and most of standard input that it may leave unread. */
  inputBytes: 16 * 1024 * 1024,
  /** Largest text frame of a peer that has not proven itself yet. */
  unprovenFrameBytes: 4 * 1024,
  /** A longer reply travels as `chunk` messages, each with at most this many characters of it. */
  chunkChars: 256 * 1024,
  /** Longest reply, in all its chunks together. */
  chunkedReplyChars: 64 * 1024 * 1024,
  /** Deepest nesting of the values in a frame. */
  jsonDepth: 64,
  /** How many sessions a host takes. */
  sessions: 256,
  /** How many clients a host takes. */
  clients: 256,
  /** How many connections may be in their handshake at once. */
  unprovenSockets: 16,
  /** How many scripts may wait in a session while another one runs. */
  queuedExecutesPerSession: 32,
  /** How many milliseconds a person at Studio has at most to answer a question about a request. */
  heldMs: 60_000,
  /** Longest summary of a request, in characters. */
  summaryChars: 200,
  /** How many requests a client may have under way. */
  inFlightPerClient: 64,
  /** Largest model, as the bytes of a binary model file, that can be inserted or exported; it travels as Base64. */
  modelBytes: 32 * 1024 * 1024,
  /** How many lines of Studio's Output the plugin keeps. */
  logBufferEntries: 1_000,
  /** The plugin sends output as soon as this many characters wait. */
  outputBatchChars: 64 * 1024,
  /** How many scripts the plugin remembers, so that none runs twice. */
  ledgerEntries: 4_096,
  /** How many bytes of their output and replies the plugin remembers. */
  ledgerBytes: 32 * 1024 * 1024,
  /** How many bytes of script sources the plugin puts into one reply, before it leaves the others for the next. */
  sourcesPerReplyBytes: 192 * 1024,
  /** How many bytes of a tree the plugin puts into one page at most. */
  treePageBytes: 256 * 1024,
  /** How many operations one patch has. */
  patchOperations: 5_000,
  /** How many sources one patch writes. */
  patchSources: 200,
  /** How many bytes of sources one patch writes. */
  patchSourceBytes: 4 * 1024 * 1024,
  /** How many operations one request of a step of several requests has. */
  stepOperations: 20_000,
  /** How many parts a patch names that joints have moved along. */
  movedAlong: 100,
  /** Most Instances of a place that a dry run of a script copies. */
  trialInstances: 20_000,
  /** How many changes a dry run lists; all are counted. */
  trialChanges: 5_000,
  /** How many values a reply may contain. */
  valueNodes: 100_000,
  /** Longest string in a reply; the rest of a longer one is cut. */
  valueStringBytes: 8 * 1024 * 1024,
  /** Longest line of output and of the log; the rest of a longer one is cut. */
  lineBytes: 1024 * 1024,
} as const;

export const intervals = {
  /** How long a peer may take to prove itself. */
  proofMs: 2_000,
  /** How often the plugin sends `heartbeat`. */
  pluginHeartbeatMs: 15_000,
  /** How often the host sends `ping`. */
  hostPingMs: 5_000,
  /** A session that is silent for so long is `stale`. */
  staleAfterMs: 15_000,
  /** A session that is silent for so long is gone, unless a script holds it up. */
  goneAfterMs: 60_000,
  /** How long a session whose connection broke may take to come back. */
  reconnectGraceMs: 2_000,
  /** How often a plugin without a host looks for one. All plugins of a Studio share its HTTP requests. */
  pluginProbeMs: 1_500,
  /** How often it looks after a long time without a host. */
  pluginIdleProbeMs: 4_500,
  /** What counts as a long time without a host. */
  pluginIdleAfterMs: 600_000,
  /** How long a plugin waits after a host refused its key, or Studio its request. */
  unpairedRetryMs: 10_000,
  /** How long a plugin waits where Studio's HTTP requests of the minute are used up. */
  httpLimitRetryMs: 30_000,
  /** How long the plugin remembers a script that has ended. */
  ledgerKeepMs: 300_000,
  /** How long a host that started by itself stays without a client. */
  hostIdleExitMs: 900_000,
  /** How much later than its own deadline a request is answered at the latest. */
  deadlineSlackMs: 250,
} as const;
