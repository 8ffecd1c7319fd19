/** Every report says if a run ended early. */
import { expect, test } from "bun:test";
import type { TestEvent } from "../../../../src/testing/events.ts";
import { agentText } from "../../../../src/testing/report/agent.ts";
import { breakOffText } from "../../../../src/testing/report/break-off.ts";
import { summary } from "../../../../src/testing/report/github.ts";
import { junitText } from "../../../../src/testing/report/junit.ts";
import { summaryText } from "../../../../src/testing/report/screen.ts";
import { Tally } from "../../../../src/testing/report/tally.ts";
import { tapText } from "../../../../src/testing/report/tap.ts";
import { plainStyle } from "../../../../src/util/style.ts";
import { runOf } from "./sample-run.ts";

const ofB = { file: "b.spec.luau", try: 1 };
const CUT: readonly TestEvent[] = [
  ...runOf({ "a.spec.luau": [{ names: ["x"] }] }).slice(0, -1),
  { type: "file-start", ...ofB, framework: "script", worker: 1 },
  { type: "case-start", ...ofB, id: "waits", names: ["waits"] },
  { type: "file-end", ...ofB, durationMs: 3, isUnfinished: true },
];

function cutFiles() {
  const tally = new Tally();
  for (const event of CUT) tally.add(event);
  return tally.files();
}

test("the reason says how many files have finished, and which case ran", () => {
  const end = { type: "run-end", durationMs: 5 } as const;
  expect(breakOffText({ ...end, ended: "interrupted" }, cutFiles(), 3)).toBe(
    "Interrupted after 1 of 3 files, while b.spec.luau › waits ran.",
  );
  expect(breakOffText({ ...end, ended: "broken", message: "no\u001b more" }, cutFiles().slice(0, 1), 1)).toBe(
    "Broken off after 1 of 1 file: no\\x1b more",
  );
  expect(breakOffText(end, cutFiles(), 3)).toBeUndefined();
});

test("every report has the reason, in the form that its readers expect", () => {
  const files = cutFiles();
  const reason = "Interrupted after 1 of 2 files.";
  expect(summaryText(files, { durationMs: 5, slowest: 3, breakOff: reason }, plainStyle)).toStartWith(
    ` ${reason}\n`,
  );
  expect(agentText(files, 5, { sourceOf: () => undefined, maxFailures: 3 }, reason)).toContain(
    `\n\n${reason}`,
  );
  expect(tapText(files, reason)).toEndWith(`\nBail out! ${reason}\n`);
  expect(summary(files, 5, reason)).toContain(`### ❌ sb test: 0 failed, 1 passed (0.0 s)\n\n${reason}\n`);
  const xml = junitText(files, 5, 0, reason);
  expect(xml).toContain('tests="2" failures="0" errors="1"');
  expect(xml).toContain(`<error message="${reason}" type="error"/>`);
});
