/** What the caller decides about a bridge host. */
import type { HostNews } from "./host/host-news.ts";

export interface HostOptions {
  /** Uses one port instead of the candidates; 0 takes any free port without looking for other hosts. */
  readonly port?: number;
  /** Accepts plugins and clients without a proof. */
  readonly allowUnpaired?: boolean;
  /** Listens to other machines too. */
  readonly dangerouslyExpose?: boolean;
  /** How long the host stays without clients and without sessions. */
  readonly idleExitMs?: number;
  /** The host was started automatically, so a newer sb may take its place while it is idle. */
  readonly makesRoom?: boolean;
  /** Called for every session and client that comes or goes, and for every peer that is turned away. */
  readonly onNews?: ((news: HostNews) => void) | undefined;
  readonly version: string;
  /** The host tells plugins of another build that there is an update. */
  readonly buildId?: string;
}
