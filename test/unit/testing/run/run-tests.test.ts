/** The number of workers that a run starts. */
import { expect, test } from "bun:test";
import { runTestsAsync } from "../../../../src/testing/run/run-tests.ts";
import type { TestFile } from "../../../../src/testing/test-file.ts";

/** The number of runners for files with these durations in the history. The files have faults, so that none of them runs. */
async function workersAsync(files: number, expectedMs: number | undefined): Promise<number> {
  let count = 0;
  await runTestsAsync({
    files: Array.from({ length: files }, (_, index): TestFile => {
      const path = `f${index}.spec.luau`;
      const context = { kind: "edit", players: 0 } as const;
      return { path, absolutePath: `/${path}`, framework: "script", why: "", context, fault: "none runs" };
    }),
    expectedMs: () => expectedMs,
    newRunner: () => {
      count += 1;
      return { runAsync: async () => {}, [Symbol.asyncDispose]: async () => {} };
    },
    workers: 8,
    caseTimeoutMs: 1000,
    fileTimeoutMs: 1000,
    snapshots: "none",
    retries: 0,
    signal: new AbortController().signal,
    fileOfScript: () => undefined,
    report: () => {},
  });
  return count;
}

test("one more worker starts for each half second of expected work", async () => {
  expect(await workersAsync(10, 40)).toBe(1);
  expect(await workersAsync(10, 80)).toBe(2);
});

test("the overhead of a file counts as work", async () => {
  expect(await workersAsync(200, 0)).toBe(2);
});

test("files without a history count as slow, and there are never more workers than files", async () => {
  expect(await workersAsync(10, undefined)).toBe(3);
  expect(await workersAsync(2, 5000)).toBe(2);
});
