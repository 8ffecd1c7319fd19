/**
 * The byte positions in the two Luau buffers that host and VM share. The engine's constants are generated from these
 * tables.
 */

/** The mailbox: one message at a time, a call or its reply, an event or its end. */
export const MAILBOX = {
  /** u32: which call or event it is, or one of the REPLY numbers. */
  op: 0,
  /** f64 */
  number: 8,
  /** u32: how long the first of the two byte strings is. */
  firstLength: 16,
  /** u32 */
  secondLength: 20,
  /** The byte strings, one after the other. */
  bytes: 24,
} as const;

/** The control cells, which the host reads when it decides whether a script has run too long. */
export const CONTROL = {
  /** u32: grows by one at each resumption that starts a new time budget. */
  generation: 0,
  /** u32: 1 while engine code runs that must not be interrupted. */
  shield: 4,
  /** f64: the seconds for one resumption, or 0 for the host's own limit. */
  budget: 8,
  /** The size of the buffer. */
  size: 16,
} as const;
