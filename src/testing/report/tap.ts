/** The report as TAP version 14: one test point for each case, and a YAML block after a failed one. */
import { visibleControls } from "../../util/visible-controls.ts";
import { type CaseResult, type FileResult, titleOf } from "./tally.ts";
import { headline, positionOf, shownFile } from "./text-failure.ts";

/** `breakOff` is the sentence of breakOffText. */
export function tapText(files: readonly FileResult[], breakOff?: string): string {
  const cases = files.flatMap((file) => file.cases);
  const points = cases.map((result, index) => pointText(result, index + 1));
  const bail = breakOff === undefined ? "" : `Bail out! ${escaped(breakOff)}\n`;
  return `TAP version 14\n1..${cases.length}${cases.length === 0 ? " # no tests" : ""}\n${points.join("")}${bail}`;
}

function pointText({ id, end }: CaseResult, number: number): string {
  const verdict = end.status === "failed" || end.status === "todo" ? "not ok" : "ok";
  const directive =
    end.status === "skipped"
      ? ` # SKIP${end.reason === undefined ? "" : ` ${escaped(end.reason)}`}`
      : end.status === "todo"
        ? " # TODO"
        : "";
  const title = titleOf({ context: end.context, repeat: end.repeat, path: shownFile(end) });
  const point = `${verdict} ${number} - ${escaped(`${title}: ${id}`)}${directive}\n`;
  return end.status === "failed" ? point + diagnosis(end) : point;
}

function diagnosis(end: CaseResult["end"]): string {
  const { expected, received, frames = [] } = end.failure ?? {};
  const { path, line } = positionOf(end);
  const entries: readonly (readonly [string, unknown])[] = [
    ["message", end.failure?.message ?? headline(end)],
    ["severity", "fail"],
    ["at", { file: path, line }],
    ...(expected === undefined ? [] : [["wanted", expected] as const]),
    ...(received === undefined ? [] : [["found", received] as const]),
    ["duration_ms", Math.round(end.durationMs)],
    ...(frames.length === 0
      ? []
      : [["stack", frames.map((frame) => `${frame.path}:${frame.line}`).join("\n")] as const]),
  ];
  // JSON is valid YAML, and has simple rules for quotes and line breaks.
  const lines = entries.map(([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`);
  return `  ---\n${lines.join("")}  ...\n`;
}

/** The text on one line and with escaped hashes, because a hash begins a directive and a line break ends the test point. */
const escaped = (text: string): string =>
  visibleControls(text.replace(/\s*[\r\n]+\s*/g, " "))
    .replaceAll("\\", "\\\\")
    .replaceAll("#", "\\#");
