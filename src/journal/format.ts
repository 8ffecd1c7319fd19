/**
 * What a journal consists of: files of lines, each line one JSON array that begins with the time and the kind of an event.
 * The first line of a file is an object that says whose file it is. A reader skips kinds that it does not know, and a last
 * line that is torn.
 */
import type { Caller } from "../protocol/fields/callers.ts";
import type { LogEntry } from "../protocol/fields/log-lines.ts";
import type { RequestClass } from "../protocol/classes.ts";
import type { SessionInfo } from "../protocol/network.ts";

export const JOURNAL_VERSION = 1;

export interface JournalHeader {
  readonly journal: number;
  readonly hostId: string;
  readonly pid: number;
  /** Milliseconds since the Unix epoch, as all times of a journal. */
  readonly startedAt: number;
  readonly version: string;
}

export type JournaledSession = Pick<
  SessionInfo,
  "sessionId" | "instanceId" | "context" | "player" | "placeName" | "placeId" | "placeFile"
>;

/**
 * How a request ended: well; what it asked for ran and failed; with an error, whose code stands beside it; its client had
 * gone before.
 */
export const callOutcomes = ["ok", "failed", "error", "left"] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** Clients have a number in each file, so that their names stand there once. */
export type ClientEvent = readonly [at: number, kind: "client", client: number, caller: Caller];
export type SessionEventLine = readonly [
  at: number,
  kind: "session",
  event: "connected" | "disconnected",
  session: JournaledSession,
];
export type RequestEvent = readonly [
  at: number,
  kind: "request",
  requestId: string,
  sessionId: string,
  client: number,
  action: string,
  does: RequestClass | "follow",
  summary: string,
  /** Names the payload without telling it, so that equal requests can be seen. */
  hash: string,
  bytes: number,
];
export type ReplyEvent = readonly [
  at: number,
  kind: "reply",
  requestId: string,
  ms: number,
  outcome: CallOutcome,
  code?: string,
];
export type JournaledLine = readonly [
  level: LogEntry["level"],
  body: string,
  time: number,
  context?: LogEntry["context"],
];
export type LinesEvent = readonly [
  at: number,
  kind: "lines",
  sessionId: string,
  lines: readonly JournaledLine[],
];
export type DroppedEvent = readonly [at: number, kind: "dropped", sessionId: string, count: number];

export type JournalEvent =
  ClientEvent | SessionEventLine | RequestEvent | ReplyEvent | LinesEvent | DroppedEvent;

/** What goes into a file of each kind, and how much and how long it is kept. */
export const journalFiles = {
  calls: { bytes: 16 * 1024 * 1024, keptMs: 7 * 24 * 3_600_000 },
  lines: { bytes: 64 * 1024 * 1024, keptMs: 24 * 3_600_000 },
} as const;
export type JournalFileKind = keyof typeof journalFiles;
