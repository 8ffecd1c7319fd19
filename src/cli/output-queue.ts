/**
 * Writes to stdout and stderr in the order given, without blocking, and knows when everything has arrived. It writes
 * to the descriptors themselves: `process.stdout` loses what is queued when the process exits, and hides a full disk.
 */
import { isStdoutMissingAsync } from "../util/missing-stdout.ts";
import { systemCodeOf } from "../util/system-error.ts";

type Descriptor = 1 | 2;

interface Piece {
  readonly descriptor: Descriptor;
  text: string;
}

const LARGEST_WRITE_CHARS = 1024 * 1024;

export class OutputQueue {
  readonly #pieces: Piece[] = [];
  readonly #failures = new Map<Descriptor, string>();
  readonly #onFailure = new Map<Descriptor, () => void>();
  #answers: Bun.FileSink | undefined;
  #isStdoutMissing: Promise<boolean> | undefined;
  #running: Promise<void> | undefined;

  write(descriptor: Descriptor, text: string): void {
    if (text === "" || this.#failures.has(descriptor)) return;
    const last = this.#pieces.at(-1);
    if (last?.descriptor === descriptor && last.text.length < LARGEST_WRITE_CHARS) last.text += text;
    else this.#pieces.push({ descriptor, text });
    this.#running ??= this.#runAsync();
  }

  /**
   * Writes to stdout on this thread from now on, which is faster than `write`. It makes a pipe non-blocking for all
   * processes that share it, so use it only for a stdout that no other process writes to.
   */
  answer(text: string): void {
    this.#answers ??= Bun.file(1).writer();
    this.write(1, text);
  }

  /** Resolves when all that was written is with the reader, or can never be. */
  async drainAsync(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Tells once that nothing more can be written, at once where that is known already. */
  onFailure(descriptor: Descriptor, tell: () => void): void {
    if (this.#failures.has(descriptor)) tell();
    else this.#onFailure.set(descriptor, tell);
  }

  /** The code of the failure, such as EPIPE or ENOSPC. */
  failureOf(descriptor: Descriptor): string | undefined {
    return this.#failures.get(descriptor);
  }

  async #runAsync(): Promise<void> {
    // Lines of the same moment leave in one write.
    await new Promise((resolve) => setImmediate(resolve));
    for (let piece = this.#pieces.shift(); piece !== undefined; piece = this.#pieces.shift()) {
      const { descriptor, text } = piece;
      if (this.#failures.has(descriptor)) continue;
      const failure = await this.#writeAsync(descriptor, text);
      if (failure === undefined) continue;
      this.#failures.set(descriptor, failure);
      this.#onFailure.get(descriptor)?.();
    }
    this.#running = undefined;
  }

  /** The code of the failure, if any. */
  async #writeAsync(descriptor: Descriptor, text: string): Promise<string | undefined> {
    if (descriptor === 2) return failureOfAsync(writeAsync(descriptor, text));
    this.#isStdoutMissing ??= isStdoutMissingAsync();
    if (await this.#isStdoutMissing) return "EBADF";
    return failureOfAsync(
      this.#answers === undefined ? writeAsync(descriptor, text) : answerAsync(this.#answers, text),
    );
  }
}

/** As a Blob, because Bun writes short strings while everything else stands still. */
async function writeAsync(descriptor: Descriptor, text: string): Promise<void> {
  await Bun.write(Bun.file(descriptor), new Blob([text]));
}

/** What the reader does not take at once is written as it reads. */
async function answerAsync(sink: Bun.FileSink, text: string): Promise<void> {
  await sink.write(text);
  await sink.flush();
}

/**
 * The code of a failure, if any. UNVERIFIED: failed writes have the same codes on Windows and macOS. A write that fails ends the
 * output with its code in any case.
 */
async function failureOfAsync(writing: Promise<void>): Promise<string | undefined> {
  try {
    await writing;
    return undefined;
  } catch (error) {
    return systemCodeOf(error) ?? "EIO";
  }
}
