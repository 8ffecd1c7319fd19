/** What the caller decides about its way to a bridge host. */
import type { Prover } from "../auth/index.ts";
import type { HostOptions } from "./host-options.ts";

export interface ConnectOptions {
  /** Pins one port instead of the candidates. */
  readonly port?: number;
  readonly remote?: { readonly host: string; readonly port?: number };
  /** Command line that starts a detached host when none answers; without it and `host`, none is started. */
  readonly hostCommand?: readonly string[];
  /** Lets this process be the host itself, once one was lost; with `stays`, from the start. */
  readonly host?: Pick<HostOptions, "version" | "buildId" | "dangerouslyExpose">;
  /** Whether this process lives long enough to be the host from the start; default: when there is no `hostCommand`. */
  readonly stays?: boolean;
  /** Command line of a detached host that waits for this process to go, for those who need one then. */
  readonly successorCommand?: readonly string[];
  /** Of this sb: an older host that started by itself and is idle is asked to make room for one of ours. */
  readonly version?: string;
  /** Take a host that does not prove itself. */
  readonly allowUnpaired?: boolean;
  /** Made of the machine's key, where the caller has begun to read it; undefined: the key is read now. */
  readonly prover?: Promise<Prover> | undefined;
  readonly signal?: AbortSignal;
  /** Hears when no host answers and `hostCommand` is run. */
  readonly onStart?: () => void;
  /** Hears when the host that was started has not answered for some seconds; it gets more time. */
  readonly onSlowStart?: () => void;
}
