/** Limits the output of a case, and the message of a failure, to the first 1 MB, so that no report becomes huge. */

const MAX_CHARS = 1_000_000;

export class OutputLimit {
  /** The number of characters that each case has printed, by its id. The key undefined is for output without a case. */
  readonly #printed = new Map<string | undefined, number>();

  /** The part of the text that is kept; undefined if nothing is kept. */
  keep(id: string | undefined, text: string): string | undefined {
    const before = this.#printed.get(id) ?? 0;
    this.#printed.set(id, before + text.length);
    const room = Math.max(0, MAX_CHARS - before);
    if (text.length <= room) return text;
    return room === 0 ? undefined : text.slice(0, room).toWellFormed();
  }

  /** A sentence about the output of a case that was left out; undefined if nothing was left out. Forgets the case. */
  remark(id: string | undefined): string | undefined {
    const more = (this.#printed.get(id) ?? 0) - MAX_CHARS;
    this.#printed.delete(id);
    return more > 0 ? `(${more} more characters of output are left out)` : undefined;
  }
}

/** The text; if it is longer than 1 MB, the first 1 MB and the number of further characters. */
export function limited(text: string): string {
  const more = text.length - MAX_CHARS;
  return more > 0 ? `${text.slice(0, MAX_CHARS).toWellFormed()}… (${more} more characters)` : text;
}
