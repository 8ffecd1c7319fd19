/**
 * Every child process is given an environment by name. Without one, Bun gives it the environment that this process has
 * started with, and that may have the key for Open Cloud in it.
 */
import type { Sources } from "./sources.ts";

const SPAWN = /\bBun\.spawn(?:Sync)?\(/g;

/** `sources`: the TypeScript of src by path. */
export function environmentFaults(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(SPAWN)]
      .filter(
        ({ index }) => !/\benv\b/.test(text.slice(statementBefore(text, index), endOfCall(text, index))),
      )
      .map(() => `src/${file} starts a process without an environment: write env: process.env`),
  );
}

/** Options may be in a constant of the statement before. */
const statementBefore = (text: string, at: number): number =>
  Math.max(0, text.lastIndexOf(";", Math.max(0, text.lastIndexOf(";", at) - 1)));

/** Behind the bracket that closes the first one after `from`. */
function endOfCall(text: string, from: number): number {
  let depth = 0;
  for (let at = text.indexOf("(", from); at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")" && --depth === 0) return at;
  }
  return text.length;
}
