/** The keys of a watch and their meanings. */

export type WatchKey =
  | "again"
  | "all"
  | "failed"
  | "paths"
  | "name"
  | "snapshots"
  | "coverage"
  | "output"
  | "slowest"
  | "quit"
  | "help";

interface KeyHelp {
  readonly key: string;
  readonly means: WatchKey;
  readonly text: string;
}

const KEYS: readonly KeyHelp[] = [
  { key: "enter", means: "again", text: "run the same tests again" },
  { key: "r", means: "again", text: "" },
  { key: "a", means: "all", text: "run all tests, whatever was chosen before" },
  { key: "f", means: "failed", text: "run the cases that failed the last time" },
  { key: "p", means: "paths", text: "choose files by a part of their paths" },
  { key: "t", means: "name", text: "choose cases by a regular expression" },
  { key: "u", means: "snapshots", text: "run again and update snapshots" },
  { key: "c", means: "coverage", text: "count lines, or stop counting them" },
  { key: "o", means: "output", text: "show all output of failed cases, or less" },
  { key: "s", means: "slowest", text: "name the 10 slowest cases, or 3" },
  { key: "q", means: "quit", text: "end" },
  { key: "h", means: "help", text: "show these keys" },
];

/** Undefined for a key without a meaning. Such a key still interrupts a run. */
export const meaningOf = (key: string): WatchKey | undefined =>
  KEYS.find((known) => known.key === key)?.means;

export function keysHelp(): string {
  const lines = KEYS.filter(({ text }) => text !== "").map(
    ({ key, text }) => `  ${(key === "enter" ? "Enter" : key).padEnd(6)} ${text}`,
  );
  return [...lines, "  Any key interrupts a run."].join("\n");
}
