/** The findings of a check as people read them. */
import type { CheckResult, ShownFinding } from "../../check/check-scripts.ts";
import type { Style } from "../../util/style.ts";
import { cells, fit, wrapLong } from "../../util/text-width.ts";
import { visibleControls, visibleOnOneLine } from "../../util/visible-controls.ts";

type Found = Pick<CheckResult, "findings" | "files" | "checker">;

/** One part for each finding: where and what, then the line. Empty where there is none. */
export const findingsText = (findings: readonly ShownFinding[], style: Style): string =>
  findings.map((finding) => findingText(finding, style)).join("\n\n");

function findingText(finding: ShownFinding, style: Style): string {
  const { file, line, column, severity, code, message } = finding;
  const colour = severity === "error" ? style.red : style.yellow;
  const place = `${visibleOnOneLine(file)}:${line}:${column}`;
  const told = `${style.body(place)} ${colour(style.bold(`${code}:`))} ${style.body(visibleControls(message))}`;
  return [wrapLong(told, style.columns), ...excerpt(finding, style)].join("\n");
}

/** The line with a mark below the columns that the finding is about. */
function excerpt({ line, column, endLine, endColumn, text }: ShownFinding, style: Style): string[] {
  if (text === undefined) return [];
  const shownOf = (part: string): string => visibleControls(part.replaceAll("\t", "  "));
  const number = String(line);
  const room = Math.max(1, Math.min(style.columns, 160) - number.length - 5);
  const start = cells(shownOf(text.slice(0, column - 1)));
  const end = cells(shownOf(line === endLine ? text.slice(0, endColumn) : text.trimEnd()));
  const marks = "^".repeat(Math.max(1, Math.min(end, room) - start));
  const head = `  ${style.dim(`${number} |`)} ${fit(shownOf(text.trimEnd()), room)}`;
  if (start >= room) return [head];
  return [head, `  ${style.dim(`${" ".repeat(number.length)} |`)} ${" ".repeat(start)}${style.red(marks)}`];
}

/** `2 errors and 1 warning in 2 of 14 scripts (luau-lsp 1.70.0)` */
export function countText({ findings, files, checker }: Found): string {
  const scripts = counted(files, "script");
  const by = checker === undefined ? " for syntax and requires" : ` with ${checker}`;
  if (findings.length === 0) return `Checked ${scripts}${by}: nothing found.`;
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const kinds = [
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(findings.length > errors ? [counted(findings.length - errors, "warning")] : []),
  ];
  const inFiles = new Set(findings.map(({ file }) => file)).size;
  return `Checked ${scripts}${by}: ${kinds.join(" and ")} in ${counted(inFiles, "script")}.`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
