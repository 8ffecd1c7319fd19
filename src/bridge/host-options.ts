/** What the caller decides about a bridge host. */
export interface HostOptions {
  /** Pins one port instead of the candidates; 0: any free port, without a look at who else is there. */
  readonly port?: number;
  /** Takes plugins and clients without a proof. */
  readonly allowUnpaired?: boolean;
  /** Listens to other machines too, not only to this one. */
  readonly dangerouslyExpose?: boolean;
  /** How long the host stays without clients and without sessions. */
  readonly idleExitMs?: number;
  /** Nobody started it on purpose: while it has nothing to do, a newer sb may take its place. */
  readonly makesRoom?: boolean;
  readonly version: string;
  /** Plugins of another build are told that there is an update. */
  readonly buildId?: string;
}
