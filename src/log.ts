/**
 * The one logger. Everything goes to stderr, because stdout belongs to results; consola is loaded with the first line
 * that is really printed. Never log a key or a script.
 */
import type { ConsolaInstance } from "consola/basic";

type LogLevelName = "error" | "warn" | "info" | "debug";

const ranks: Record<LogLevelName, number> = { error: 0, warn: 1, info: 3, debug: 4 };
let level: LogLevelName = "info";
let consola: Promise<ConsolaInstance> | undefined;
let written: Promise<void> = Promise.resolve();

export const log = {
  error: (message: string) => write("error", message),
  warn: (message: string) => write("warn", message),
  info: (message: string) => write("info", message),
  debug: (message: string) => write("debug", message),
};

/** Lines below this level are dropped before anything is loaded. */
export function setLogLevel(name: LogLevelName): void {
  level = name;
}

/** Resolves when every line logged so far is on stderr; await it before the process ends. */
export function flushLogAsync(): Promise<void> {
  return written;
}

function write(name: LogLevelName, message: string): void {
  if (ranks[name] > ranks[level]) return;
  consola ??= createAsync();
  const ready = consola;
  written = written.then(async () => (await ready)[name](message));
}

async function createAsync(): Promise<ConsolaInstance> {
  const { createConsola } = await import("consola/basic");
  // consola folds repeated lines together; a log that hides how often something happened misleads.
  return createConsola({
    stdout: process.stderr,
    stderr: process.stderr,
    level: ranks.debug,
    throttle: 0,
  });
}
