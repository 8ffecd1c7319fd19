/** How many workers a run starts, and how it ends early. */
import { expect, test } from "bun:test";
import { runTestsAsync } from "../../../../src/testing/run/run-tests.ts";
import type { TestFile } from "../../../../src/testing/test-file.ts";

/**
 * The number of runners for files with these durations in the history, and how the run ended. The files have faults, so that each
 * one fails without running.
 */
async function runAsync(files: number, expectedMs: number | undefined, bail?: number) {
  let workers = 0;
  const ended = await runTestsAsync({
    files: Array.from({ length: files }, (_, index): TestFile => {
      const path = `f${index}.spec.luau`;
      const context = { kind: "edit", players: 0 } as const;
      return { path, absolutePath: `/${path}`, framework: "script", why: "", context, fault: "none runs" };
    }),
    expectedMs: () => expectedMs,
    newRunner: () => {
      workers += 1;
      return { runAsync: async () => {}, [Symbol.asyncDispose]: async () => {} };
    },
    workers: 8,
    ...(bail === undefined ? {} : { bail }),
    caseTimeoutMs: 1000,
    fileTimeoutMs: 1000,
    snapshots: "none",
    retries: 0,
    signal: new AbortController().signal,
    fileOfScript: () => undefined,
    report: () => {},
  });
  return { workers, ended };
}

test("one more worker starts for each half second of expected work", async () => {
  expect(await runAsync(10, 40)).toMatchObject({ workers: 1 });
  expect(await runAsync(10, 80)).toMatchObject({ workers: 2 });
});

test("the overhead of a file counts as work", async () => {
  expect(await runAsync(200, 0)).toMatchObject({ workers: 2 });
});

test("files without a history count as slow, and there are never more workers than files", async () => {
  expect(await runAsync(10, undefined)).toMatchObject({ workers: 3 });
  expect(await runAsync(2, 5000)).toMatchObject({ workers: 2 });
});

test("a run that --bail ends says so, even if only one file is left", async () => {
  expect(await runAsync(3, 40, 1)).toMatchObject({ ended: "bail" });
  expect(await runAsync(3, 40, 2)).toMatchObject({ ended: "bail" });
  expect((await runAsync(3, 40, 3)).ended).toBeUndefined();
});
