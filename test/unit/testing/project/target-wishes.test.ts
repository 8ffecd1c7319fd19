/** The context that flags and settings choose, and the flags that a target cannot fulfil. */
import { expect, test } from "bun:test";
import { wantedContext, wishesForTarget } from "../../../../src/testing/project/target-wishes.ts";
import { parseTarget } from "../../../../src/testing/target.ts";
import { EDIT } from "../../../../src/testing/test-context.ts";

const headless = parseTarget("headless");
const cloud = parseTarget("cloud:1/2");

test("by default, tests run in the edited place, and play tests have one player", () => {
  expect(wantedContext(headless, undefined, undefined)).toEqual(EDIT);
  expect(wantedContext(headless, "client", undefined)).toEqual({ kind: "client", players: 1 });
  expect(wantedContext(headless, "server", 3)).toEqual({ kind: "server", players: 3 });
});

test("players without a play test are refused", () => {
  expect(() => wantedContext(headless, undefined, 2)).toThrow("Only a play test has players.");
  expect(() => wantedContext(headless, "edit", 2)).toThrow("Only a play test has players.");
});

test("clients and players are refused for Luau Execution", () => {
  expect(() => wantedContext(cloud, "client", undefined)).toThrow("Luau Execution has no clients.");
  expect(() => wantedContext(cloud, "server", 2)).toThrow("Luau Execution has no clients.");
  expect(wantedContext(cloud, "server", undefined).kind).toBe("server");
});

test("an open Studio runs one file at a time, without isolation", () => {
  const studio = parseTarget("studio");
  const wishes = { isolation: "file", workers: 4 } as const;
  expect(wishesForTarget(studio, {}, wishes)).toEqual({ isolation: "none", workers: 1 });
  expect(wishesForTarget(headless, { isolate: "file" }, wishes)).toEqual(wishes);
  for (const [flag, word] of [
    [{ isolate: "file" }, "--isolate file"],
    [{ data: "memory" }, "--data"],
    [{ workers: "50%" }, "--workers"],
  ] as const)
    expect(() => wishesForTarget(studio, flag, wishes)).toThrow(`${word} with --on studio`);
  expect(() => wishesForTarget(cloud, { workers: 3 }, wishes)).toThrow("--workers with --on cloud");
  expect(() => wishesForTarget(headless, { allowStale: true }, wishes)).toThrow(
    "--allow-stale with --on headless",
  );
});
