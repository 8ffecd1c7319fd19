/** The history of a project: the entries that count and stay, and that two runs at once lose nothing. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFile, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  addHistoryAsync,
  entryAfter,
  type HistoryEntry,
  readHistoryAsync,
} from "../../../src/testing/history.ts";
import { resultsOf, type SampleCase } from "./report/sample-run.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-history-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const entry = (file: string, at: number, ...failed: string[]): HistoryEntry => ({
  file,
  at,
  durationMs: at,
  failed,
});
function resultOf(...cases: readonly SampleCase[]) {
  const [result] = resultsOf({ "a.spec.luau": cases });
  if (result === undefined) throw new Error("the sample has a file");
  return result;
}
const RUN = { scope: "all", isRetrying: false, at: 5 } as const;
const RETRYING = { ...RUN, isRetrying: true };
const failed = (name: string): SampleCase => ({ names: [name], status: "failed" });

test("the newest entry of a file counts, and broken lines are left out", async () => {
  const path = join(folder, "deep/one.jsonl");
  await addHistoryAsync(path, [entry("a", 1, "x"), entry("b", 1)]);
  await appendFile(path, '{"file": "a", "at": 9\nnothing\n[]\n');
  await addHistoryAsync(path, [entry("a", 3), entry("b", 0, "old")]);
  expect([...(await readHistoryAsync(path)).values()]).toEqual([entry("a", 3), entry("b", 1)]);
  expect((await readHistoryAsync(join(folder, "none.jsonl"))).size).toBe(0);
});

test("a whole run replaces the entry of a file", () => {
  const after = entryAfter([resultOf(failed("new"), { names: ["good"] })], entry("a", 1, "gone"), RUN);
  expect(after).toEqual({ file: "a.spec.luau", at: 5, durationMs: 12, failed: ["new"] });
});

test("a run of some cases keeps the failures of the others and the duration of the whole file", () => {
  const before = entry("a.spec.luau", 1, "fixed", "other", "(file)");
  const after = entryAfter([resultOf({ names: ["fixed"] }, failed("new"))], before, {
    ...RUN,
    scope: "some",
  });
  expect(after).toEqual({ file: "a.spec.luau", at: 5, durationMs: 1, failed: ["other", "new"] });
});

test("a run of the failed cases forgets cases that no longer exist", () => {
  const before = entry("a.spec.luau", 1, "renamed", "fixed");
  expect(entryAfter([resultOf({ names: ["fixed"] })], before, { ...RUN, scope: "failed" })).toMatchObject({
    durationMs: 1,
    failed: [],
  });
});

test("a file that was cut off keeps the failures of the cases that did not run", () => {
  const before = entry("a.spec.luau", 1, "fixed", "other");
  const cut = { ...resultOf({ names: ["fixed"] }), isFinished: false };
  expect(entryAfter([cut], before, RUN)).toMatchObject({ durationMs: 1, failed: ["other"] });
  const early = { ...resultOf(), isFinished: false };
  expect(entryAfter([early], entry("a.spec.luau", 1, "(file)"), RUN).failed).toEqual(["(file)"]);
});

test("many runs at once keep all their entries, also while the file is shortened", async () => {
  const path = join(folder, "many.jsonl");
  await Promise.all(
    Array.from({ length: 40 }, (_, run) =>
      addHistoryAsync(
        path,
        Array.from({ length: 5 }, (__, file) => entry(`${run}/${file}`, run + 1)),
      ),
    ),
  );
  expect((await readHistoryAsync(path)).size).toBe(200);
});

test("a file beyond 5 MB is shortened to the newest entries", async () => {
  const path = join(folder, "large.jsonl");
  const long = "x".repeat(1000);
  await addHistoryAsync(
    path,
    Array.from({ length: 6000 }, (_, index) => entry(`f${index % 4000}`, index, long)),
  );
  const { size } = await stat(path);
  expect(size).toBeLessThan(2_600_000);
  const known = await readHistoryAsync(path);
  expect(known.get("f1999")?.at).toBe(5999);
  expect(known.has("f2000")).toBe(false);
  expect((await readdir(folder)).filter((name) => name.endsWith(".old"))).toEqual([]);
});

test("a file with many old lines is shortened, so that each run reads little, and loses no test file", async () => {
  const path = join(folder, "often.jsonl");
  const entriesAt = (at: number) =>
    Array.from({ length: 100 }, (_, file) => entry(`src/f${file}.spec.luau`, at));
  await addHistoryAsync(path, [entry("rare.spec.luau", 1, "a")]);
  const newest = [entry("rare.spec.luau", 1, "a"), ...entriesAt(1)];
  for (let run = 1; run <= 60; run += 1) await addHistoryAsync(path, entriesAt(run), newest);
  expect((await stat(path)).size).toBeLessThan(260_000);
  const known = await readHistoryAsync(path);
  expect(known.size).toBe(101);
  expect(known.get("rare.spec.luau")?.failed).toEqual(["a"]);
  expect(known.get("src/f0.spec.luau")?.at).toBe(60);
});

test("a file that ran in two clients has one entry, with the failures of both", () => {
  const results = [resultOf(failed("a"), failed("b")), resultOf({ names: ["a"] }, failed("b"))] as const;
  expect(entryAfter(results, undefined, RUN).failed).toEqual(["a", "b"]);
});

test("the counts of flaky cases stay through runs that do not try again, and while the file is shortened", async () => {
  const sometimes = resultOf({ names: ["sometimes"], earlier: ["once"] }, { names: ["always"] });
  const first = entryAfter([sometimes], undefined, RETRYING);
  expect(first.flakes).toEqual({ runs: 1, flaky: [{ id: "sometimes", flakyRuns: 1, runs: 1 }] });
  const second = entryAfter([resultOf({ names: ["sometimes"] }, { names: ["always"] })], first, RUN);
  expect(second.flakes).toEqual(first.flakes);
  const path = join(folder, "flaky.jsonl");
  const others = Array.from({ length: 6000 }, (_, index) => entry(`f${index % 9}`, 1, "x".repeat(1000)));
  await addHistoryAsync(path, [second, ...others]);
  expect((await stat(path)).size).toBeLessThan(50_000);
  expect((await readHistoryAsync(path)).get("a.spec.luau")).toEqual(second);
});

test("a run of some cases changes the counts of flaky cases only for the cases that ran", () => {
  const flakes = {
    runs: 9,
    flaky: [
      { id: "ran", flakyRuns: 2, runs: 9 },
      { id: "left out", flakyRuns: 1, runs: 9 },
    ],
  };
  const results = [resultOf({ names: ["ran"] }, { names: ["new"], earlier: ["once"] })] as const;
  const expected = {
    runs: 9,
    flaky: [
      { id: "ran", flakyRuns: 2, runs: 10 },
      { id: "left out", flakyRuns: 1, runs: 9 },
      { id: "new", flakyRuns: 1, runs: 10 },
    ],
  };
  const before = { ...entry("a.spec.luau", 1), flakes };
  for (const scope of ["some", "failed"] as const)
    expect(entryAfter(results, before, { ...RETRYING, scope }).flakes).toEqual(expected);
  const cut = [{ ...results[0], isFinished: false }] as const;
  expect(entryAfter(cut, before, RETRYING).flakes).toEqual(expected);
});
