/** The TAP report is what a TAP parser reads back. */
import { expect, test } from "bun:test";
import { Parser, type Result } from "tap-parser";
import { tapText } from "../../../../src/testing/report/tap.ts";
import { HARMFUL, MIXED, resultsOf, type SampleCase } from "./sample-run.ts";

function parsed(files: Readonly<Record<string, readonly SampleCase[]>>) {
  const parser = new Parser({ strict: true });
  const points: Result[] = [];
  let extra = "";
  parser.on("assert", (point: Result) => points.push(point));
  parser.on("extra", (text: string) => (extra += text));
  parser.end(tapText(resultsOf(files)));
  return { points, extra, results: parser.results };
}

test("a TAP parser finds each case with its verdict, and no line that is not TAP", () => {
  const { points, extra, results } = parsed(MIXED);
  expect(extra).toBe("");
  expect(results).toMatchObject({ count: 6, pass: 3, skip: 1, todo: 1, plan: { end: 6 } });
  expect(results?.failures).toHaveLength(2);
  expect(points.map(({ ok, name }) => [ok, name])).toEqual([
    [false, "src/shop/Cart.spec.luau: Cart › total › adds the tax of each item"],
    [true, "src/shop/Cart.spec.luau: Cart › is empty # at first"],
    [true, "src/shop/Cart.spec.luau: Cart › is rounded"],
    [false, "src/shop/Cart.spec.luau: Cart › is paid"],
    [true, "src/Round.spec.luau: ends"],
    [false, "src/broken.spec.luau: (file)"],
  ]);
  expect(points[2]?.skip).toBe("no prices yet");
});

test("a failure has a block with its position, the wanted value and the found value", () => {
  expect(parsed(MIXED).points[0]?.diag).toMatchObject({
    at: { file: "src/shop/Cart.spec.luau", line: 4 },
    wanted: "2.38",
    found: "2.2",
    stack: "src/shop/Cart.spec.luau:4\nsrc/shop/Cart.luau:2",
  });
});

test("a case whose name or message has control characters, hashes or line breaks is still one test point", () => {
  const { points, extra } = parsed({
    "a.spec.luau": [
      {
        names: [`two\nlines ${HARMFUL}`],
        status: "failed",
        failure: { message: `${HARMFUL}\n...\nnot ok 9` },
      },
      { names: ["next # SKIP really"] },
    ],
  });
  expect(extra).toBe("");
  expect(points.map(({ ok }) => ok)).toEqual([false, true]);
  expect(points[0]?.name).toContain("two lines \\x1b[2Jwiped");
  expect(points[0]?.diag?.message).toContain("not ok 9");
  expect(points[1]?.skip).toBe(false);
});

test("a run without cases has the plan 1..0", () => {
  expect(parsed({ "a.spec.luau": [] }).results).toMatchObject({ count: 0, ok: true });
});
