/**
 * What goes to the thread of a search and back. Plain text travels fastest, so that lists are joined or written as JSON.
 */
import type { ReplaceSearch, Replaced } from "./replace-lines.ts";
import type { Found, Search } from "./search-lines.ts";

/** What the thread is asked for. */
export type SearchTask = { readonly find: Search } | { readonly replace: ReplaceSearch };

export interface ToSearch {
  readonly task: string;
  /** All texts behind one another. */
  readonly joined: string;
  /** How long each text is. */
  readonly lengths: string;
}

/** The answer as JSON. */
export type FromSearch = string;

export function writeSearch(texts: readonly string[], task: SearchTask): ToSearch {
  return {
    task: JSON.stringify(task),
    joined: texts.join(""),
    lengths: JSON.stringify(texts.map(({ length }) => length)),
  };
}

export function readSearch({ task, joined, lengths }: ToSearch): readonly [string[], SearchTask] {
  const list: readonly number[] = JSON.parse(lengths);
  let start = 0;
  const texts = list.map((length) => {
    start += length;
    return joined.slice(start - length, start);
  });
  return [texts, JSON.parse(task)];
}

export const writeAnswer = (answer: Found | Replaced): FromSearch => JSON.stringify(answer);
export const readFound = (answer: FromSearch): Found => JSON.parse(answer);
export const readReplaced = (answer: FromSearch): Replaced => JSON.parse(answer);
