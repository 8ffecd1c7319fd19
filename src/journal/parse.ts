/** Text of a journal's file to events. What cannot be read is skipped: a torn last line, and what a newer sb writes. */
import { JOURNAL_VERSION } from "./format.ts";
import type { JournalEvent, JournalHeader } from "./format.ts";

/** The kinds of events, each with what its fields must be: a type, or `?` behind it where the field may be absent. */
const SHAPES: { readonly [Kind in JournalEvent[1]]: readonly string[] } = {
  client: ["number", "object"],
  session: ["string", "object"],
  request: ["string", "string", "number", "string", "string", "string", "string", "number"],
  reply: ["string", "number", "string", "string?"],
  lines: ["string", "object"],
  dropped: ["string", "number"],
};
const shapes: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(SHAPES));

export function headerIn(text: string): JournalHeader | undefined {
  const line = parsed(text.slice(0, Math.max(0, text.indexOf("\n"))));
  const { journal, hostId, pid, startedAt, version }: { readonly [key: string]: unknown } = {
    ...Object(line),
  };
  if (journal !== JOURNAL_VERSION || typeof hostId !== "string" || typeof version !== "string")
    return undefined;
  if (typeof pid !== "number" || typeof startedAt !== "number") return undefined;
  return { journal, hostId, pid, startedAt, version };
}

export function eventsIn(text: string): JournalEvent[] {
  return text.split("\n").flatMap((line) => {
    const event = parsed(line);
    return isEvent(event) ? [event] : [];
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is JournalEvent {
  if (!Array.isArray(value)) return false;
  const [at, kind, ...fields]: unknown[] = value;
  if (typeof at !== "number" || typeof kind !== "string") return false;
  const shape = shapes.get(kind);
  if (shape === undefined) return false;
  return shape.every((type, index) => {
    const field = fields[index];
    if (type.endsWith("?") && (field === undefined || field === null)) return true;
    return typeof field === type.replace("?", "") && field !== null;
  });
}
