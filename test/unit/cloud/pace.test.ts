/** How long the next call waits after the headers of an answer. */
import { expect, test } from "bun:test";
import { Pace } from "../../../src/cloud/pace.ts";

/** The wait after a refusal with these headers, in milliseconds. */
async function waitAsync(headers: Readonly<Record<string, string>>, count = 0): Promise<number> {
  let now = 0;
  const clock = {
    now: () => now,
    sleepAsync: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
  const pace = new Pace(clock, "requests");
  pace.noteRefusal(new Headers(headers), count, "429");
  await pace.turnAsync(new AbortController().signal, () => {});
  return now;
}

test("a refusal is waited for as long as it says, in seconds or until a date, but not without end", async () => {
  expect(await waitAsync({ "retry-after": "3" })).toBe(3000);
  expect(await waitAsync({ "retry-after": "150" })).toBe(150_000);
  expect(await waitAsync({ "retry-after": "99999" })).toBe(600_000);
  const date = new Date(Date.now() + 90_000).toUTCString();
  const untilDateMs = await waitAsync({ "retry-after": date });
  expect(untilDateMs).toBeGreaterThan(85_000);
  expect(untilDateMs).toBeLessThanOrEqual(90_000);
  expect(await waitAsync({ "retry-after": new Date(0).toUTCString() })).toBe(250);
});

test("without such a time, the period of the limit or a time that doubles counts", async () => {
  expect(await waitAsync({ "x-ratelimit-reset": "7" })).toBe(7000);
  expect(await waitAsync({ "x-ratelimit-reset": "700" })).toBe(60_000);
  expect(await waitAsync({ "retry-after": "soon" })).toBe(1000);
  expect(await waitAsync({}, 3)).toBe(8000);
});
