/** Waits for a line of Studio's log. The plugin pushes the lines; the pattern is tried in a thread of its own. */
import type { SessionLink } from "../session/session-link.ts";
import { followAsync } from "../session/follow.ts";
import type { LogEntry } from "../protocol/fields/log-lines.ts";
import { isOfEarlierLog, logFilter } from "./log-filter.ts";
import type { LogCursor } from "./log-filter.ts";
import { searchTextsAsync } from "../scripts/search-texts.ts";

export interface LogOutcome {
  readonly met: boolean;
  readonly evidence: { readonly [name: string]: unknown };
}

/** A pattern, and where the lines begin that are tried; without that, only those that come after the call. */
export interface LogWish {
  readonly log: string;
  readonly since?: LogCursor | undefined;
}

/** Resolves when a line matches, or after `timeoutMs`. Throws the signal's reason. */
export async function waitForLogAsync(
  link: SessionLink,
  { log: pattern, since }: LogWish,
  timeoutMs: number,
): Promise<LogOutcome> {
  const found = new AbortController();
  const timeIsUp = AbortSignal.timeout(timeoutMs);
  const search = new LineSearch(pattern, AbortSignal.any([link.signal, timeIsUp]));
  void search.result.then(
    () => found.abort(),
    () => found.abort(),
  );
  const signal = AbortSignal.any([link.signal, timeIsUp, found.signal]);
  const { timeoutMs: _, ...untimed } = link;
  const earlier = new EarlierLines(search);
  await followAsync(
    { ...untimed, signal },
    "logPush",
    (push) => {
      if (push.event === "logPush") earlier.pass(push.payload.entries);
    },
    { onListening: () => void earlier.readAsync(link, since) },
  );
  link.signal.throwIfAborted();
  if (!found.signal.aborted) return { met: false, evidence: search.seen };
  const { level, body, time, seq } = await search.result;
  const marks = { ...(time === undefined ? {} : { time }), ...(seq === undefined ? {} : { seq }) };
  return { met: true, evidence: { level, body, ...marks } };
}

/** Puts the lines that came before the call in front of those that come after it. */
class EarlierLines {
  readonly #search: LineSearch;
  #waiting: LogEntry[] | undefined = [];

  constructor(search: LineSearch) {
    this.#search = search;
  }

  pass(entries: readonly LogEntry[]): void {
    if (this.#waiting === undefined) this.#search.add(entries);
    else this.#waiting.push(...entries);
  }

  /** The wait fails where they cannot be read. */
  async readAsync({ callAsync }: SessionLink, since: LogCursor | undefined): Promise<void> {
    try {
      const earlier = since === undefined ? [] : await linesSinceAsync(callAsync, since);
      const known = new Set(earlier.map(({ seq }) => seq));
      const later = this.#waiting ?? [];
      this.#waiting = undefined;
      this.#search.add([...earlier, ...later.filter(({ seq }) => seq === undefined || !known.has(seq))]);
    } catch (error) {
      this.#search.fail(error);
    }
  }
}

async function linesSinceAsync(
  callAsync: SessionLink["callAsync"],
  since: LogCursor,
): Promise<readonly LogEntry[]> {
  const all = await callAsync("queryLogs", { count: ALL_LINES, direction: "tail", includeInternal: false });
  const from = isOfEarlierLog(since, all) ? undefined : since;
  return all.entries.filter(logFilter({ includeInternal: false, since: from }));
}

const ALL_LINES = 1_000_000;

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

  fail(error: unknown): void {
    this.#found.reject(error);
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
