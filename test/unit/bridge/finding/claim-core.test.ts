/** A claim, question by question; many of them at once: test/simulator/starts.test.ts. */
import { describe, expect, test } from "bun:test";
import { claim } from "../../../../src/bridge/finding/claim-core.ts";
import type { ClaimEnd, ClaimQuestion, Holder } from "../../../../src/bridge/finding/claim-core.ts";

const PORTS = [1, 2, 3];

interface Scene {
  /** For each port the results of one look after the other; the last result stays. */
  readonly holders: { readonly [port: number]: readonly Holder[] };
  /** Ports that cannot be bound. */
  readonly taken?: readonly number[];
  readonly refused?: readonly number[];
  readonly ports?: readonly number[];
  readonly hasLooked?: boolean;
  /** How long each look takes. */
  readonly standstillMs?: number;
  /** The taken ports are free after the first look. */
  readonly becomesFree?: boolean;
}

function play({
  holders,
  taken = [],
  refused = [],
  ports = PORTS,
  hasLooked = true,
  standstillMs = 0,
  becomesFree = false,
}: Scene) {
  let nowMs = 0;
  const looks = new Map<number, number>();
  const bound: number[] = [];
  const look = (port: number): Holder => {
    const seen = holders[port] ?? ["free"];
    const count = looks.get(port) ?? 0;
    looks.set(port, count + 1);
    return seen[Math.min(count, seen.length - 1)] ?? "free";
  };
  const answer = (question: ClaimQuestion) => {
    if (question.ask === "pause") nowMs += question.durationMs;
    if (question.ask === "holders") nowMs += standstillMs;
    if (question.ask === "holders") return { holders: question.ports.map(look) };
    if (question.ask !== "bind") return {};
    if (taken.includes(question.port) && !(becomesFree && nowMs > 0))
      return { fault: { isTaken: true, reason: "taken" } };
    if (refused.includes(question.port)) return { fault: { isTaken: false, reason: "denied" } };
    bound.push(question.port);
    return {};
  };
  const steps = claim({ ports, hasLooked, nowMs: () => nowMs });
  let step = steps.next({});
  while (step.done !== true) step = steps.next(answer(step.value));
  return { end: step.value, bound, tookMs: nowMs };
}

const running = (port: number): ClaimEnd => ({ end: "running", port });
const won = (port: number): ClaimEnd => ({ end: "won", port });

describe("before it binds", () => {
  test.each([
    ["host", running(2)],
    ["settling", running(2)],
    ["hung", { end: "hung", port: 2 }],
    ["stranger", won(1)],
  ] as const)("a port further on whose holder is %s decides", (holder, end) => {
    expect(play({ holders: { 2: [holder] }, hasLooked: false }).end).toEqual(end);
  });
});

describe("a port that cannot be bound", () => {
  test.each([
    ["host", running(1), running(1)],
    ["busy", running(1), running(1)],
    ["refused", running(1), running(1)],
    ["hung", { end: "hung", port: 1 }, { end: "hung", port: 1 }],
    ["stranger", won(2), { end: "untrusted", port: 1 }],
    ["free", won(2), { end: "unavailable", port: 1, reason: "taken" }],
  ] as const)("because of a holder that is %s", (holder, end, pinnedEnd) => {
    const holders = { 1: [holder] };
    expect(play({ holders, taken: [1] }).end).toEqual(end);
    expect(play({ holders, taken: [1], ports: [1] }).end).toEqual(pinnedEnd);
  });

  test("is tried again for a moment if its holder does not answer", () => {
    expect(play({ holders: {}, taken: [1] }).tookMs).toBe(250);
    expect(play({ holders: {}, refused: [1] })).toEqual({ end: won(2), bound: [2], tookMs: 0 });
  });

  test("is tried once more after a moment in which the machine stood still", () => {
    const scene = { holders: {}, taken: [1], ports: [1], standstillMs: 2_000, becomesFree: true };
    expect(play(scene).end).toEqual(won(1));
  });

  test("is named in the error when there is no other", () => {
    const holders = { 1: ["stranger"], 2: ["stranger"], 3: ["stranger"] } as const;
    expect(play({ holders, taken: PORTS }).end).toEqual({ end: "none" });
    expect(play({ holders: {}, refused: [1], ports: [1] }).end).toMatchObject({ reason: "denied" });
  });
});

describe("after it has bound a port", () => {
  const second = (one: readonly Holder[], three: readonly Holder[] = ["free"]) =>
    play({ holders: { 1: ["stranger", ...one], 3: three }, taken: [1] });

  test("it gives way to a settled host on any port, and to a settling host on an earlier one", () => {
    expect(second(["host"])).toEqual({ end: running(1), bound: [2], tookMs: 0 });
    expect(second(["settling"])).toEqual({ end: running(1), bound: [2], tookMs: 0 });
    expect(second(["free"], ["host"]).end).toEqual(running(3));
    expect(second(["free"], ["refused"]).end).toEqual(running(3));
  });

  test("it waits for a host that settles on a later port, which gives way or was first", () => {
    expect(second(["stranger"], ["settling", "settling", "free"])).toMatchObject({ end: won(2), tookMs: 4 });
    expect(second(["stranger"], ["settling", "host"])).toMatchObject({ end: running(3), tookMs: 2 });
    expect(second(["stranger"], ["busy", "free"])).toMatchObject({ end: won(2), tookMs: 2 });
    expect(second(["stranger"], ["settling"])).toMatchObject({ end: running(3), tookMs: 3_000 });
  });

  test("it gives way to a holder that does not answer, because that may be a host", () => {
    expect(second(["free"], ["hung"]).end).toEqual({ end: "hung", port: 3 });
  });

  test("it looks at no other port when it was given only one", () => {
    expect(play({ holders: {}, ports: [1] })).toEqual({ end: won(1), bound: [1], tookMs: 0 });
  });
});
