/** Reports show the coverage, and merged runs add it up. */
import { expect, test } from "bun:test";
import { mergeBlobs, readBlob } from "../../../../src/testing/blob.ts";
import type { TestEvent } from "../../../../src/testing/events.ts";
import { agentText } from "../../../../src/testing/report/agent.ts";
import { summary } from "../../../../src/testing/report/github.ts";
import { Reporters, type ReporterName } from "../../../../src/testing/report/reporters.ts";
import { plainStyle } from "../../../../src/util/style.ts";
import { SAMPLE } from "../coverage/sample-coverage.ts";
import { resultsOf, runOf } from "./sample-run.ts";

const LINE = "Coverage 55.5 % lines, 60.0 % functions";
const covered = (file: string): TestEvent[] =>
  runOf({ [file]: [{ names: ["x"] }] }).flatMap((event): TestEvent[] =>
    event.type === "run-end" ? [{ type: "coverage", files: [...SAMPLE] }, event] : [event],
  );

test("the screen, the report for agents and the summary of GitHub show the percentages in one line", () => {
  const shown = (name: ReporterName): string => {
    const texts: string[] = [];
    const reporters = new Reporters([{ name }], {
      write: (text) => void texts.push(text(plainStyle)),
      sourceOf: () => undefined,
      showsOutput: false,
      showsCompiled: false,
      slowest: 0,
      maxFailures: 1,
      unwritable: () => new Error("no file is written"),
      github: { folder: "/project", workspace: undefined },
      summaryFile: undefined,
      load: () => undefined,
    });
    for (const event of covered("a.spec.luau")) reporters.report(event);
    return texts.join("\n");
  };
  expect(shown("line")).toMatch(new RegExp(`^ ${LINE}\n Files  1 passed`));
  expect(shown("agent")).toContain(`\n\n${LINE}`);
  expect(summary(resultsOf({}), 5, undefined, LINE)).toContain(`\n${LINE}\n`);
  expect(agentText([], 5, { sourceOf: () => undefined, maxFailures: 1 })).not.toContain("Coverage");
});

test("merged shards have one coverage, and a shard without coverage is reported", () => {
  const blobOf = (name: string, events: readonly TestEvent[]) =>
    readBlob(name, events.map((event) => JSON.stringify(event)).join("\n"));
  const [one, two] = [blobOf("a.jsonl", covered("a")), blobOf("b.jsonl", covered("b"))];
  const { events, faults } = mergeBlobs([one, two]);
  expect(faults).toEqual([]);
  expect(events.map(({ type }) => type).slice(-2)).toEqual(["coverage", "run-end"]);
  expect(events.filter(({ type }) => type === "coverage")).toHaveLength(1);
  const [cart] = events.flatMap((event) => (event.type === "coverage" ? event.files : []));
  expect(cart).toMatchObject({ path: "src/Never & <odd>.luau", lines: [[1, 0]] });
  const total = events.flatMap((event) => (event.type === "coverage" ? event.files : []))[2];
  expect(total?.lines[2]).toEqual([4, 24]);
  expect(mergeBlobs([one, blobOf("c.jsonl", runOf({ c: [] }))]).faults).toEqual([
    "c.jsonl has no coverage, which others have.",
  ]);
});
