/**
 * The one channel between host and VM: a Luau buffer that both read and write, binary safe. The VM owns it and
 * registers its address.
 */
import { MAILBOX } from "./layout.ts";
import type { LuauMemory } from "./memory.ts";

/** A Luau buffer's length precedes its data, which starts 8 bytes into the object. */
const BUFFER = { length: 4, data: 8 } as const;

export interface MailboxMessage {
  readonly op: number;
  readonly number: number;
  /** Copies: they stay valid. */
  readonly first: Uint8Array;
  readonly second: Uint8Array;
}

/** Where the data of a Luau buffer lies, from what `tostring(buffer)` says and its size. */
export function bufferDataAt(memory: LuauMemory, address: string, sizeBytes: number): number {
  const object = Number.parseInt(address.replace(/^.*0x/, ""), 16);
  if (memory.readU32(object + BUFFER.length) !== sizeBytes)
    throw new Error("luau.wasm: unknown buffer layout");
  return object + BUFFER.data;
}

export class Mailbox {
  readonly #memory: LuauMemory;
  #at = 0;
  #sizeBytes = 0;

  constructor(memory: LuauMemory) {
    this.#memory = memory;
  }

  /** Takes the buffer at `dataAt` into use. */
  moveTo(dataAt: number, sizeBytes: number): void {
    this.#at = dataAt;
    this.#sizeBytes = sizeBytes;
  }

  get at(): number {
    return this.#at;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  fits(payloadBytes: number): boolean {
    return MAILBOX.bytes + payloadBytes <= this.#sizeBytes;
  }

  read(): MailboxMessage {
    const firstAt = this.#at + MAILBOX.bytes;
    const secondAt = firstAt + this.#memory.readU32(this.#at + MAILBOX.firstLength);
    const endAt = secondAt + this.#memory.readU32(this.#at + MAILBOX.secondLength);
    return {
      op: this.#memory.readU32(this.#at + MAILBOX.op),
      number: this.readNumber(),
      first: this.#memory.bytes.slice(firstAt, secondAt),
      second: this.#memory.bytes.slice(secondAt, endAt),
    };
  }

  readNumber(): number {
    return this.#memory.view.getFloat64(this.#at + MAILBOX.number, true);
  }

  /** Writes a message that has been found to fit. */
  write(op: number, number: number, payload: Uint8Array): void {
    this.#memory.writeU32(this.#at + MAILBOX.op, op);
    this.#memory.view.setFloat64(this.#at + MAILBOX.number, number, true);
    this.#memory.writeU32(this.#at + MAILBOX.firstLength, payload.length);
    this.#memory.writeU32(this.#at + MAILBOX.secondLength, 0);
    this.#memory.bytes.set(payload, this.#at + MAILBOX.bytes);
  }
}
