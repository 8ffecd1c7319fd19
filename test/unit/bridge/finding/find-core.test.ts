/** A search for a host, question by question, on a clock of its own; many at once: test/simulator/starts.test.ts. */
import { describe, expect, test } from "bun:test";
import { find } from "../../../../src/bridge/finding/find-core.ts";
import type { FindAnswer, FindQuestion } from "../../../../src/bridge/finding/find-core.ts";

/**
 * Starts a host that answers `answersAfterMs` later. Returns how and when the search ended, and when people were told
 * that it is slow.
 */
function play(answersAfterMs: number) {
  let nowMs = 0;
  let startedAtMs = Infinity;
  const toldAtMs: number[] = [];
  const steps = find({ ports: [1], start: "command", nowMs: () => nowMs, random: () => 0 });
  let step = steps.next({});
  while (step.done !== true) {
    const question = step.value;
    if (question.ask === "start") startedAtMs = nowMs;
    if (question.ask === "tell-slow") toldAtMs.push(nowMs);
    if (question.ask === "pause") nowMs += question.durationMs;
    const isUp = nowMs >= startedAtMs + answersAfterMs;
    step = steps.next(question.ask === "dial" ? { holder: isUp ? "host" : "free" } : {});
  }
  return { end: step.value, tookMs: nowMs, toldAtMs };
}

/** A look at the port may come this much after a limit. */
const LOOK_MS = 10;

describe("a host that was started", () => {
  test("is found without a message when it answers within three seconds", () => {
    expect(play(2_900)).toMatchObject({ end: { end: "found" }, toldAtMs: [] });
  });

  test("may take up to fifteen seconds, and people are told once, after three", () => {
    const { end, tookMs, toldAtMs } = play(14_900);
    expect(end).toEqual({ end: "found" });
    expect(tookMs).toBeLessThan(14_900 + LOOK_MS);
    expect(toldAtMs).toHaveLength(1);
    expect(toldAtMs[0]).toBeWithin(3_000, 3_000 + LOOK_MS);
  });

  test("is given up after fifteen seconds", () => {
    const { end, tookMs } = play(Infinity);
    expect(end).toEqual({ end: "silent", waitedMs: 15_000 });
    expect(tookMs).toBeWithin(15_000, 15_000 + LOOK_MS);
  });
});

describe("a port whose holder accepts connections and says nothing", () => {
  /** A dial of such a holder takes five seconds. It holds the port from `holdsAtMs` on, and answers from `answersAtMs` on. */
  const playHeld = (holdsAtMs: number, answersAtMs: number) => {
    let nowMs = 0;
    const begun: string[] = [];
    const steps = find({ ports: [1], start: "command", nowMs: () => nowMs, random: () => 0 });
    let step = steps.next({});
    while (step.done !== true) {
      const { ask } = step.value;
      if (ask === "start") begun.push(ask);
      if (step.value.ask === "pause") nowMs += step.value.durationMs;
      const isHeld = nowMs >= holdsAtMs;
      if (ask === "dial" && isHeld && nowMs < answersAtMs) nowMs = Math.min(nowMs + 5_000, answersAtMs);
      const holder = !isHeld ? "free" : nowMs < answersAtMs ? "hung" : "host";
      step = steps.next(ask === "dial" ? { holder } : {});
    }
    return { end: step.value, tookMs: nowMs, begun };
  };

  test("is the host that this process has started, for as long as that may take to answer", () => {
    expect(playHeld(100, 12_000)).toMatchObject({ end: { end: "found" }, begun: ["start"] });
  });

  test("is hung where nothing was started", () => {
    expect(playHeld(0, Infinity)).toEqual({ end: { end: "hung", port: 1 }, tookMs: 5_000, begun: [] });
  });

  test("is hung when the started host is older than it may be", () => {
    const { end, tookMs } = playHeld(100, Infinity);
    expect(end).toEqual({ end: "hung", port: 1 });
    expect(tookMs).toBeWithin(15_000, 25_100);
  });
});

describe("a machine that stands still", () => {
  /** Every pause takes `standstillMs`; `answer` answers the questions, given the number of pauses so far. */
  const playSlowly = (
    standstillMs: number,
    answer: (question: FindQuestion, pauses: number) => FindAnswer,
  ) => {
    let [nowMs, pauses] = [0, 0];
    const steps = find({ ports: [1], start: "command", nowMs: () => nowMs, random: () => 0 });
    let step = steps.next({});
    while (step.done !== true) {
      if (step.value.ask === "pause") {
        nowMs += standstillMs;
        pauses += 1;
      }
      step = steps.next(answer(step.value, pauses));
    }
    return step.value;
  };

  test.each([
    ["for longer than a started host may take", 20_000, undefined, 1],
    ["after the started host has lost the race for the port", 2_000, 1, 2],
  ])("%s finds the host in a last look", (_, standstillMs, exitCode, pausesBefore) => {
    const end = playSlowly(standstillMs, ({ ask }, pauses) =>
      ask === "dial" ? { holder: pauses === pausesBefore ? "host" : "free" } : { exitCode },
    );
    expect(end).toEqual({ end: "found" });
  });

  test("while the holder of the port is busy starts a host when the port has become free", () => {
    const begun: string[] = [];
    const end = playSlowly(6_000, ({ ask }, pauses) => {
      begun.push(...(ask === "start" ? [ask] : []));
      return ask === "dial" ? { holder: begun.length > 0 ? "host" : pauses === 0 ? "busy" : "free" } : {};
    });
    expect([end, begun]).toEqual([{ end: "found" }, ["start"]]);
  });
});
