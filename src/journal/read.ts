/** Reads the journal of all hosts of this user: calls with their ends, decisions aside, and kept lines. */
import { existsSync, readFileSync } from "node:fs";
import { isProcessAlive } from "../util/process-alive.ts";
import type {
  CallOutcome,
  JournaledLine,
  JournaledSession,
  JournalEvent,
  JournalFileKind,
} from "./format.ts";
import { eventsIn, headerIn } from "./parse.ts";
import { keptFiles } from "./retention.ts";
import { journalFolder } from "./settings.ts";

/** `running` has no end yet; `unknown` never gets one, because its host was killed. */
export type ShownOutcome = CallOutcome | "running" | "unknown";

export interface JournaledCall {
  readonly at: number;
  readonly requestId: string;
  readonly client: string;
  readonly clientId: string | undefined;
  readonly sessionId: string;
  readonly session: JournaledSession | undefined;
  readonly action: string;
  readonly summary: string;
  readonly hash: string;
  readonly changes: boolean;
  /** Absent while it runs, and where it is unknown. */
  readonly ms?: number;
  readonly outcome: ShownOutcome;
  readonly code?: string;
}

export interface KeptLines {
  readonly sessionId: string;
  readonly lines: readonly JournaledLine[];
}

export interface SessionNews {
  readonly at: number;
  readonly event: "connected" | "disconnected";
  readonly session: JournaledSession;
}

export interface JournalContents {
  /** In the order of their beginning. */
  readonly calls: readonly JournaledCall[];
  readonly sessions: readonly SessionNews[];
}

interface ReadFile {
  readonly hostId: string;
  readonly events: readonly JournalEvent[];
  /** The process of the host still runs. */
  readonly isOpen: boolean;
}

function readFiles(kind: JournalFileKind): ReadFile[] {
  const folder = journalFolder();
  if (!existsSync(folder)) return [];
  return keptFiles(folder, kind).flatMap(({ path }) => {
    const text = readOrNothing(path);
    const header = headerIn(text);
    if (header === undefined) return [];
    return [{ hostId: header.hostId, events: eventsIn(text), isOpen: isProcessAlive(header.pid) }];
  });
}

/** A file may be dropped between its listing and its reading. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

export function readCalls(): JournalContents {
  const calls: JournaledCall[] = [];
  const news: SessionNews[] = [];
  const sessions = new Map<string, JournaledSession>();
  // A request may begin in one part of a file and end in the next.
  const open = new Map<string, { readonly index: number; readonly hostId: string }>();
  for (const { hostId, events, isOpen } of readFiles("calls")) {
    const clients = new Map<number, { readonly id: string; readonly name: string }>();
    for (const event of events) {
      const [at, kind] = event;
      if (kind === "client") clients.set(event[2], event[3]);
      else if (kind === "session") {
        sessions.set(event[3].sessionId, event[3]);
        news.push({ at, event: event[2], session: event[3] });
      } else if (kind === "request") {
        const [, , requestId, sessionId, number, action, does, summary, hash] = event;
        const client = clients.get(number);
        const outcome = isOpen ? "running" : "unknown";
        const earlier = open.get(requestId);
        const begun = earlier === undefined ? undefined : calls[earlier.index];
        if (
          earlier !== undefined &&
          begun !== undefined &&
          isResumed(begun, earlier.hostId, client, hostId)
        ) {
          open.set(requestId, { ...earlier, hostId });
          calls[earlier.index] = { ...begun, outcome };
          continue;
        }
        open.set(requestId, { index: calls.length, hostId });
        calls.push({
          ...{ at, requestId, sessionId, session: sessions.get(sessionId), action, summary, hash },
          client: client?.name ?? "unknown",
          clientId: client?.id,
          changes: does !== "look" && does !== "follow",
          outcome,
        });
      } else if (kind === "reply") {
        const [, , requestId, ms, outcome, code] = event;
        const index = open.get(requestId)?.index;
        const begun = index === undefined ? undefined : calls[index];
        if (index === undefined || begun === undefined) continue;
        calls[index] = { ...begun, ms, outcome, ...(typeof code === "string" ? { code } : {}) };
        open.delete(requestId);
      }
    }
  }
  return { calls: calls.sort((one, other) => one.at - other.at), sessions: news };
}

/** Its host is gone, and its client has asked the next one what became of it. */
const isResumed = (
  { clientId }: JournaledCall,
  hostBefore: string,
  client: { readonly id: string } | undefined,
  hostId: string,
): boolean => hostBefore !== hostId && clientId !== undefined && clientId === client?.id;

/** Lines of sessions, and which of them have ended. */
export function readLines(): {
  readonly lines: readonly KeptLines[];
  readonly sessions: ReadonlyMap<string, JournaledSession>;
  readonly connected: ReadonlySet<string>;
} {
  const lines: KeptLines[] = [];
  const sessions = new Map<string, JournaledSession>();
  const connected = new Set<string>();
  const learn = (event: JournalEvent, isOpen: boolean): void => {
    if (event[1] !== "session") return;
    const [, , what, session] = event;
    sessions.set(session.sessionId, session);
    if (what === "connected" && isOpen) connected.add(session.sessionId);
    else connected.delete(session.sessionId);
  };
  for (const { events, isOpen } of readFiles("calls")) for (const event of events) learn(event, isOpen);
  for (const { events } of readFiles("lines"))
    for (const event of events)
      if (event[1] === "lines") lines.push({ sessionId: event[2], lines: event[3] });
  return { lines, sessions, connected };
}
