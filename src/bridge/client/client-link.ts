/** What a client needs of a link to its host, whether a WebSocket carries it or the host lives in the same process. */
import type { Welcome } from "./client-greeting.ts";

export interface LinkListener {
  frame(text: string): void;
  closed(): void;
}

/** A proven link to a host. */
export interface ClientLink extends Disposable {
  /** From now on the listener receives everything. A link that has already broken reports that at once. */
  attach(listener: LinkListener): void;
  send(text: string): void;
}

/** A host that has accepted this process as a client. */
export interface FoundHost {
  readonly link: ClientLink;
  readonly welcome: Welcome;
  readonly port: number;
}
