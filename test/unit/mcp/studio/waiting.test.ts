/** Progress of a command: rising, with the lines of a script, but not with every one of a flood. */
import { expect, test } from "bun:test";
import type { Emission } from "../../../../src/output/emission.ts";
import type { ProgressStep } from "../../../../src/mcp/server/features.ts";
import { Waiting } from "../../../../src/mcp/studio/waiting.ts";
import { untilAsync } from "../../../harness.ts";

const line = (body: string): Emission => ({
  stream: "stdout",
  text: () => body,
  logged: { level: "Print", body },
});

function waiting() {
  const steps: ProgressStep[] = [];
  const { signal } = new AbortController();
  return {
    steps,
    waiting: new Waiting({ client: { id: "test" }, signal, report: (step) => steps.push(step) }),
  };
}

test("reports the status, then the first printed line, on one line", async () => {
  const { steps, waiting: it } = waiting();
  using _ = it;
  it.say("Running script");
  it.emit(line(`one\ntwo ${"x".repeat(1_000)}`));
  const [first, second] = steps;
  expect(first).toEqual({ progress: 1, message: "Running script" });
  expect(second?.progress).toBe(2);
  expect(second?.message).toStartWith("one\\ntwo xxx");
  expect(second?.message.length).toBeLessThan(250);
});

test("reports the last of lines that come close together, after the pause", async () => {
  const { steps, waiting: it } = waiting();
  using _ = it;
  for (const body of ["one", "two", "three"]) it.emit(line(body));
  expect(steps.map(({ message }) => message)).toEqual(["one"]);
  await untilAsync("the last line is told", () => (steps.length > 1 ? true : undefined));
  expect(steps.at(-1)).toEqual({ progress: 2, message: "three" });
});

test("tells a status and a line once each, and then only how long it takes", async () => {
  const { steps, waiting: it } = waiting();
  using _ = it;
  it.say("Running script");
  it.say("Running script");
  it.emit(line("one"));
  await untilAsync("a second has passed", () => (steps.length > 2 ? true : undefined));
  expect(steps.map(({ message }) => message)).toEqual(["Running script", "one", "Running script (1 s)"]);
});

test("reports few of many lines, and no emission that is part of the result", () => {
  const { steps, waiting: it } = waiting();
  using _ = it;
  for (let count = 0; count < 1_000; count += 1) it.emit(line(`line ${count}`));
  it.emit({ stream: "stdout", text: () => "a value" });
  expect(steps.length).toBeLessThan(20);
  expect(steps[0]).toEqual({ progress: 1, message: "line 0" });
});
