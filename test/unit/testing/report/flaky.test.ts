/** A flaky case in the reports: it is named, with the number of runs in which it was flaky. */
import { expect, test } from "bun:test";
import { mergeBlobs, readBlob } from "../../../../src/testing/blob.ts";
import type { TestEvent } from "../../../../src/testing/events.ts";
import { agentText } from "../../../../src/testing/report/agent.ts";
import { summary } from "../../../../src/testing/report/github.ts";
import { summaryText } from "../../../../src/testing/report/screen.ts";
import { type FileResult, Tally } from "../../../../src/testing/report/tally.ts";
import { plainStyle } from "../../../../src/util/style.ts";
import { HARMFUL, runOf } from "./sample-run.ts";

const FILE = "src/Round.spec.luau";
/** A run of one flaky case, with what is known about it from earlier runs. */
function runWith(flakyRuns: number, runs: number, name = "ends"): TestEvent[] {
  const events = runOf({ [FILE]: [{ names: [name], line: 3, earlier: ["too early"] }] });
  return events.toSpliced(-1, 0, { type: "flake-rate", file: FILE, id: name, flakyRuns, runs });
}
function resultsOf(events: readonly TestEvent[]): FileResult[] {
  const tally = new Tally();
  for (const event of events) tally.add(event);
  return tally.files();
}
const screenOf = (files: readonly FileResult[]) =>
  summaryText(files, { durationMs: 1, slowest: 0 }, plainStyle);
const agentOf = (files: readonly FileResult[]) =>
  agentText(files, 1, { sourceOf: () => undefined, maxFailures: 10 });

test("the screen, agents and GitHub name a flaky case and say in how many runs it was flaky", () => {
  const files = resultsOf(runWith(3, 20));
  expect(screenOf(files)).toContain(" Flaky    ends (try 2; flaky in 3 of 20 runs)\n");
  expect(agentOf(files)).toEndWith(`\n\nFLAKY ends  ${FILE}:3  (try 2; flaky in 3 of 20 runs)`);
  const text = summary(files, 1);
  expect(text).toContain(`${FILE}: ends — flaky (try 2; flaky in 3 of 20 runs)</summary>`);
  expect(text).toContain("<pre>too early</pre>");
});

test("in the first known run of a case, the reports say only which try passed", () => {
  const files = resultsOf(runWith(1, 1));
  expect(screenOf(files)).toContain(" Flaky    ends (try 2)\n");
  expect(agentOf(files)).toEndWith("(try 2)");
});

test("a flaky case of a repeated file is named with its repetition", () => {
  const repeated = runWith(3, 20).map((event) => ("try" in event ? { ...event, repeat: 5 } : event));
  expect(screenOf(resultsOf(repeated))).toContain(" ends (run 5, try 2; flaky in 3 of 20 runs)\n");
});

test("an agent gets the first ten of many flaky cases, and names cannot harm its screen", () => {
  const many = Array.from({ length: 12 }, (_, index) => ({
    names: [`${index}${HARMFUL}`] as const,
    earlier: ["too early"],
  }));
  const text = agentOf(resultsOf(runOf({ [FILE]: many })));
  expect(text.match(/^FLAKY /gm)).toHaveLength(10);
  expect(text).toEndWith("\n2 more flaky cases");
  expect(text).not.toContain("\u001b");
});

test("merged shards keep how often their cases were flaky", () => {
  const text = runWith(3, 20)
    .map((event) => JSON.stringify(event))
    .join("\n");
  const { events } = mergeBlobs([readBlob("a.jsonl", text)]);
  expect(screenOf(resultsOf(events))).toContain("flaky in 3 of 20 runs");
});
