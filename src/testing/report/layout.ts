/** Fits the lines of reports to the screen: to its width, and to one that shows only ASCII. */
import type { Style } from "../../util/style.ts";
import { cells } from "../../util/text-width.ts";

/** Joins parts to lines of at most `columns`. A part that does not fit any more begins a new, indented line. */
export function flow(parts: readonly string[], columns: number, indent: string): string {
  const lines: string[] = [];
  for (const part of parts.filter((each) => each !== "")) {
    const line = lines.at(-1);
    const longer = line === undefined ? part : `${line}  ${part}`;
    if (line === undefined) lines.push(part);
    else if (cells(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(`${indent}${part}`);
  }
  return lines.join("\n");
}

/** ASCII words and signs in place of the reports' signs. All but the first two take one cell too, so that columns stay. */
const PLAIN: Readonly<Record<string, string>> = {
  "✓": "ok",
  "✗": "FAIL",
  "─": "-",
  "▶": ">",
  "│": "|",
  "›": ">",
  "·": "-",
  "…": "~",
};
const SIGNS = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");

/** The text as a screen of this style can show it. */
export const shownOn = (text: string, { hasUnicode }: Style): string =>
  hasUnicode === false ? text.replace(SIGNS, (sign) => PLAIN[sign] ?? sign) : text;
