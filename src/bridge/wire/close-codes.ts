/** WebSocket close codes of the bridge. Clients learn from them whether to try again; the plugin never sees them. */
export const closeCodes = {
  /** The peer broke the rules before it had proven itself, so it gets no explanation. */
  refused: 1008,
  hostStopped: 1001,
  unpaired: 4401,
  /** The peer was silent for too long. One that has not proven itself may try again. */
  gone: 4408,
  /** Too many sockets wait to prove themselves: try again soon. */
  crowded: 4429,
} as const;
