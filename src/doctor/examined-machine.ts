/** What the checks of `sb doctor` need of the command. */
import type { BridgeConnection } from "../bridge/index.ts";

export interface ExaminedMachine {
  readonly signal: AbortSignal;
  /** The bridge is on another machine. */
  readonly isRemote: boolean;
  /** A connection of the caller's own each time, to the host that the flags name. */
  connectAsync(): Promise<BridgeConnection>;
}
