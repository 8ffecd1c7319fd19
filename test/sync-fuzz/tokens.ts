/** Words that random edits leave in texts, values and names, so that it can be seen what became of each edit. */

import { readFileSync } from "node:fs";
import { MODEL_FILE, readModelFile } from "../../src/roblox/model-file.ts";

const TOKEN = /tok\d+z/gi;

/** In lower case, because names are also changed in case only. */
export const tokensIn = (text: string): readonly string[] =>
  (text.match(TOKEN) ?? []).map((token) => token.toLowerCase());

/** None of a file that goes away meanwhile, or that is no model although its name says so. */
export function tokensInFile(path: string): readonly string[] {
  try {
    return tokensIn(MODEL_FILE.test(path) ? modelTexts(path) : readFileSync(path, "utf8"));
  } catch {
    return [];
  }
}

/** Model files pack their texts. */
function modelTexts(path: string): string {
  const { model } = readModelFile(readFileSync(path));
  const columns = model.classes.flatMap((each) => [...each.columns.values()]);
  return columns.flatMap(({ values }) => values.map(({ value }) => textOf(value))).join("\n");
}

function textOf(value: unknown): string {
  if (value instanceof Map) return [...value.values()].map((each) => textOf(each.value)).join("\n");
  return Array.isArray(value) ? value.join("\n") : String(value);
}

export class Tokens {
  #count = 0;
  readonly #written = new Set<string>();
  readonly #replaced = new Set<string>();

  next(): string {
    this.#count += 1;
    return `tok${this.#count}z`;
  }

  /**
   * A person has changed one side from `before` to `after`. What they have taken away need not be anywhere, also if it comes
   * back later; what they have added must stay.
   */
  changed(before: ReadonlySet<string>, after: ReadonlySet<string>): void {
    for (const token of before.difference(after)) this.#replaced.add(token);
    for (const token of after.difference(before)) this.#written.add(token);
  }

  /** The words that no person has taken away and that are nowhere. */
  lostFrom(...places: readonly ReadonlySet<string>[]): readonly string[] {
    const isSomewhere = (token: string) => places.some((place) => place.has(token));
    return [...this.#written].filter((token) => !this.#replaced.has(token) && !isSomewhere(token));
  }
}
