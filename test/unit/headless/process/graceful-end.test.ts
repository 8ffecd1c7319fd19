/** The end that a headless Studio is told to make: its order, and how long each step is waited for. */
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { GracefulEnd } from "../../../../src/headless/process/graceful-end.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const LONG_MS = 60_000;

/** What happens, in order, to a Studio that is told to end. */
function told(putAwayAsync?: () => Promise<void>) {
  const steps: string[] = [];
  const end = new GracefulEnd({
    putAwayAsync,
    askForGoodbye: () => steps.push("goodbye"),
    ended: (reason = "in peace") => steps.push(reason),
  });
  return { steps, end, begun: end.beginAsync() };
}

test("without a place to put away, the plugin says goodbye, or is not waited for", async () => {
  const { steps, begun } = told();
  await begun;
  expect(steps).toEqual(["goodbye"]);
  jest.advanceTimersByTime(LONG_MS);
  expect(steps).toEqual(["goodbye", "in peace"]);
});

test("a place is put away before the goodbye, however long that takes", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { steps, begun } = told(() => promise);
  jest.advanceTimersByTime(LONG_MS);
  expect(steps).toEqual([]);
  resolve();
  await begun;
  expect(steps).toEqual(["goodbye"]);
});

test("a place that cannot be put away is told with the reason, after the goodbye", async () => {
  const { steps, end, begun } = told(() => Promise.reject(new Error("the disk is full")));
  await begun;
  expect(steps).toEqual(["goodbye"]);
  end.goodbyeSaid();
  expect(steps).toEqual(["goodbye", "the disk is full"]);
});

test("a second request to end changes nothing, and nothing comes after the end", async () => {
  const { steps, end, begun } = told();
  await begun;
  await end.beginAsync();
  end[Symbol.dispose]();
  jest.advanceTimersByTime(LONG_MS);
  expect(steps).toEqual(["goodbye"]);
});
