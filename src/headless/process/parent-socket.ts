/**
 * The socket of the plugin in a one-shot headless Studio. To the plugin it looks like any bridge host on this machine, at
 * an address that no program can listen on; its frames go to the process that started this one.
 */
import type { FramePipe } from "./frame-pipe.ts";

/** Port 0 can be asked for, but never listened on. */
export const PARENT_PORT = 0;

const HEALTH = JSON.stringify({ name: "studio-bridge" });

interface ParentSocketOptions {
  readonly pipe: FramePipe;
  readonly onFrame: (id: number, text: string) => void;
  readonly onClosed: (id: number) => void;
}

export class ParentSocket {
  /** Settles when the parent is gone. */
  readonly parentGone: Promise<void>;
  readonly #pipe: FramePipe;
  readonly #onClosed: (id: number) => void;
  #openId: number | undefined;

  constructor({ pipe, onFrame, onClosed }: ParentSocketOptions) {
    this.#pipe = pipe;
    this.#onClosed = onClosed;
    this.parentGone = pipe.listenAsync({
      frame: (id, text) => {
        if (id === this.#openId) onFrame(id, text);
      },
      closed: (id) => this.#ended(id),
    });
  }

  /** True for the address of the parent. */
  static isFor(url: string): boolean {
    return URL.canParse(url) && new URL(url).host === `127.0.0.1:${PARENT_PORT}`;
  }

  /** The answer to the question that the plugin asks before it opens a socket. */
  static health(): { readonly head: object; readonly body: Uint8Array } {
    const head = { status: 200, statusText: "OK", headers: { "content-type": "application/json" } };
    return { head, body: new TextEncoder().encode(HEALTH) };
  }

  /** The plugin's socket, if it has one. */
  get openId(): number | undefined {
    return this.#openId;
  }

  /** Opens the socket. False if it is open already, so that a script of the place cannot pose as a second plugin. */
  open(id: number): boolean {
    if (this.#openId !== undefined) return false;
    this.#openId = id;
    return true;
  }

  /** Sends a text. False for a socket that leads elsewhere. */
  send(id: number, text: string): boolean {
    if (id !== this.#openId) return false;
    this.#pipe.send(id, text);
    return true;
  }

  /** Closes the socket. False for a socket that leads elsewhere. */
  close(id: number): boolean {
    if (id !== this.#openId) return false;
    this.#pipe.close(id);
    this.#ended(id);
    return true;
  }

  #ended(id: number): void {
    if (id !== this.#openId) return;
    this.#openId = undefined;
    this.#onClosed(id);
  }
}
