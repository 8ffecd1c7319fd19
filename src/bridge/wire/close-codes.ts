/** WebSocket close codes of the bridge. Luau never sees them; clients see by them whether to try again. */
export const closeCodes = {
  /** The link broke the rules before it was proven; nothing more is said. */
  refused: 1008,
  hostStopped: 1001,
  unpaired: 4401,
  /** Silent for too long. */
  gone: 4408,
  /** Too many sockets are waiting to prove themselves: try again shortly. */
  crowded: 4429,
} as const;
