/** The search on Ctrl+R: finds earlier texts by any part of them, in whichever line it is. Pure. */
import { characters } from "./edited-text.ts";
import type { EditedText } from "./edited-text.ts";
import { chordOf, typedText } from "./key.ts";
import type { Key } from "./key.ts";

export interface Search {
  /** What was being typed, which Escape gives back. */
  readonly draft: EditedText;
  readonly query: string;
  /** The entry that is shown; -1 before the first is found. */
  readonly index: number;
  readonly isFound: boolean;
}

/** What is shown in the place of the prompt. */
export function searchPrompt({ query, isFound }: Search): string {
  return `(${isFound ? "search" : "no match for"} '${query}') `;
}

export function beginSearch({ text, cursor }: EditedText): Search {
  return { draft: { text, cursor }, query: "", index: -1, isFound: true };
}

/** What is shown in the place of the text. */
export function foundText({ draft, query, index }: Search, entries: readonly string[]): EditedText {
  const text = query === "" ? draft.text : (entries[index] ?? draft.text);
  const at = query === "" ? draft.cursor : text.lastIndexOf(query);
  return { text, cursor: at === -1 ? text.length : at };
}

/** `cancelled`: the draft is back. `left`: the text that was found stays, and the key means what it always means. */
export type SearchStep = Search | "cancelled" | "left";

/** `entries` are newest first. */
export function pressSearchKey(search: Search, key: Key, entries: readonly string[]): SearchStep {
  const { query, index } = search;
  const typed = typedText(key);
  if (typed !== undefined) return find({ ...search, query: query + typed }, Math.max(0, index), 1, entries);
  switch (chordOf(key)) {
    case "ctrl+r":
      return find(search, index + 1, 1, entries);
    case "ctrl+s":
      return find(search, index - 1, -1, entries);
    case "backspace":
      return find({ ...search, query: characters(query).slice(0, -1).join("") }, 0, 1, entries);
    case "escape":
    case "meta+escape":
    case "ctrl+c":
    case "ctrl+g":
      return "cancelled";
    default:
      return "left";
  }
}

/** The first entry from `from` on that has the query and is not the text that is shown already. */
function find(search: Search, from: number, step: 1 | -1, entries: readonly string[]): Search {
  const { query } = search;
  if (query === "") return { ...search, index: -1, isFound: true };
  const shown = entries[search.index];
  for (let index = from; index >= 0 && index < entries.length; index += step) {
    const entry = entries[index] ?? "";
    if (entry.includes(query) && (entry !== shown || index === search.index))
      return { ...search, index, isFound: true };
  }
  return { ...search, isFound: false };
}
