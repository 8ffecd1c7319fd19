/** Waits for a line of Studio's log. The plugin pushes the lines; the pattern is tried in a thread of its own. */
import type { SessionCommandContext } from "../../command/context.ts";
import { followAsync } from "../../command/follow.ts";
import type { LogEntry } from "../../protocol/actions.ts";
import { searchTextsAsync } from "../script/search-texts.ts";

export interface LogOutcome {
  readonly met: boolean;
  readonly evidence: { readonly [name: string]: unknown };
}

/** Resolves when a line matches that came after the call, or after `timeoutMs`. Throws the signal's reason. */
export async function waitForLogAsync(
  context: SessionCommandContext,
  pattern: string,
  timeoutMs: number,
): Promise<LogOutcome> {
  const found = new AbortController();
  const timeIsUp = AbortSignal.timeout(timeoutMs);
  const search = new LineSearch(pattern, AbortSignal.any([context.signal, timeIsUp]));
  void search.result.then(
    () => found.abort(),
    () => found.abort(),
  );
  const signal = AbortSignal.any([context.signal, timeIsUp, found.signal]);
  const { timeoutMs: _, ...untimed } = context;
  await followAsync({ ...untimed, signal }, "logPush", (push) => {
    if (push.event === "logPush") search.add(push.payload.entries);
  });
  context.signal.throwIfAborted();
  if (!found.signal.aborted) return { met: false, evidence: search.seen };
  const { level, body, time } = await search.result;
  return { met: true, evidence: { level, body, ...(time === undefined ? {} : { time }) } };
}

/** Tries lines in the order in which they come, as many at once as there are. */
class LineSearch {
  readonly #pattern: string;
  readonly #signal: AbortSignal;
  readonly #found = Promise.withResolvers<LogEntry>();
  #untried: LogEntry[] = [];
  #isTrying = false;
  #count = 0;
  #last: LogEntry | undefined;

  constructor(pattern: string, signal: AbortSignal) {
    this.#pattern = pattern;
    this.#signal = signal;
    // It may fail before anything waits for it.
    this.#found.promise.catch(() => {});
  }

  /** The first line that matches. Rejects with TIMEOUT for a pattern that takes too long. */
  get result(): Promise<LogEntry> {
    return this.#found.promise;
  }

  /** What has come so far, where nothing of it matched. */
  get seen(): { readonly [name: string]: unknown } {
    return { lines: this.#count, ...(this.#last === undefined ? {} : { last: this.#last.body }) };
  }

  add(entries: readonly LogEntry[]): void {
    this.#count += entries.length;
    this.#last = entries.at(-1) ?? this.#last;
    this.#untried.push(...entries);
    void this.#tryAsync();
  }

  async #tryAsync(): Promise<void> {
    if (this.#isTrying) return;
    this.#isTrying = true;
    try {
      while (this.#untried.length > 0) {
        const entries = this.#untried;
        this.#untried = [];
        const entry = await this.#firstMatchAsync(entries);
        if (entry !== undefined) this.#found.resolve(entry);
      }
    } catch (error) {
      this.#found.reject(error);
    } finally {
      this.#isTrying = false;
    }
  }

  async #firstMatchAsync(entries: readonly LogEntry[]): Promise<LogEntry | undefined> {
    const search = {
      pattern: this.#pattern,
      isRegex: true,
      ignoreCase: false,
      contextLines: 0,
      limit: 1,
    };
    const { hits } = await searchTextsAsync(
      entries.map(({ body }) => body),
      search,
      this.#signal,
    );
    const [first] = hits;
    return first === undefined ? undefined : entries[first.text];
  }
}
