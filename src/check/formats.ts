/** The findings of a check as programs read them. */
import { annotation, prefixOf } from "../output/github-annotation.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import type { CheckResult, ShownFinding } from "./check-scripts.ts";

export const FORMATTERS = ["text", "gnu", "json", "github"] as const;
export type Formatter = (typeof FORMATTERS)[number];

type Found = Pick<CheckResult, "findings" | "folder">;

/** The lines of a format for programs; empty where there is nothing to say. */
export function formatted(formatter: Exclude<Formatter, "text">, { findings, folder }: Found): string {
  if (formatter === "json") return JSON.stringify(findings);
  if (formatter === "gnu") return findings.map(gnuLine).join("\n");
  const prefix = prefixOf({ folder, workspace: process.env["GITHUB_WORKSPACE"] });
  return findings.map((finding) => githubLine(finding, prefix)).join("\n");
}

/** `FILE:LINE.COLUMN-LINE.COLUMN: CODE: MESSAGE` */
function gnuLine({ file, line, column, endLine, endColumn, code, message }: ShownFinding): string {
  const place = `${line}.${column}-${endLine}.${endColumn}`;
  return `${visibleOnOneLine(file)}:${place}: ${code}: ${oneLine(message)}`;
}

export const oneLine = (message: string): string => visibleOnOneLine(message.replaceAll(/\s*\n\s*/g, " "));

function githubLine(finding: ShownFinding, prefix: string): string {
  const { file, line, column, endLine, endColumn, severity, code, message } = finding;
  const columns = line === endLine ? { col: column, endColumn } : {};
  return annotation(severity, { file: `${prefix}${file}`, line, endLine, ...columns, title: code }, message);
}
