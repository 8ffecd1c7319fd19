/** What the caller decides about a bridge host. */
import type { HostNews } from "./host/host-news.ts";

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
  /** Hears of every session and client that comes or goes, and of everybody who is turned away. */
  readonly onNews?: ((news: HostNews) => void) | undefined;
  readonly version: string;
  /** Plugins of another build are told that there is an update. */
  readonly buildId?: string;
}
