/**
 * How a process finds a host, without sockets and clocks: like a claim, a sequence of questions to the world. It looks
 * at the candidate ports in order. If there is no host, it has one started or becomes the host.
 */
import type { Holder } from "./claim-core.ts";

interface FindPlan {
  /** In the order in which they are tried. */
  readonly ports: readonly number[];
  /** What to do if no process is the host. */
  readonly start: "nothing" | "command" | "self";
  readonly nowMs: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

export type FindQuestion =
  | { readonly ask: "dial"; readonly port: number }
  /** Claims a port for this process. */
  | { readonly ask: "become" }
  | { readonly ask: "start" }
  /** Tells the waiting people that the host which was started is slow. */
  | { readonly ask: "tell-slow" }
  | { readonly ask: "pause"; readonly durationMs: number };

export interface FindAnswer {
  readonly holder?: Holder;
  /** This process is the host now. */
  readonly isHost?: boolean;
  /** The step failed. The caller, which gives this answer, knows the reason. */
  readonly hasFailed?: boolean;
  /** The exit code of the started host; undefined while it runs. */
  readonly exitCode?: number | null | undefined;
}

export type FindEnd =
  /** The host is the one that was dialled last, or this process. */
  | { readonly end: "found" }
  /** A step failed (`hasFailed`), or the host that was dialled last refuses this process. */
  | { readonly end: "failed" }
  | { readonly end: "hung" | "untrusted"; readonly port: number }
  | { readonly end: "none" }
  | { readonly end: "silent"; readonly waitedMs: number }
  | { readonly end: "ended"; readonly exitCode: number | null };

type Find<End> = Generator<FindQuestion, End, FindAnswer>;

/** How long a busy host may take to accept a client, and how long the successor of a lost host is looked for. */
const PATIENCE_MS = 5_000;
/** How long a started host may take to answer. Load, emulation and virus scanners make a start take seconds. */
const START_MS = 15_000;
/** After this time the start is reported as slow. */
const SLOW_START_MS = 3_000;
const RETRY_MS = 3;
/** The pause before the next look, as a share of the time waited so far, and its upper limit. */
const NEXT_SHARE = 0.25;
const NEXT_PAUSE_MS = 25;
/** A started host that loses the race for the port ends early; the winner then answers within this time. */
const RACE_MS = 1_000;

/**
 * Looks for the next host after one was lost. It waits at first, because another process may be about to become the
 * host.
 */
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
  let exitCode: FindAnswer["exitCode"];
  for (;;) {
    // The search ends with a look, because the host may have come while this process stood still.
    const isLastLook = nowMs() > giveUpAtMs;
    const looked = yield* lookAround(ports);
    // A host that was just started may hold its port for seconds before it answers.
    const isStarting = isStarted && !isLastLook && typeof looked === "object" && looked.end === "hung";
    const seen = isStarting ? "busy" : looked;
    if (typeof seen === "object") return seen;
    if (seen === "none" && start === "nothing") return { end: "none" };
    const wasStarted: boolean = isStarted;
    if (seen === "none" && !isStarted) {
      const answer = yield { ask: start === "self" ? "become" : "start" };
      if (answer.isHost === true) return { end: "found" };
      if (answer.hasFailed === true) return { end: "failed" };
      // A started host that lost the race for the port is no failure, because the winner is the host to find.
      isStarted = start === "command";
      if (isStarted) {
        giveUpAtMs = nowMs() + START_MS;
        tellAtMs = nowMs() + SLOW_START_MS;
      }
    }
    if (isLastLook && isStarted === wasStarted) {
      if (!isStarted) return { end: "none" };
      return exitCode === undefined ? { end: "silent", waitedMs: START_MS } : { end: "ended", exitCode };
    }
    if (nowMs() > tellAtMs) {
      tellAtMs = Infinity;
      yield { ask: "tell-slow" };
    }
    const hadEnded = exitCode !== undefined;
    ({ exitCode } = yield { ask: "pause", durationMs: RETRY_MS });
    if (exitCode !== undefined && !hadEnded) giveUpAtMs = Math.min(giveUpAtMs, nowMs() + RACE_MS);
  }
}

/** Looks once at every candidate. `busy`: one of the holders may be about to answer. */
function* lookAround(ports: readonly number[]): Find<FindEnd | "none" | "busy"> {
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
  return holders.includes("busy") ? "busy" : "none";
}
