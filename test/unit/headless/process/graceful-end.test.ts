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
const place = Uint8Array.of(7);

/** What happens, in order, to a Studio that is told to end. */
function told(savePlaceAsync?: (place: Uint8Array) => Promise<void>) {
  const steps: string[] = [];
  const end = new GracefulEnd({
    askForPlace: () => steps.push("place"),
    savePlaceAsync,
    askForGoodbye: () => steps.push("goodbye"),
    ended: (reason = "in peace") => steps.push(reason),
  });
  end.begin();
  return { steps, end };
}

test("without a place to save, the plugin says goodbye, or is not waited for", () => {
  const { steps } = told();
  expect(steps).toEqual(["goodbye"]);
  jest.advanceTimersByTime(LONG_MS);
  expect(steps).toEqual(["goodbye", "in peace"]);
});

test("a place is saved before the goodbye, however long that takes", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { steps, end } = told((given) => promise.then(() => void steps.push(`saved ${given}`)));
  const saved = end.saveAsync(place);
  jest.advanceTimersByTime(LONG_MS);
  expect(steps).toEqual(["place"]);
  resolve();
  await saved;
  expect(steps).toEqual(["place", "saved 7", "goodbye"]);
});

test("a VM that gives no place has not saved it", () => {
  const { steps } = told(() => Promise.resolve());
  jest.advanceTimersByTime(LONG_MS);
  expect(steps).toEqual(["place", "The place was not saved: a script never yielded."]);
});

test("a place that cannot be written is told with the reason", async () => {
  const { steps, end } = told(() => Promise.reject(new Error("the disk is full")));
  await end.saveAsync(place);
  expect(steps).toEqual(["place", "the disk is full"]);
});

test("nothing comes after the end", () => {
  const { steps, end } = told();
  end[Symbol.dispose]();
  jest.advanceTimersByTime(LONG_MS);
  expect(steps).toEqual(["goodbye"]);
});
