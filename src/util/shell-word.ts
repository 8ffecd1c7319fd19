/** Writes one word of a command, so that a person can copy the command into a shell. */
import { visibleOnOneLine } from "./visible-controls.ts";

export function shellWord(word: string): string {
  const shown = visibleOnOneLine(word);
  return /^[\w./:,@-][\w./:,@=#-]*$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}
