/** The journal as one HTML page: calls with their ends, and the kept lines between them, each in its lane. */
import { htmlPage } from "../pages/html-page.ts";
import program from "../pages/journal.page.js" with { type: "text" };
import style from "../pages/journal.css" with { type: "text" };
import { commandsAgain } from "./again.ts";
import type { JournaledSession } from "./format.ts";
import type { JournaledCall } from "./read.ts";
import type { LaneLine } from "./lane-lines.ts";
import { Redaction } from "./redact.ts";

/** Of the file; beyond it the oldest rows are left out and counted. */
const MOST_BYTES = 20 * 1024 * 1024;

export interface ExportedPage {
  readonly html: string;
  readonly calls: number;
  readonly lines: number;
  /** Rows that had no room. */
  readonly cut: number;
}

interface Row {
  readonly time: number;
  readonly isLine: boolean;
  readonly shown: object;
}

export function exportPage(
  calls: readonly JournaledCall[],
  lines: readonly LaneLine[],
  isRedacted: boolean,
): ExportedPage {
  const redaction = isRedacted ? new Redaction() : undefined;
  const rows: Row[] = [
    ...calls.map((call) => ({ time: call.at, isLine: false, shown: callRow(call, redaction) })),
    // Lines are the words of the place's own scripts, in which any name may stand.
    ...(isRedacted ? [] : lines).map((line) => ({ time: line.time, isLine: true, shown: lineRow(line) })),
  ].sort((one, other) => one.time - other.time);
  const kept = newest(rows);
  const cut = rows.length - kept.length;
  const html = htmlPage({
    title: "Studio Bridge journal",
    style,
    program,
    data: {
      title: "Studio Bridge journal",
      about: `${new Date().toISOString()}${cut === 0 ? "" : `; the oldest ${cut} rows had no room`}. Names of clients are what they say of themselves.`,
      lanes: [...new Set(kept.map(({ shown }) => String(Object(shown).lane)))].sort(),
      rows: kept.map(({ shown }) => shown),
    },
  });
  return {
    html,
    calls: kept.filter(({ isLine }) => !isLine).length,
    lines: kept.filter(({ isLine }) => isLine).length,
    cut,
  };
}

/** In HTML each character of JSON may take six bytes; what is left is room for the page itself. */
function newest(rows: readonly Row[]): Row[] {
  let bytes = 64 * 1024;
  let first = rows.length;
  while (first > 0) {
    const json = JSON.stringify(rows[first - 1]?.shown);
    bytes += Buffer.byteLength(json) + 5 * (json.match(/[<>&\u2028\u2029\p{Cc}\p{Cf}]/gu) ?? []).length + 1;
    if (bytes > MOST_BYTES) break;
    first -= 1;
  }
  return rows.slice(first);
}

function callRow(call: JournaledCall, redaction: Redaction | undefined): object {
  const { at, client, session, summary, ms, outcome, code, changes } = call;
  return {
    kind: "call",
    at: timeText(at),
    lane: laneOf(session, redaction),
    client,
    summary: redaction?.summary(summary) ?? summary,
    ...(ms === undefined ? {} : { ms }),
    outcome,
    ...(code === undefined ? {} : { code }),
    changes,
    commands: redaction === undefined ? commandsAgain(call) : [],
  };
}

const lineRow = ({ time, session, level, body, context }: LaneLine): object => ({
  kind: "line",
  at: timeText(time),
  lane: laneOf(
    session === undefined ? undefined : { ...session, context: context ?? session.context },
    undefined,
  ),
  level,
  body,
});

/** `Alpha edit`, `Alpha server`, `Alpha client 2`. */
function laneOf(session: JournaledSession | undefined, redaction: Redaction | undefined): string {
  if (session === undefined) return "unknown session";
  const { placeName, context, player } = session;
  const place = redaction?.name("Place", placeName) ?? placeName;
  return `${place} ${context}${player === undefined ? "" : ` ${player.index}`}`;
}

const timeText = (ms: number): string => new Date(ms).toISOString().replace("T", " ").slice(0, 23);
