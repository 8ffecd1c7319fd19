/** The report of a file whose run was interrupted or broken off. */
import { expect, test } from "bun:test";
import type { TestEvent } from "../../../../src/testing/events.ts";
import type { HarnessCase } from "../../../../src/testing/harness-events.ts";
import { type FileRunOptions, runFileAsync } from "../../../../src/testing/run/file-run.ts";
import type { TestRunner } from "../../../../src/testing/run/runner.ts";

const FILE = {
  path: "a.spec.luau",
  absolutePath: "/project/a.spec.luau",
  framework: "built-in",
  why: "it returns a function",
  context: { kind: "edit", players: 1 },
} as const;

async function reportedAsync(
  runAsync: TestRunner["runAsync"],
  signal: AbortSignal,
  choose?: FileRunOptions["choose"],
  tryNumber = 1,
): Promise<TestEvent[]> {
  const events: TestEvent[] = [];
  const runner: TestRunner = { runAsync, [Symbol.asyncDispose]: () => Promise.resolve() };
  await runFileAsync(
    { file: FILE, runner, worker: 1, try: tryNumber, isFresh: true, tellsLeft: false },
    {
      caseTimeoutMs: 100,
      fileTimeoutMs: 100,
      snapshots: "none",
      retries: 0,
      fileOfScript: () => undefined,
      report: (event) => events.push(event),
      signal,
      ...(choose === undefined ? {} : { choose }),
    },
  ).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return events;
}

test("an interrupted file has not failed, even if its script comes to its end", async () => {
  const person = new AbortController();
  const events = await reportedAsync(({ onEvent }) => {
    onEvent({ type: "case-start", case: { id: "one", names: ["one"] } });
    person.abort();
    onEvent({ type: "end" });
    return Promise.resolve();
  }, person.signal);
  expect(events.map(({ type }) => type)).toEqual(["file-start", "case-start", "file-end"]);
  expect(events.at(-1)).toMatchObject({ isUnfinished: true });
});

test("a file whose script ends without the event `end` has failed", async () => {
  const events = await reportedAsync(() => Promise.resolve(), new AbortController().signal);
  expect(events).toContainEqual(expect.objectContaining({ type: "case-end", status: "failed" }));
});

test.each([
  [1, true],
  [0, undefined],
] as const)(
  "the end of a file with %p cases, none of them chosen, says %p for left out",
  async (count, isLeftOut) => {
    const cases = Array.from({ length: count }, (_, index): HarnessCase => ({
      id: `${index}`,
      names: ["a"],
    }));
    const chooseNone: TestRunner["runAsync"] = ({ choose, onEvent }) => {
      expect(choose?.(cases)).toEqual([]);
      onEvent({ type: "end" });
      return Promise.resolve();
    };
    const events = await reportedAsync(chooseNone, new AbortController().signal, () => []);
    const [end] = events.filter((event) => event.type === "file-end");
    expect(end?.isLeftOut).toBe(isLeftOut);
  },
);

test("the start of a Studio does not count as time of the file", async () => {
  const startMs = 200;
  const events = await reportedAsync(async ({ onReady, onEvent }) => {
    await Bun.sleep(startMs);
    onReady?.();
    onEvent({ type: "end" });
  }, new AbortController().signal);
  const [end] = events.filter((event) => event.type === "file-end");
  expect(end?.durationMs).toBeLessThan(startMs);
});

test("a later try of all cases says that the file has passed, because only a failure of the file leads to such a try", async () => {
  const runAsync: TestRunner["runAsync"] = ({ onEvent }) => {
    onEvent({ type: "end" });
    return Promise.resolve();
  };
  const { signal } = new AbortController();
  const endsAsync = async (tryNumber: number) =>
    (await reportedAsync(runAsync, signal, undefined, tryNumber)).filter(({ type }) => type === "case-end");
  expect(await endsAsync(1)).toEqual([]);
  expect(await endsAsync(2)).toMatchObject([{ id: "(file)", status: "passed", try: 2 }]);
});
