/** Answers that were too long to send whole, kept for a while so that the rest can be read piece by piece. */
import type { TextResourceContents } from "../wire/mcp-types.ts";

const PART_CHARACTERS = 128 * 1024;
const RESULTS_LIMIT = 8;
const CHARACTERS_LIMIT = 128 * 1024 * 1024;

export const RESULT_TEMPLATE = "studio://results/{resultId}/{part}";

interface Kept {
  /** What `studio_result` takes, such as `r7`. */
  readonly id: string;
  readonly uri: string;
  readonly parts: number;
}

export class KeptResults {
  readonly #texts = new Map<number, string>();
  #lastId = 0;

  /** Keeps a text and gives the address of its first part. The oldest texts make room. */
  keep(text: string): Kept {
    this.#lastId += 1;
    this.#texts.set(this.#lastId, text);
    this.#makeRoom();
    return {
      id: `r${this.#lastId}`,
      uri: uriOf(this.#lastId, 1),
      parts: Math.ceil(text.length / PART_CHARACTERS),
    };
  }

  /** The whole text; undefined where later ones have replaced it, or there never was one. */
  text(id: string): string | undefined {
    return this.#texts.get(Number(/^r(\d+)$/.exec(id)?.[1]));
  }

  read(uri: string): TextResourceContents | undefined {
    const match = /^studio:\/\/results\/(\d+)\/(\d+)$/.exec(uri);
    const text = this.#texts.get(Number(match?.[1]));
    const part = Number(match?.[2]);
    if (text === undefined || part < 1 || part > Math.ceil(text.length / PART_CHARACTERS)) return undefined;
    return {
      uri,
      mimeType: "text/plain",
      text: text.slice((part - 1) * PART_CHARACTERS, part * PART_CHARACTERS),
    };
  }

  #makeRoom(): void {
    let characters = [...this.#texts.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [id, text] of this.#texts) {
      if (this.#texts.size === 1) return;
      if (this.#texts.size <= RESULTS_LIMIT && characters <= CHARACTERS_LIMIT) return;
      this.#texts.delete(id);
      characters -= text.length;
    }
  }
}

function uriOf(resultId: number, part: number): string {
  return `studio://results/${resultId}/${part}`;
}
