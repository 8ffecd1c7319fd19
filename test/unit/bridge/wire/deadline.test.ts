/** The time in which a person at Studio is asked does not count, whatever the plugin sends and whenever it falls silent. */
import { expect, test } from "bun:test";
import { deadlineAt, hold, release, totalHeldMs } from "../../../../src/bridge/wire/deadline.ts";
import { limits } from "../../../../src/protocol/limits.ts";

test("a deadline moves by exactly the time for which its request was held", () => {
  let seed = 7;
  const below = (most: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  for (let history = 0; history < 2_000; history += 1) {
    const first = 1_000 + below(30_000);
    const deadline = deadlineAt(first);
    let [nowMs, heldMs] = [0, 0];
    for (let turn = 0; turn < 4 && nowMs < first; turn += 1) {
      nowMs += below(first / 4);
      const sinceMs = nowMs;
      for (let push = 0; push <= below(4); push += 1) {
        hold(deadline, nowMs, 50_000);
        nowMs += below(10_000);
      }
      expect(totalHeldMs(deadline, nowMs)).toBe(heldMs + nowMs - sinceMs);
      release(deadline, nowMs);
      heldMs += nowMs - sinceMs;
      expect(deadline.dueAtMs).toBe(first + heldMs);
      if (nowMs >= first + heldMs) break;
    }
  }
});

test("a plugin that falls silent holds a request no longer than it has said, and than is allowed", () => {
  const deadline = deadlineAt(5_000);
  hold(deadline, 1_000, 50_000);
  expect(deadline.dueAtMs).toBe(1_000 + 50_000 + 4_000);
  hold(deadline, 2_000, 1e9);
  expect(deadline.dueAtMs).toBe(2_000 + limits.heldMs + 4_000);
});

test("what was never held keeps its deadline", () => {
  const deadline = deadlineAt(5_000);
  release(deadline, 4_000);
  expect(deadline.dueAtMs).toBe(5_000);
});
