/** The results of a terminal: a record for each piece of input, and at the end whether one of them failed. */

/** With `--json`: one line of what was read, a dot-command or a piece of Luau, and what came of it. */
export interface TerminalRecord {
  readonly input: string;
  readonly success: boolean;
  /** What the command gives with `--json`; for Luau that is `exec`. */
  readonly output?: unknown;
  readonly error?: unknown;
}

export interface TerminalOutcome {
  /** True if any line failed and no person was watching, because the lines came from a file or a pipe. */
  readonly failed: boolean;
}
