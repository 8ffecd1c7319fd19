/** What the caller decides about its way to a bridge host. */
import type { Prover } from "../auth/index.ts";
import type { HostOptions } from "./host-options.ts";

export interface ConnectOptions {
  /** Pins one port instead of the candidates. */
  readonly port?: number;
  readonly remote?: { readonly host: string; readonly port?: number };
  /** Command line that starts a detached host if none answers. Without it and without `host`, no host is started. */
  readonly hostCommand?: readonly string[];
  /** Lets this process become the host after one was lost; with `stays`, already at its start. */
  readonly host?: Pick<HostOptions, "version" | "buildId" | "dangerouslyExpose">;
  /** This process lives long enough to be the host from its start. Default: true without a `hostCommand`. */
  readonly stays?: boolean;
  /** After a host was lost, only looks for the next one, which another process starts or becomes. */
  readonly onlyFollows?: boolean;
  /** Command line of a detached host that waits for this process to end, in case other processes then need a host. */
  readonly successorCommand?: readonly string[];
  /**
   * The version of this sb: an older host that is idle and was not started by its user is asked to make room for one of
   * ours.
   */
  readonly version?: string;
  /** Accepts a host that does not prove itself. */
  readonly allowUnpaired?: boolean;
  /** The machine's key, if the caller has already begun to read it; undefined: the key is read now. */
  readonly prover?: Promise<Prover> | undefined;
  readonly signal?: AbortSignal;
  /** Called when no host answers and `hostCommand` is run. */
  readonly onStart?: () => void;
  /** Called when the started host has not answered for some seconds; the search goes on. */
  readonly onSlowStart?: () => void;
}
