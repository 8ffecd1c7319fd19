/** How lines of reports fit on a screen: at any width, and on one that shows nothing but ASCII. */
import type { Style } from "../../util/style.ts";
import { cells } from "../../util/text-width.ts";

/** The parts behind each other; one that does not fit any more begins a new line below the first. */
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

/** Words and signs of ASCII for those of the reports. All but the first two take one cell, as before. */
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

export const shownOn = (text: string, { hasUnicode }: Style): string =>
  hasUnicode === false ? text.replace(SIGNS, (sign) => PLAIN[sign] ?? sign) : text;
