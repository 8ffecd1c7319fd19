/** Calls of the journal as people read them: a row for each, equal ones behind each other as one. */
import type { ShownCall } from "./choose-calls.ts";
import type { Style } from "../util/style.ts";
import { textTable } from "../util/text-table.ts";
import type { Column } from "../util/text-table.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

interface Row {
  readonly call: ShownCall;
  readonly count: number;
}

export function callList(calls: readonly ShownCall[], style: Style): string {
  if (calls.length === 0) return "No such calls.";
  const rows = grouped(calls);
  const [head = "", ...lines] = textTable(columns, rows, style.columns);
  const coloured = lines.map((line, index) => (isFine(rows[index]?.call) ? line : style.red(line)));
  return [style.dim(head), ...coloured].join("\n");
}

/** One line of `--follow`. */
export function callLine(call: ShownCall, style: Style): string {
  const { client, summary } = call;
  const line = [timeText(call), client, summary, durationOf(call), endText(call)]
    .map(visibleOnOneLine)
    .filter((part) => part !== "")
    .join("  ");
  return isFine(call) ? line : style.red(line);
}

const columns: readonly Column<Row>[] = [
  { title: "TIME", value: ({ call }) => timeText(call) },
  { title: "CLIENT", value: ({ call }) => visibleOnOneLine(call.client), minWidth: 6, dropRank: 1 },
  {
    title: "CALL",
    value: ({ call, count }) => `${visibleOnOneLine(call.summary)}${count > 1 ? ` (${count} times)` : ""}`,
    minWidth: 20,
  },
  { title: "TOOK", value: ({ call }) => durationOf(call), dropRank: 2 },
  { title: "ENDED", value: ({ call }) => endText(call) },
];

function grouped(calls: readonly ShownCall[]): Row[] {
  const rows: Row[] = [];
  for (const call of calls) {
    const last = rows.at(-1);
    if (last !== undefined && keyOf(last.call) === keyOf(call))
      rows[rows.length - 1] = { call, count: last.count + 1 };
    else rows.push({ call, count: 1 });
  }
  return rows;
}

const keyOf = ({ client, session, summary, outcome, code }: ShownCall): string =>
  JSON.stringify([client, session, summary, outcome, code]);

const isFine = (call: ShownCall | undefined): boolean =>
  call === undefined || call.outcome === "ok" || call.outcome === "running" || call.outcome === "left";

/** Calls of other days have their day. */
function timeText({ at }: ShownCall): string {
  const date = new Date(at);
  const clock = date.toTimeString().slice(0, 8);
  return date.toDateString() === new Date().toDateString() ? clock : `${at.slice(5, 10)} ${clock}`;
}

function durationOf({ ms }: ShownCall): string {
  if (ms === undefined) return "";
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

const endText = ({ outcome, code }: ShownCall): string => code ?? outcome;
