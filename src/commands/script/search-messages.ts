/** What goes to the thread of a search and back. Plain text travels fastest, so that lists are joined or written as JSON. */
import type { Found, Search } from "./search-lines.ts";

export interface ToSearch {
  readonly search: string;
  /** All texts behind one another. */
  readonly joined: string;
  /** How long each text is. */
  readonly lengths: string;
}

/** The answer as JSON. */
export type FromSearch = string;

export function writeSearch(texts: readonly string[], search: Search): ToSearch {
  return {
    search: JSON.stringify(search),
    joined: texts.join(""),
    lengths: JSON.stringify(texts.map(({ length }) => length)),
  };
}

export function readSearch({ search, joined, lengths }: ToSearch): readonly [string[], Search] {
  const list: readonly number[] = JSON.parse(lengths);
  let start = 0;
  const texts = list.map((length) => {
    start += length;
    return joined.slice(start - length, start);
  });
  return [texts, JSON.parse(search)];
}

export const writeFound = (found: Found): FromSearch => JSON.stringify(found);
export const readFound = (answer: FromSearch): Found => JSON.parse(answer);
