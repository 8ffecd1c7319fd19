/** The list of sessions as people read it, grouped by Studio. */
import type { SessionInfo } from "../protocol/network.ts";
import { durationText } from "../util/duration-text.ts";
import type { Style } from "../util/style.ts";
import { textTable } from "../util/text-table.ts";
import type { Column } from "../util/text-table.ts";
import { cells, fit } from "../util/text-width.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { contextTitle, restriction, shortId, shortSessionId } from "./session-messages.ts";

const INDENT = "  ";

export function sessionTable(sessions: readonly SessionInfo[], style: Style): string {
  const groups = [...Map.groupBy(sessions, (session) => session.instanceId)];
  const ordered = groups.flatMap(([, group]) => group);
  // One layout for all, so that the columns of all Studios line up.
  const [head = "", ...rows] = textTable(columnsFor(sessions), ordered, style.columns, INDENT);
  const lines = groups.flatMap(([instanceId, group]) => [
    ...(sessions.length > 1 ? [heading(instanceId, group, sessions, style), ""] : []),
    style.dim(head),
    ...rows.splice(0, group.length),
    "",
  ]);
  return [...lines, countLine(sessions.length, groups.length)].join("\n");
}

/** Where the whole id does not fit, its first characters do, as --instance takes them; then the name is cut. */
function heading(
  instanceId: string,
  group: readonly SessionInfo[],
  all: readonly SessionInfo[],
  { columns }: Style,
): string {
  const name = visibleOnOneLine(group[0]?.placeName ?? "");
  const shorter = shortId(
    instanceId,
    all.map((session) => session.instanceId),
  );
  const headingWith = (id: string, shownName = name) =>
    `${INDENT}Instance: ${shownName} (${visibleOnOneLine(id)})`;
  const whole = headingWith(instanceId);
  if (cells(whole) <= columns) return whole;
  return headingWith(shorter, fit(name, columns - cells(headingWith(shorter, ""))));
}

function columnsFor(all: readonly SessionInfo[]): Column<SessionInfo>[] {
  return [
    {
      title: "SESSION ID",
      value: ({ sessionId }) => sessionId,
      shortValue: ({ sessionId }) => shortSessionId(sessionId, all),
    },
    { title: "PLACE", value: ({ placeName }) => visibleOnOneLine(placeName), minWidth: 12 },
    { title: "CONTEXT", value: contextTitle, minWidth: 7 },
    { title: "STATE", value: stateText, minWidth: 12 },
    { title: "PLACE ID", value: ({ placeId }) => String(placeId), dropRank: 2 },
    { title: "ORIGIN", value: ({ origin }) => origin, dropRank: 1 },
    { title: "CONNECTED", value: ({ uptimeMs }) => durationText(uptimeMs) },
  ];
}

function stateText(session: SessionInfo): string {
  const { state, health } = session;
  const remarks = [...(health === "ok" ? [] : [health]), restriction(session)].filter(
    (each) => each !== undefined,
  );
  return remarks.length === 0 ? state : `${state} (${remarks.join(", ")})`;
}

function countLine(sessions: number, instances: number): string {
  if (sessions === 1) return "1 session connected.";
  return `${sessions} sessions connected (${instances} ${instances === 1 ? "instance" : "instances"}).`;
}
