/** Coverage of compiled files is shown for the lines of their sources. */
import { expect, test } from "bun:test";
import { mappedCoverage } from "../../../../src/testing/coverage/mapped-coverage.ts";
import { lineMapOf } from "../../../../src/source-maps/line-map.ts";
import { mapOf } from "../../source-maps/sample-map.ts";

test("hits go to the lines of the source; of several compiled lines of one source line, the highest count is taken", () => {
  // The third line belongs to the compiler.
  const text = mapOf(["../src/cart.ts"], [[[0, 1]], [[0, 1]], [], [[0, 5]]]);
  const map = lineMapOf(text, "/project/out", "/project");
  const compiled = {
    path: "out/cart.luau",
    lines: [
      [1, 2],
      [2, 7],
      [3, 9],
      [4, 0],
    ] as [number, number][],
    functions: [
      { name: "total", line: 4, hits: 0 },
      { name: "helper", line: 3, hits: 1 },
    ],
  };
  expect(typeof map === "string" ? [] : mappedCoverage(compiled, map)).toEqual([
    {
      path: "src/cart.ts",
      lines: [
        [1, 7],
        [5, 0],
      ],
      functions: [{ name: "total", line: 5, hits: 0 }],
    },
  ]);
});
