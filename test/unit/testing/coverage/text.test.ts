/** The table of coverage lists only incomplete files, and fits a narrow terminal. */
import { expect, test } from "bun:test";
import { coverageLine, coverageTable, missedRanges } from "../../../../src/testing/coverage/text.ts";
import { cells } from "../../../../src/util/text-width.ts";
import { createStyle, plainStyle } from "../../../../src/util/style.ts";
import { SAMPLE } from "./sample-coverage.ts";

test("the table lists incomplete files with the lines that did not run, and ends with the sum of all files", () => {
  expect(coverageTable(SAMPLE, plainStyle).split("\n")).toEqual([
    " file                    lines   functions  not run",
    " src/shop/Cart.luau      57.1 %  50.0 %     6-9, 12",
    " src/Never & <odd>.luau  0.0 %   100.0 %    1",
    " all files               55.5 %  60.0 %",
  ]);
  expect(coverageLine(SAMPLE)).toBe("Coverage 55.5 % lines, 60.0 % functions");
  expect(coverageLine(SAMPLE, 55)).toBe("Coverage 55.5 % lines (+0.5), 60.0 % functions");
  expect(coverageLine(SAMPLE, 60.09)).toBe("Coverage 55.5 % lines (-4.5), 60.0 % functions");
  expect(coverageLine(SAMPLE, 55.51)).toBe("Coverage 55.5 % lines, 60.0 % functions");
});

test("there is no table if every line and function ran", () => {
  expect(coverageTable(SAMPLE.slice(2), plainStyle)).toBe("");
});

test("a function that did not run is named if all lines of its file ran", () => {
  const functions = [
    { name: "used", line: 1, hits: 1 },
    { name: "unused", line: 1, hits: 0 },
  ];
  expect(coverageTable([{ path: "a", lines: [[1, 1]], functions }], plainStyle)).toContain("unused()");
});

test("the table fits 60 columns, whatever the length of names and ranges", () => {
  const lines = Array.from({ length: 40 }, (_, index): [number, number] => [index * 3 + 1, index % 2]);
  const path = `src/${"deep/".repeat(20)}File.luau`;
  const narrow = createStyle({ columns: 60, color: false, isScreen: true, prettyJson: false });
  const rows = coverageTable([{ path, lines, functions: [] }], narrow).split("\n");
  expect(Math.max(...rows.map(cells))).toBeLessThanOrEqual(60);
  expect(rows[1]).toContain("File.luau  ");
});

test("a line that ran ends a range, and a line without a statement does not", () => {
  const range = (...lines: [number, number][]) => missedRanges({ path: "", lines, functions: [] });
  expect(range([1, 0], [5, 0], [6, 1], [7, 0], [9, 1])).toBe("1-5, 7");
  expect(range([1, 1])).toBe("");
});
