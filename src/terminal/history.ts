/** What was typed before, kept from one terminal to the next in a file that only its owner may read. */
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateFolder } from "../util/state-folder.ts";

const MAX_ENTRIES = 1_000;
/** A file that has grown this long is cut to what is still used. */
const MAX_LINES = 2 * MAX_ENTRIES;

/** One JSON string a line, oldest first, only ever appended to: two terminals at once lose nothing. */
export class History {
  /** Newest first; an entry may have several lines. */
  readonly entries: string[];
  readonly #path: string | undefined;

  private constructor(entries: string[], path: string | undefined) {
    this.entries = entries;
    this.#path = path;
  }

  /** If the folder cannot be written, the history lasts as long as the terminal. */
  static open(folder: string = stateFolder()): History {
    const path = join(folder, "terminal-history");
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      appendFileSync(path, "", { mode: 0o600 });
      chmodSync(path, 0o600);
      const lines = readFileSync(path, "utf8").split("\n");
      const entries = lines.flatMap(entryIn).slice(-MAX_ENTRIES);
      if (lines.length > MAX_LINES) writeFileSync(path, entries.map(lineOf).join(""), { mode: 0o600 });
      return new History(entries.reverse(), path);
    } catch {
      return new History([], undefined);
    }
  }

  add(text: string): void {
    if (text.trim() === "" || text === this.entries[0]) return;
    this.entries.unshift(text);
    this.entries.splice(MAX_ENTRIES);
    if (this.#path === undefined) return;
    try {
      appendFileSync(this.#path, lineOf(text), { mode: 0o600 });
    } catch {
      // The line stays in memory; only later terminals miss it.
    }
  }
}

function lineOf(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

/** Empty for a damaged line. */
function entryIn(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" ? [entry] : [];
  } catch {
    return [];
  }
}
