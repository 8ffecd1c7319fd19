/** Keeps the start of a program's output, counts the rest, and knows when no more is to be expected. */
import { truncatedText } from "./truncated-text.ts";

/** What is held of stdout, and of stderr; a tool shows less. */
const HELD_LIMIT_BYTES = 64 * 1024 * 1024;

/** How long after a program's end its output may pause; a child that it left behind may hold it open for ever. */
const IDLE_MS = 250;

interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

export class Capture {
  readonly #reader: ByteReader;
  readonly #limitBytes: number;
  readonly #onTooMuch: () => void;
  readonly #chunks: Uint8Array[] = [];
  readonly #done: Promise<void>;
  #keptBytes = 0;
  #totalBytes = 0;

  /** `onTooMuch` is called for each piece that is left out, wholly or in part. */
  constructor(
    stream: ReadableStream<Uint8Array>,
    limitBytes = HELD_LIMIT_BYTES,
    onTooMuch: () => void = () => {},
  ) {
    this.#reader = stream.getReader();
    this.#limitBytes = limitBytes;
    this.#onTooMuch = onTooMuch;
    this.#done = this.#readAsync();
  }

  /** The text, and how many bytes of it were left out. Call it when the program has ended. */
  async finishAsync(): Promise<string> {
    const isDoneAsync = this.#done.then(() => true);
    let seenBytes = -1;
    while (seenBytes !== this.#totalBytes) {
      seenBytes = this.#totalBytes;
      if (await Promise.race([isDoneAsync, Bun.sleep(IDLE_MS).then(() => false)])) break;
    }
    await this.#reader.cancel().catch(() => undefined);
    return this.#text();
  }

  async #readAsync(): Promise<void> {
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done || value === undefined) return;
      this.#totalBytes += value.byteLength;
      const room = this.#limitBytes - this.#keptBytes;
      if (value.byteLength > room) this.#onTooMuch();
      if (room <= 0) continue;
      const kept = value.byteLength <= room ? value : value.slice(0, room);
      this.#chunks.push(kept);
      this.#keptBytes += kept.byteLength;
    }
  }

  #text(): string {
    const bytes = Buffer.concat(this.#chunks);
    if (this.#totalBytes === bytes.byteLength)
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    return truncatedText(bytes, this.#totalBytes);
  }
}
