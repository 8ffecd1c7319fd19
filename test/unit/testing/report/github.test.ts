/** Annotations and the summary stay within what GitHub shows, and no text of a test becomes a command. */
import { expect, test } from "bun:test";
import { annotations, summary } from "../../../../src/testing/report/github.ts";
import { HARMFUL, MIXED, resultsOf, type SampleCase } from "./sample-run.ts";

const HERE = { folder: "/repo", workspace: "/repo" };
const failing = (name: string, line: number, message = "bad"): SampleCase => ({
  names: [name],
  status: "failed",
  line,
  failure: { message },
});

test("an annotation names file, line, case and message", () => {
  const [first] = annotations(resultsOf(MIXED), HERE);
  expect(first).toStartWith(
    "::error file=src/shop/Cart.spec.luau,line=4,title=Cart › total › adds the tax of each item::expected the value",
  );
  expect(first?.split("\n")).toHaveLength(1);
});

test("of thirty failures ten are shown, and different lines come first", () => {
  const cases = Array.from({ length: 30 }, (_, index) => failing(`case ${index}`, index < 22 ? 1 : index));
  const lines = annotations(resultsOf({ "a.spec.luau": cases }), HERE);
  expect(lines).toHaveLength(10);
  expect(lines.slice(0, 9).map((line) => /line=(\d+)/.exec(line)?.[1])).toEqual([
    "1",
    "22",
    "23",
    "24",
    "25",
    "26",
    "27",
    "28",
    "29",
  ]);
});

test("paths begin at the workspace if the project lies below it", () => {
  const results = resultsOf({ "a.spec.luau": [failing("x", 1)] });
  expect(annotations(results, { folder: "/repo/game", workspace: "/repo" })[0]).toContain(
    "file=game/a.spec.luau,",
  );
  expect(annotations(results, { folder: "/other", workspace: "/repo" })[0]).toContain("file=a.spec.luau,");
});

test("names and messages cannot end the command or begin another", () => {
  const [line] = annotations(
    resultsOf({
      "a,b:c.spec.luau": [failing(`x\n::error::${HARMFUL}`, 1, `m\n::stop-commands::${HARMFUL}`)],
    }),
    HERE,
  );
  expect(line).toContain("file=a%2Cb%3Ac.spec.luau,line=1,title=x%0A%3A%3Aerror%3A%3A");
  expect(line).toContain("%250A");
  expect(line).not.toMatch(/[\n\r\u001b]/);
});

test("the summary says the counts, escapes HTML, and stays below its limit", () => {
  const text = summary(resultsOf(MIXED), 1234);
  expect(text).toStartWith("### ❌ sb test: 2 failed, 1 passed, 1 flaky, 2 skipped (1.2 s)\n");
  const many = Array.from({ length: 300 }, (_, index) =>
    failing(`case ${index} <b>`, index + 1, "<i>".repeat(2000)),
  );
  const long = summary(resultsOf({ "a.spec.luau": many }), 1);
  expect(Buffer.byteLength(long)).toBeLessThan(1_000_000);
  expect(long).toMatch(/\n\d+ more in the log\.\n$/);
  expect(long).not.toContain("<b>");
});
