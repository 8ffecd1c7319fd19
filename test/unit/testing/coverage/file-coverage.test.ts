/** Coverage is added up over runs, and percentages are not rounded up. */
import { describe, expect, test } from "bun:test";
import {
  FileSum,
  functionNames,
  mergeCoverage,
  percentText,
  totalsOf,
} from "../../../../src/testing/coverage/file-coverage.ts";
import { SAMPLE } from "./sample-coverage.ts";

test("the totals count lines and functions that have run", () => {
  expect(totalsOf(SAMPLE)).toEqual({ lines: { covered: 5, total: 9 }, functions: { covered: 3, total: 5 } });
});

test("a percentage is rounded down, so that only complete coverage shows 100", () => {
  expect(percentText({ covered: 1999, total: 2000 })).toBe("99.9");
  expect(percentText({ covered: 2000, total: 2000 })).toBe("100.0");
  expect(percentText({ covered: 0, total: 0 })).toBe("100.0");
});

describe("merged coverage", () => {
  test("adds up the counts of runs, in the order of paths and lines", () => {
    const one = [
      { path: "b", lines: [[2, 1]] as [number, number][], functions: [{ name: "f", line: 2, hits: 1 }] },
    ];
    const two = [
      {
        path: "b",
        lines: [
          [1, 0],
          [2, 3],
        ] as [number, number][],
        functions: [{ name: "f", line: 2, hits: 3 }],
      },
      { path: "a", lines: [], functions: [] },
    ];
    expect(mergeCoverage([one, two])).toEqual([
      { path: "a", lines: [], functions: [] },
      {
        path: "b",
        lines: [
          [1, 0],
          [2, 4],
        ],
        functions: [{ name: "f", line: 2, hits: 4 }],
      },
    ]);
  });
});

test("hits of unknown lines and functions are ignored", () => {
  const sum = new FileSum("a");
  sum.add({ lines: [[2, 0]], functions: [{ name: "f", line: 2, hits: 0 }] });
  sum.addKnown({
    lines: [
      [1, 5],
      [2, 6],
    ],
    functions: [
      { name: "g", line: 2, hits: 7 },
      { name: "f", line: 2, hits: 8 },
    ],
  });
  expect(sum.coverage()).toEqual({
    path: "a",
    lines: [[2, 6]],
    functions: [{ name: "f", line: 2, hits: 8 }],
  });
});

test("functions with the same name or no name get names with their lines", () => {
  const [cart] = SAMPLE;
  expect(functionNames(cart?.functions ?? [])).toEqual(["total", "(anonymous):6", "get:9", "get:11"]);
});
