/** Keys for tests, written as people write them: `typed("abc")`, `key("ctrl+left")`. */
import type { Key } from "../../../../src/terminal/editor/key.ts";

export function key(chord: string): Key {
  if (chord === "ctrl+_") return { sequence: "\x1f" };
  const parts = chord.split("+");
  return { name: parts.at(-1), ctrl: parts.includes("ctrl"), meta: parts.includes("meta") };
}

export function typed(text: string): Key[] {
  return Array.from(text, (character) => ({ typed: character, name: character }));
}

/** A text with a bar at its cursor. */
export function withBar({ text, cursor }: { readonly text: string; readonly cursor: number }): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

/** The text and the cursor that `withBar` shows like this. */
export function barred(shown: string): { text: string; cursor: number } {
  const cursor = shown.indexOf("|");
  return { text: shown.replace("|", ""), cursor };
}
