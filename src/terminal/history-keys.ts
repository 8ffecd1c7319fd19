/** The keys that lead through what was typed before: arrows, and the search on Ctrl+R. It changes no history. */
import type { Editor, Key } from "./editor.ts";
import type { History } from "./history.ts";

type EditedText = Pick<Editor, "text" | "cursor" | "show" | "setPrompt">;

interface Search {
  readonly draft: { readonly text: string; readonly cursor: number };
  query: string;
  /** Which entry is shown; -1 before the first is found. */
  index: number;
}

interface Walk {
  readonly draft: string;
  /** What stood before the cursor at the first step; only entries that begin with it are offered. */
  readonly start: string;
  index: number;
}

export class HistoryKeys {
  readonly #editor: EditedText;
  readonly #entries: readonly string[];
  #search: Search | undefined;
  #walk: Walk | undefined;

  constructor(editor: EditedText, { entries }: Pick<History, "entries">) {
    this.#editor = editor;
    this.#entries = entries;
  }

  /** True where the key has been used. */
  press(typed: string | undefined, key: Key): boolean {
    const direction = searchDirection(key);
    if (this.#search !== undefined) return this.#pressInSearch(this.#search, typed, key, direction);
    if (direction !== undefined) return this.#beginSearch();
    const step = stepOf(key);
    if (step === undefined) {
      this.#walk = undefined;
      return false;
    }
    if (this.#moveBetweenLines(step, key)) return true;
    this.#step(step);
    return true;
  }

  /** To the line above or below in a text of several lines; columns are counted in characters. */
  #moveBetweenLines(step: 1 | -1, { ctrl }: Key): boolean {
    const { text, cursor } = this.#editor;
    if (ctrl === true || !text.includes("\n")) return false;
    const lines = text.split("\n");
    const before = text.slice(0, cursor).split("\n");
    const row = before.length - 1;
    const target = lines[row - step];
    if (target === undefined) return false;
    const column = Math.min(before[row]?.length ?? 0, target.length);
    const start = lines.slice(0, row - step).reduce((sum, line) => sum + line.length + 1, 0);
    this.#editor.show(text, start + column);
    return true;
  }

  /** 1 leads to older entries, -1 back to newer ones and at last to what was being typed. */
  #step(step: 1 | -1): void {
    const { text, cursor } = this.#editor;
    this.#walk ??= { draft: text, start: text.slice(0, cursor), index: -1 };
    const walk = this.#walk;
    let index = walk.index + step;
    while (this.#entries[index]?.startsWith(walk.start) === false || this.#entries[index] === text)
      index += step;
    if (index >= this.#entries.length || index < -1) return;
    walk.index = index;
    this.#editor.show(this.#entries[index] ?? walk.draft);
  }

  #beginSearch(): true {
    const { text, cursor } = this.#editor;
    this.#walk = undefined;
    this.#search = { draft: { text, cursor }, query: "", index: -1 };
    this.#showSearch(this.#search);
    return true;
  }

  #pressInSearch(
    search: Search,
    typed: string | undefined,
    key: Key,
    direction: 1 | -1 | undefined,
  ): boolean {
    if (direction !== undefined) this.#find(search, search.index + direction, direction);
    else if (key.name === "backspace") {
      search.query = search.query.slice(0, -1);
      this.#find(search, 0, 1);
    } else if (key.name === "escape" || (key.ctrl === true && (key.name === "c" || key.name === "g"))) {
      this.#endSearch();
      this.#editor.show(search.draft.text, search.draft.cursor);
    } else if (typed !== undefined && isPrintable(typed) && key.ctrl !== true && key.meta !== true) {
      search.query += typed;
      this.#find(search, Math.max(0, search.index), 1);
    } else {
      this.#endSearch();
      this.#editor.show(this.#editor.text, this.#editor.cursor);
      return false;
    }
    return true;
  }

  #find(search: Search, from: number, direction: 1 | -1): void {
    if (search.query === "") {
      search.index = -1;
      return this.#showSearch(search);
    }
    const shown = this.#editor.text;
    let index = from;
    while (index >= 0 && index < this.#entries.length) {
      const entry = this.#entries[index] ?? "";
      const isRepeated = entry === shown && index !== search.index;
      if (entry.includes(search.query) && !isRepeated) {
        search.index = index;
        return this.#showSearch(search);
      }
      index += direction;
    }
    this.#showSearch(search, "no match for");
  }

  #showSearch({ query, index, draft }: Search, word = "search"): void {
    const entry = index === -1 || query === "" ? draft.text : (this.#entries[index] ?? "");
    const at = query === "" ? draft.cursor : entry.lastIndexOf(query);
    this.#editor.setPrompt(`(${word} '${query}') `);
    this.#editor.show(entry, at === -1 ? entry.length : at);
  }

  #endSearch(): void {
    this.#search = undefined;
    this.#editor.setPrompt();
  }
}

function searchDirection({ name, ctrl, meta, shift }: Key): 1 | -1 | undefined {
  if (ctrl !== true || meta === true || shift === true) return undefined;
  if (name === "r") return 1;
  return name === "s" ? -1 : undefined;
}

function stepOf({ name, ctrl, meta, shift }: Key): 1 | -1 | undefined {
  if (meta === true || shift === true) return undefined;
  const isArrow = ctrl !== true;
  if (name === (isArrow ? "up" : "p")) return 1;
  return name === (isArrow ? "down" : "n") ? -1 : undefined;
}

function isPrintable(typed: string): boolean {
  return !/[\u0000-\u001f\u007f]/.test(typed);
}
