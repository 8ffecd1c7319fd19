/** How many workers a run starts. */
import { expect, test } from "bun:test";
import { runTestsAsync } from "../../../../src/testing/run/run-tests.ts";
import type { TestFile } from "../../../../src/testing/test-file.ts";

/** How many runners there are for files that took so long the last time; a file that has a fault is not run. */
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

test("a further worker starts for each half second of work that is expected", async () => {
  expect(await workersAsync(10, 40)).toBe(1);
  expect(await workersAsync(10, 80)).toBe(2);
});

test("what a file costs beside its own time counts as work", async () => {
  expect(await workersAsync(200, 0)).toBe(2);
});

test("files that never ran are taken for slow ones, and there are never more workers than files", async () => {
  expect(await workersAsync(10, undefined)).toBe(3);
  expect(await workersAsync(2, 5000)).toBe(2);
});
