/** Differences of texts as unified diffs, plain and in colour. */
import { FILE_HEADERS_ONLY, createTwoFilesPatch } from "diff";
import type { Style } from "../util/style.ts";
import { bareLine, linesWithBreaks } from "../util/text-lines.ts";

const CONTEXT_LINES = 3;
const HEADER_LINES = 2;
/** Two long texts without much in common are shown as one removed and one added. */
const TIMEOUT_MS = 500;

/** Empty where nothing changes. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return "";
  const options = { context: CONTEXT_LINES, timeout: TIMEOUT_MS, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(name, name, before, after, undefined, undefined, options);
  return patch ?? wholeDiff(name, before, after);
}

function wholeDiff(name: string, before: string, after: string): string {
  const [old, fresh] = [before, after].map(linesWithBreaks);
  const range = (lines: readonly string[] = []) => (lines.length === 0 ? "0,0" : `1,${lines.length}`);
  const marked = (sign: string, lines: readonly string[] = []) =>
    lines.map((line) => `${sign}${line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`}`);
  const head = `--- ${name}\n+++ ${name}\n@@ -${range(old)} +${range(fresh)} @@\n`;
  return [head, ...marked("-", old), ...marked("+", fresh)].join("");
}

/** As people see it, without the last line break. */
export function diffText(diff: string, { body, bold, cyan, green, red }: Style): string {
  const paint = (line: string, index: number): string => {
    // A removed comment begins with three dashes too.
    if (index < HEADER_LINES) return bold(body(line));
    if (line.startsWith("@@")) return cyan(line);
    if (line.startsWith("+")) return green(body(line));
    return line.startsWith("-") ? red(body(line)) : body(line);
  };
  return linesWithBreaks(diff)
    .map((line, index) => paint(bareLine(line), index))
    .join("\n");
}
