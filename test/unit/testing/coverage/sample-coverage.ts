/** A coverage with difficult cases for reports: functions with the same name or no name, and files that did not run. */
import type { FileCoverage } from "../../../../src/testing/coverage/file-coverage.ts";

export const SAMPLE: readonly FileCoverage[] = [
  {
    path: "src/shop/Cart.luau",
    lines: [
      [1, 1],
      [3, 1],
      [4, 12],
      [6, 0],
      [9, 0],
      [11, 3],
      [12, 0],
    ],
    functions: [
      { name: "total", line: 3, hits: 12 },
      { name: "", line: 6, hits: 0 },
      { name: "get", line: 9, hits: 0 },
      { name: "get", line: 11, hits: 3 },
    ],
  },
  { path: "src/Never & <odd>.luau", lines: [[1, 0]], functions: [] },
  { path: "src/Whole.luau", lines: [[2, 1]], functions: [{ name: "run", line: 2, hits: 1 }] },
];
