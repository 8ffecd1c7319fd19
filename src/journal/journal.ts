/** The journal of a running bridge host: which calls came and how they ended, and lines of Studios that are followed. */
import type { Caller } from "../protocol/fields/callers.ts";
import type { LogEntry } from "../protocol/fields/log-lines.ts";
import type { RequestClass } from "../protocol/classes.ts";
import type { CallOutcome, JournaledSession, JournalEvent } from "./format.ts";
import { JournalFile } from "./journal-file.ts";
import { journalSettings } from "./settings.ts";
import type { JournalSettings } from "./settings.ts";

/** How many clients are remembered; a client that asks again later gets another number. */
const CLIENTS = 1_000;
/** More lines in a second are dropped and counted. */
const LINES_PER_SECOND = 10_000;
const BODY_CHARS = 16 * 1024;

export interface JournaledRequest {
  readonly requestId: string;
  readonly sessionId: string;
  readonly caller: Caller | undefined;
  readonly action: string;
  readonly class: RequestClass | "follow";
  readonly summary: string;
  /** The payload's text as it came. */
  readonly body: string;
}

export interface JournaledReply {
  readonly requestId: string;
  readonly ms: number;
  readonly outcome: CallOutcome;
  readonly code?: string | undefined;
}

export class Journal implements Disposable {
  readonly #calls: JournalFile;
  readonly #lines: JournalFile;
  readonly #clients = new Map<string, { readonly number: number; readonly caller: Caller }>();
  readonly #sessions = new Map<string, JournaledSession>();
  #settings: JournalSettings;
  #lastClient = 0;
  #second = 0;
  #linesInSecond = 0;
  #dropped = 0;

  constructor(hostId: string, version: string) {
    const header = { hostId, pid: process.pid, startedAt: Date.now(), version };
    this.#settings = journalSettings();
    this.#calls = new JournalFile("calls", header, () => [...this.#present(), ...this.#known()]);
    this.#lines = new JournalFile("lines", header, () => this.#present());
  }

  /** The user's settings may have changed. */
  reread(): void {
    this.#settings = journalSettings();
  }

  /** Lines are to be kept also of sessions that no client follows. */
  get wantsLines(): boolean {
    return this.#settings.lines;
  }

  session(event: "connected" | "disconnected", session: JournaledSession): void {
    if (event === "connected") this.#sessions.set(session.sessionId, session);
    else this.#sessions.delete(session.sessionId);
    const line = [Date.now(), "session", event, session] as const;
    if (this.#settings.calls) this.#calls.append(line);
    if (this.#settings.lines) this.#lines.append(line);
  }

  request(request: JournaledRequest): void {
    if (!this.#settings.calls) return;
    const { requestId, sessionId, caller, action, class: does, summary, body } = request;
    const hash = Bun.hash.xxHash32(body).toString(36);
    const client = this.#number(caller);
    const nowMs = Date.now();
    const size = body.length;
    this.#calls.append([nowMs, "request", requestId, sessionId, client, action, does, summary, hash, size]);
  }

  reply({ requestId, ms, outcome, code }: JournaledReply): void {
    if (!this.#settings.calls) return;
    const rounded = Math.round(ms * 10) / 10;
    if (code === undefined) this.#calls.append([Date.now(), "reply", requestId, rounded, outcome]);
    else this.#calls.append([Date.now(), "reply", requestId, rounded, outcome, code]);
  }

  /** Lines that a session has pushed, because a client follows it or the user wants them. */
  lines(sessionId: string, entries: readonly LogEntry[]): void {
    if (!this.#settings.calls && !this.#settings.lines) return;
    const nowMs = Date.now();
    this.#countSecond(nowMs, sessionId);
    const room = Math.max(0, LINES_PER_SECOND - this.#linesInSecond);
    this.#linesInSecond += entries.length;
    this.#dropped += Math.max(0, entries.length - room);
    if (room === 0) return;
    const kept = entries.slice(0, room).map(({ level, body, time = nowMs, context }) => {
      const line = [level, body.slice(0, BODY_CHARS), time] as const;
      return context === undefined ? line : ([...line, context] as const);
    });
    if (kept.length > 0) this.#lines.append([nowMs, "lines", sessionId, kept]);
  }

  [Symbol.dispose](): void {
    this.#calls.close();
    this.#lines.close();
  }

  #countSecond(nowMs: number, sessionId: string): void {
    const second = Math.floor(nowMs / 1_000);
    if (second === this.#second) return;
    if (this.#dropped > 0) this.#lines.append([nowMs, "dropped", sessionId, this.#dropped]);
    this.#second = second;
    this.#linesInSecond = 0;
    this.#dropped = 0;
  }

  #number(caller: Caller | undefined): number {
    if (caller === undefined) return 0;
    const known = this.#clients.get(caller.id);
    if (known?.caller.name === caller.name) return known.number;
    const number = known?.number ?? ++this.#lastClient;
    this.#clients.set(caller.id, { number, caller });
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > CLIENTS && oldest !== undefined) this.#clients.delete(oldest);
    this.#calls.append([Date.now(), "client", number, caller]);
    return number;
  }

  #present(): readonly JournalEvent[] {
    const nowMs = Date.now();
    return [...this.#sessions.values()].map((session) => [nowMs, "session", "connected", session]);
  }

  #known(): readonly JournalEvent[] {
    const nowMs = Date.now();
    return [...this.#clients.values()].map(({ number, caller }) => [nowMs, "client", number, caller]);
  }
}
