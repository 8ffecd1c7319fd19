/**
 * How a process comes to a host, without sockets and clocks: like a claim, a sequence of questions to the world. It looks
 * at the candidates in order, and has a host started, or becomes it, where there is none.
 */
import type { Holder } from "./claim-core.ts";

interface FindPlan {
  /** In the order in which they are tried. */
  readonly ports: readonly number[];
  /** What to do where nobody is the host. */
  readonly start: "nothing" | "command" | "self";
  readonly nowMs: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

export type FindQuestion =
  | { readonly ask: "dial"; readonly port: number }
  /** Claim a port for this very process. */
  | { readonly ask: "become" }
  | { readonly ask: "start" }
  /** Tell the people who wait that the host which was started takes its time. */
  | { readonly ask: "tell-slow" }
  | { readonly ask: "pause"; readonly durationMs: number };

export interface FindAnswer {
  readonly holder?: Holder;
  /** This process is the host now. */
  readonly isHost?: boolean;
  /** What was asked for cannot be done, for a reason that whoever answers knows. */
  readonly hasFailed?: boolean;
  /** Of the host that was started; undefined while it runs. */
  readonly exitCode?: number | null | undefined;
}

export type FindEnd =
  /** The host that was dialled last, or this process. */
  | { readonly end: "found" }
  /** See `hasFailed`; or the host dialled last does not take us in. */
  | { readonly end: "failed" }
  | { readonly end: "hung" | "untrusted"; readonly port: number }
  | { readonly end: "none" }
  | { readonly end: "silent"; readonly waitedMs: number }
  | { readonly end: "ended"; readonly exitCode: number | null };

type Find<End> = Generator<FindQuestion, End, FindAnswer>;

/** How long a host that is busy may take to let a client in, and how long a lost host's successor is looked for. */
const PATIENCE_MS = 5_000;
/** How long a host that was started may take to answer. Load, emulation and virus scanners make a start take seconds. */
const START_MS = 15_000;
/** After this time a start counts as slow. */
const SLOW_START_MS = 3_000;
const RETRY_MS = 3;
/** How much of the time waited so far may pass until the next look, and the most of it. */
const NEXT_SHARE = 0.25;
const NEXT_PAUSE_MS = 25;
/** A host that lost the race for the port ends early; the winner then answers within this time. */
const RACE_MS = 1_000;

/** The next host after one was lost: somebody else may be about to become it. */
export function* findNext(plan: FindPlan): Find<FindEnd> {
  const lostAtMs = plan.nowMs();
  for (;;) {
    const result = yield* find(plan);
    const waitedMs = plan.nowMs() - lostAtMs;
    if (result.end === "found" || waitedMs > PATIENCE_MS) return result;
    const durationMs = 1 + plan.random() * Math.min(NEXT_PAUSE_MS, NEXT_SHARE * waitedMs);
    yield { ask: "pause", durationMs };
  }
}

export function* find({ ports, start, nowMs }: FindPlan): Find<FindEnd> {
  let giveUpAtMs = nowMs() + PATIENCE_MS;
  let tellAtMs = Infinity;
  let isStarted = false;
  let endedAtMs = Infinity;
  for (;;) {
    const seen = yield* lookAround(ports);
    if (typeof seen === "object") return seen;
    if (seen === "nobody" && start === "nothing") return { end: "none" };
    if (seen === "nobody" && !isStarted) {
      const answer = yield { ask: start === "self" ? "become" : "start" };
      if (answer.isHost === true) return { end: "found" };
      if (answer.hasFailed === true) return { end: "failed" };
      // Losing the race for the port is no failure: the winner is who we look for.
      isStarted = start === "command";
      if (isStarted) {
        giveUpAtMs = nowMs() + START_MS;
        tellAtMs = nowMs() + SLOW_START_MS;
      }
    }
    if (nowMs() > tellAtMs) {
      tellAtMs = Infinity;
      yield { ask: "tell-slow" };
    }
    const { exitCode } = yield { ask: "pause", durationMs: RETRY_MS };
    if (exitCode !== undefined) endedAtMs = Math.min(endedAtMs, nowMs());
    if (nowMs() <= Math.min(giveUpAtMs, endedAtMs + RACE_MS)) continue;
    if (!isStarted) return { end: "none" };
    return exitCode === undefined ? { end: "silent", waitedMs: START_MS } : { end: "ended", exitCode };
  }
}

/** One look at every candidate. `busy`: somebody may be about to answer. */
function* lookAround(ports: readonly number[]): Find<FindEnd | "nobody" | "busy"> {
  const holders: Holder[] = [];
  for (const port of ports) {
    const { holder = "free" } = yield { ask: "dial", port };
    if (holder === "host" || holder === "settling") return { end: "found" };
    if (holder === "refused") return { end: "failed" };
    holders.push(holder);
  }
  const hung = ports[holders.indexOf("hung")];
  if (hung !== undefined) return { end: "hung", port: hung };
  const [first] = ports;
  if (first !== undefined && holders.every((holder) => holder === "stranger"))
    return { end: "untrusted", port: first };
  return holders.includes("busy") ? "busy" : "nobody";
}
