/** Coverage for people: a table of the files with lines or functions that did not run. */
import type { Style } from "../../util/style.ts";
import { textTable } from "../../util/text-table.ts";
import { fitEnd } from "../../util/text-width.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import {
  type FileCoverage,
  functionNames,
  percentOf,
  percentText,
  type Share,
  shownPercent,
  totalsOf,
} from "./file-coverage.ts";

interface Row {
  readonly name: string;
  readonly lines: Share;
  readonly functions: Share;
  readonly notRun: string;
}

/** The share of the screen's width that paths may take. */
const PATH_SHARE = 0.4;

export function coverageTable(files: readonly FileCoverage[], style: Style): string {
  const rows = files.filter(isIncomplete).map(rowOf);
  if (rows.length === 0) return "";
  const all: Row = { name: "all files", ...totalsOf(files), notRun: "" };
  const lines = textTable(
    [
      { title: "file", value: ({ name }) => fitEnd(name, Math.floor(style.columns * PATH_SHARE)) },
      { title: "lines", value: ({ lines: share }) => `${percentText(share)} %` },
      { title: "functions", value: ({ functions }) => `${percentText(functions)} %`, dropRank: 1 },
      { title: "not run", value: ({ notRun }) => notRun, minWidth: 12 },
    ],
    [...rows, all],
    style.columns,
    " ",
  );
  const [head = "", ...body] = lines;
  return [style.dim(head), ...body].join("\n");
}

/** `Coverage 84.2 % lines (+0.4), 70.0 % functions`. Without an earlier percentage, or with the same, there is no change. */
export function coverageLine(files: readonly FileCoverage[], linesBefore?: number): string {
  const { lines, functions } = totalsOf(files);
  const change = linesBefore === undefined ? "" : changeText(percentOf(lines), linesBefore);
  return `Coverage ${percentText(lines)} % lines${change}, ${percentText(functions)} % functions`;
}

/** The change of what is shown, so that the numbers of two runs add up. */
function changeText(percent: number, before: number): string {
  const text = (shownPercent(percent) - shownPercent(before)).toFixed(1);
  if (Number(text) === 0) return "";
  return ` (${text.startsWith("-") ? text : `+${text}`})`;
}

/** True if some line or function of the file did not run, so that the table has a row for it. */
export function isIncomplete(file: FileCoverage): boolean {
  const { lines, functions } = totalsOf([file]);
  return lines.covered < lines.total || functions.covered < functions.total;
}

const rowOf = (file: FileCoverage): Row => ({
  name: visibleOnOneLine(file.path),
  ...totalsOf([file]),
  notRun: missedRanges(file) || missedFunctions(file),
});

/** Functions that did not run, as `add(), total()`. Shown if all lines ran, as when a function is written on one line. */
function missedFunctions({ functions }: FileCoverage): string {
  const names = functionNames(functions);
  return names.flatMap((name, index) => (functions[index]?.hits === 0 ? [`${name}()`] : [])).join(", ");
}

/** Lines that did not run, as `3, 7-12`. A line without a statement does not end a range. */
export function missedRanges({ lines }: FileCoverage): string {
  const ranges: { readonly first: number; last: number }[] = [];
  let isOpen = false;
  for (const [line, hits] of lines) {
    const last = ranges.at(-1);
    if (hits > 0) isOpen = false;
    else if (isOpen && last !== undefined) last.last = line;
    else {
      ranges.push({ first: line, last: line });
      isOpen = true;
    }
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}
