/** Cuts standard input into pieces of text for scripts that ask for it. Nothing is read before the first one asks. */
import type { InputPiece } from "../../bridge/index.ts";
import { limits } from "../../protocol/limits.ts";
import type { CommandContext } from "../context.ts";

/** Gives the next piece at each call; the scripts of one command share what it gives. */
export function stdinPieces({ openStdin }: Pick<CommandContext, "openStdin">): () => Promise<InputPiece> {
  if (openStdin === undefined) return async () => ({ fault: "This script has no standard input." });
  let pieces: StdinPieces | undefined;
  return async () => {
    pieces ??= StdinPieces.of(openStdin());
    return pieces?.nextAsync() ?? { fault: "Standard input was the script itself." };
  };
}

class StdinPieces {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  /** Text that was read and is too long for one piece. */
  #rest = "";
  #isOver = false;

  private constructor(chunks: AsyncIterator<Uint8Array>) {
    this.#chunks = chunks;
  }

  static of(stream: ReadableStream<Uint8Array> | undefined): StdinPieces | undefined {
    return stream === undefined ? undefined : new StdinPieces(stream[Symbol.asyncIterator]());
  }

  async nextAsync(): Promise<InputPiece> {
    try {
      if (this.#rest === "" && !this.#isOver) await this.#readAsync();
    } catch {
      this.#isOver = true;
      return { fault: "Standard input could not be read as UTF-8 text." };
    }
    const length = lengthOfPiece(this.#rest);
    const text = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    return { text, isLast: this.#isOver && this.#rest === "" };
  }

  async #readAsync(): Promise<void> {
    const { done = false, value } = await this.#chunks.next();
    this.#isOver = done;
    this.#rest = this.#decoder.decode(value, { stream: !done });
  }
}

/** A piece never ends between the two halves of a character. */
function lengthOfPiece(text: string): number {
  const length = Math.min(text.length, limits.chunkChars);
  return length < text.length && /[\ud800-\udbff]/.test(text[length - 1] ?? "") ? length - 1 : length;
}
