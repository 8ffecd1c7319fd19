/** Coverage of compiled files is shown for the lines of their sources. */
import { expect, test } from "bun:test";
import { encode } from "@jridgewell/sourcemap-codec";
import { lineMapOf, mappedCoverage } from "../../../../src/testing/coverage/source-map.ts";

const mapOf = (sources: readonly string[], lines: readonly (readonly [number, number][])[]) =>
  JSON.stringify({
    version: 3,
    sources,
    names: [],
    mappings: encode(lines.map((segments) => segments.map(([source, line]) => [0, source, line - 1, 0]))),
  });

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
  expect(map === undefined ? [] : mappedCoverage(compiled, map)).toEqual([
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

test("a map that is broken, has no lines or leads out of the project is not used", () => {
  const read = (text: string) => lineMapOf(text, "/project/out", "/project");
  expect(read("{")).toBeUndefined();
  expect(read('{"version":2,"sources":[],"mappings":""}')).toBeUndefined();
  expect(read(mapOf(["a.ts"], []))).toBeUndefined();
  expect(read(mapOf(["a.ts"], [[[0, 1]]]).replace('"a.ts"', "null"))).toBeUndefined();
  expect(read(mapOf(["../../other/a.ts"], [[[0, 1]]]))).toBeUndefined();
});
