/** Guesses which command a word means that names none: words of other programs count, and slips of the keyboard. */
import { nearest } from "../../util/nearest.ts";

/** Words of other programs, each with the commands that it may mean. */
export const OTHER_WORDS: { readonly [word: string]: readonly string[] } = {
  add: ["new"],
  cat: ["script read"],
  compile: ["build"],
  cp: ["edit", "insert"],
  create: ["new"],
  delete: ["rm"],
  destroy: ["rm"],
  dir: ["query", "find"],
  eval: ["exec"],
  exit: ["close"],
  get: ["query"],
  grep: ["script grep"],
  install: ["install-plugin", "mcp install"],
  kill: ["close"],
  ls: ["query", "find"],
  move: ["mv"],
  open: ["launch", "headless"],
  ps: ["sessions"],
  pull: ["sync"],
  push: ["sync"],
  quit: ["close"],
  read: ["query", "script read"],
  remove: ["rm"],
  rename: ["set", "mv"],
  repl: ["terminal"],
  replace: ["script edit"],
  revert: ["undo", "checkpoint"],
  search: ["find", "script grep"],
  shell: ["terminal"],
  show: ["query"],
  status: ["state", "sync status"],
  stop: ["close", "play"],
  tree: ["query", "sourcemap"],
  uninstall: ["uninstall-plugin", "mcp uninstall"],
  update: ["doctor"],
  upgrade: ["doctor"],
  watch: ["sync", "test"],
};

/** The commands that a word may mean, of those that there are; none where nothing is near it. */
export function guessCommands(word: string, names: readonly string[]): readonly string[] {
  const others = Object.hasOwn(OTHER_WORDS, word) ? (OTHER_WORDS[word] ?? []) : [];
  const meant = others.filter((name) => names.includes(name));
  const guess = nearest(word, names);
  return meant.length > 0 || guess === undefined ? meant : [guess];
}
