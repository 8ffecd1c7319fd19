/** Views over a VM's linear memory that stay valid when it grows, and strings in and out of it. */

const PAGE_BYTES = 65_536;
const GROWTH = 1.25;
const NEARLY_FULL = 0.75;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class LuauMemory {
  bytes = new Uint8Array();
  view = new DataView(new ArrayBuffer(0));
  /**
   * True once the VM was refused memory when little was left: from then on anything may have failed half-way. A single
   * huge request that is refused leaves the VM healthy.
   */
  isExhausted = false;
  readonly #maxPages: number;
  #memory: WebAssembly.Memory | undefined;

  constructor(maxPages: number) {
    this.#maxPages = maxPages;
  }

  attach(memory: WebAssembly.Memory): void {
    this.#memory = memory;
    this.#refresh();
  }

  get sizeBytes(): number {
    return this.bytes.length;
  }

  /** Grows to at least `sizeBytes`; false when that is beyond the limit. */
  grow(sizeBytes: number): boolean {
    const isGrown = this.#tryGrow(sizeBytes);
    this.isExhausted ||= !isGrown && this.sizeBytes > this.#maxPages * PAGE_BYTES * NEARLY_FULL;
    return isGrown;
  }

  #tryGrow(sizeBytes: number): boolean {
    const limit = this.#maxPages * PAGE_BYTES;
    if (this.#memory === undefined || sizeBytes > limit) return false;
    const wanted = Math.min(limit, Math.max(sizeBytes, Math.ceil(this.sizeBytes * GROWTH)));
    try {
      this.#memory.grow(Math.max(0, Math.ceil((wanted - this.sizeBytes) / PAGE_BYTES)));
    } catch {
      return false;
    }
    this.#refresh();
    return true;
  }

  readU32(at: number): number {
    return this.view.getUint32(at, true);
  }

  writeU32(at: number, value: number): void {
    this.view.setUint32(at, value, true);
  }

  /** The text of a C string. */
  readCString(at: number): string {
    return decoder.decode(this.bytes.subarray(at, this.bytes.indexOf(0, at)));
  }

  /** Bytes and a closing zero at `at`; the caller has made room. */
  writeCString(at: number, bytes: Uint8Array): void {
    this.bytes.set(bytes, at);
    this.bytes[at + bytes.length] = 0;
  }

  #refresh(): void {
    if (this.#memory === undefined) return;
    this.bytes = new Uint8Array(this.#memory.buffer);
    this.view = new DataView(this.#memory.buffer);
  }
}

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
