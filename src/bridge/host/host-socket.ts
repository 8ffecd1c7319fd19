/**
 * Writes to a peer's socket. Frames of the same moment leave in one write, because each write is a system call and
 * wakes the peer. Pushes pass the gate for slow readers first. This module does not read the frames.
 */
import { log } from "../../log.ts";
import { closeCodes } from "../wire/close-codes.ts";
import type { HostEffect } from "./host-core.ts";
import { PushGate } from "./push-gate.ts";

type Push = Extract<HostEffect, { type: "push" }>;

export class HostSocket<Data> {
  readonly #socket: Bun.ServerWebSocket<Data>;
  readonly #pushGate = new PushGate();
  #frames: string[] = [];
  #heldChars = 0;

  constructor(socket: Bun.ServerWebSocket<Data>) {
    this.#socket = socket;
  }

  send(text: string): void {
    this.#frames.push(text);
    this.#heldChars += text.length;
    if (this.#frames.length === 1) setImmediate(() => this.#flush());
  }

  push({ sessionId, count, text }: Push): void {
    const backlogBytes = this.#socket.getBufferedAmount() + this.#heldChars;
    if (!this.#pushGate.admit(sessionId, count, backlogBytes)) return;
    this.settle();
    this.send(text);
  }

  /** Call it when the peer reads again. */
  settle(): void {
    for (const text of this.#pushGate.settle()) this.send(text);
  }

  /** Closes the socket after everything that was sent before. */
  close(code: number, reason: string): void {
    this.#flush();
    this.#socket.close(code, reason);
  }

  #flush(): void {
    const frames = this.#frames;
    this.#frames = [];
    this.#heldChars = 0;
    const [first] = frames;
    if (first === undefined) return;
    if (frames.length === 1) this.#write(first);
    else this.#socket.cork(() => frames.forEach((text) => this.#write(text)));
  }

  /**
   * Bun returns 0 when it has dropped the message. The link is closed then, because a peer must not miss a frame
   * without knowing.
   */
  #write(text: string): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (this.#socket.send(text) === 0) {
      log.warn("A peer stopped reading; its connection was closed.");
      this.#socket.close(closeCodes.gone, "not reading");
    }
  }
}
