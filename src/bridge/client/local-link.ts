/**
 * A client's link to the host of its own process. Frames change hands as text, as on a socket, but nothing is proven and
 * nothing leaves the process.
 */
import type { ClientLink, LinkListener } from "./client-link.ts";

export class LocalLink implements ClientLink {
  readonly #host: LinkListener;
  readonly #inbox: string[] = [];
  #client: LinkListener | undefined;
  #isOpen = true;
  #isWoken = false;

  constructor(host: LinkListener) {
    this.#host = host;
  }

  attach(client: LinkListener): void {
    this.#client = client;
    this.#wake();
  }

  send(text: string): void {
    if (this.#isOpen) this.#host.frame(text);
  }

  /** The client closes the link. */
  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#client = undefined;
    this.#host.closed();
  }

  /** Takes a frame from the host. */
  deliver(text: string): void {
    this.#inbox.push(text);
    this.#wake();
  }

  /** The host closes the link after its last frame. */
  hangUp(): void {
    this.#isOpen = false;
    this.#wake();
  }

  /** Delivers later, when the host has finished its present step. */
  #wake(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    queueMicrotask(() => {
      this.#isWoken = false;
      const client = this.#client;
      if (client === undefined) return;
      for (const text of this.#inbox.splice(0)) client.frame(text);
      if (!this.#isOpen) client.closed();
    });
  }
}
