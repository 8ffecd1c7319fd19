/** Runs a search: plain text at once, a regular expression in a thread that is ended when it takes too long. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import { startOwnWorker } from "../util/own-worker.ts";
import { replaceLines } from "./replace-lines.ts";
import type { ReplaceSearch, Replaced } from "./replace-lines.ts";
import { regexOf, searchLines } from "./search-lines.ts";
import type { Found, Search } from "./search-lines.ts";
import { readFound, readReplaced, writeSearch } from "./search-messages.ts";
import type { FromSearch, SearchTask } from "./search-messages.ts";

const REGEX_TIMEOUT_MS = 2_000;

/** Throws INVALID_INPUT for what is no regular expression. */
export function checkPattern(search: Pick<Search, "pattern" | "ignoreCase" | "isRegex">): void {
  if (!search.isRegex) return;
  try {
    regexOf(search);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const reason = error.message.replace(/^Invalid regular expression: /, "");
    throw invalidInput(
      `Not a regular expression: ${search.pattern}: ${reason}`,
      "Without the regex switch the pattern is plain text.",
    );
  }
}

/** Throws TIMEOUT for a pattern that takes too long, and the signal's reason. */
export async function searchTextsAsync(
  texts: readonly string[],
  search: Search,
  signal: AbortSignal,
): Promise<Found> {
  if (!search.isRegex) return searchLines(texts, search);
  return readFound(await inThreadAsync(texts, { find: search }, signal));
}

/** What a pattern replaces in each of the texts. Throws like `searchTextsAsync`. */
export async function replaceTextsAsync(
  texts: readonly string[],
  search: ReplaceSearch,
  signal: AbortSignal,
): Promise<Replaced> {
  if (!search.isRegex) return replaceLines(texts, search);
  return readReplaced(await inThreadAsync(texts, { replace: search }, signal));
}

async function inThreadAsync(
  texts: readonly string[],
  task: SearchTask,
  signal: AbortSignal,
): Promise<FromSearch> {
  signal.throwIfAborted();
  const worker = startOwnWorker("scripts/search-worker.ts");
  const { promise, resolve, reject } = Promise.withResolvers<FromSearch>();
  const abort = () => reject(signal.reason);
  const timer = setTimeout(() => reject(tooSlow()), REGEX_TIMEOUT_MS);
  signal.addEventListener("abort", abort);
  worker.onmessage = ({ data }: { data: FromSearch }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(`The search failed: ${message}`));
  worker.postMessage(writeSearch(texts, task));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    worker.terminate();
  }
}

function tooSlow(): StudioBridgeError {
  return new StudioBridgeError("TIMEOUT", "The regular expression took longer than 2 seconds.", {
    hint: "Write it without repetitions inside of repetitions, such as (a+)+, or search below a root.",
  });
}
