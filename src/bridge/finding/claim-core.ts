/**
 * How a new host gets its port, without sockets and clocks: a sequence of questions to the world, which the caller
 * answers. Binding is the lock. Before and after it, every candidate port is asked for a host with this key, so that
 * there is never a second one.
 */

/** Which kind of holder a port has, as far as dialling shows. */
export type Holder =
  | "host"
  /** A host that has bound its port and is still looking for another host. */
  | "settling"
  /** A host that cannot accept this process now, or is about to end. */
  | "busy"
  /** Our host, which refuses this process and says why. */
  | "refused"
  | "stranger"
  | "hung"
  | "free";

interface BindFault {
  /** Another program holds the port. */
  readonly isTaken: boolean;
  readonly reason: string;
}

export type ClaimQuestion =
  /** Dials all of the ports at the same time. */
  | { readonly ask: "holders"; readonly ports: readonly number[] }
  | { readonly ask: "bind"; readonly port: number }
  | { readonly ask: "pause"; readonly durationMs: number };

export interface ClaimAnswer {
  /** The holders of the ports in question, in the same order. */
  readonly holders?: readonly Holder[];
  /** Why the port was not bound; undefined: the port is bound, and the host serves from now on. */
  readonly fault?: BindFault;
}

export type ClaimEnd =
  | { readonly end: "won"; readonly port: number }
  /** The claim has failed; a port that was bound must be given up again. */
  | { readonly end: "running" | "hung" | "untrusted"; readonly port: number }
  | { readonly end: "unavailable"; readonly port: number; readonly reason: string }
  | { readonly end: "none" };

type Claim<End> = Generator<ClaimQuestion, End, ClaimAnswer>;
type Lost = Exclude<ClaimEnd, { readonly end: "won" }>;

const LEAVING_MS = 250;
const RETRY_MS = 2;
/** Longer than any process needs to dial every candidate. */
const SETTLING_MS = 3_000;

interface ClaimPlan {
  readonly ports: readonly number[];
  /** The caller has just dialled every candidate. */
  readonly hasLooked: boolean;
  readonly nowMs: () => number;
}

export function* claim({ ports, hasLooked, nowMs }: ClaimPlan): Claim<ClaimEnd> {
  if (!hasLooked) {
    const { holders = [] } = yield { ask: "holders", ports };
    const present = portOf(ports, holders, ["host", "settling"]);
    if (present !== undefined) return { end: "running", port: present };
    const hung = portOf(ports, holders, ["hung"]);
    if (hung !== undefined) return { end: "hung", port: hung };
  }
  for (const port of ports) {
    const lost = yield* bindPatiently(port, ports.length === 1, nowMs);
    if (lost === undefined) return (yield* settle(port, ports, nowMs)) ?? { end: "won", port };
    if (lost !== "elsewhere") return lost;
  }
  return { end: "none" };
}

/**
 * Undefined when the port is bound. Tries for a moment, because a host that is ending may hold its port after its last
 * answer.
 */
function* bindPatiently(
  port: number,
  isPinned: boolean,
  nowMs: () => number,
): Claim<Lost | "elsewhere" | undefined> {
  const patientUntilMs = nowMs() + LEAVING_MS;
  for (;;) {
    // The clock is read before the try, so that one more try follows a moment in which this process stood still.
    const isLastTry = nowMs() >= patientUntilMs;
    const { fault } = yield { ask: "bind", port };
    if (fault === undefined) return undefined;
    const holder = fault.isTaken ? yield* holderOf(port) : "free";
    if (holder === "hung") return { end: "hung", port };
    if (holder === "stranger") return isPinned ? { end: "untrusted", port } : "elsewhere";
    if (holder !== "free") return { end: "running", port };
    if (!fault.isTaken || isLastTry)
      return isPinned ? { end: "unavailable", port, reason: fault.reason } : "elsewhere";
    yield { ask: "pause", durationMs: RETRY_MS };
  }
}

function* holderOf(port: number): Claim<Holder> {
  const { holders } = yield { ask: "holders", ports: [port] };
  return holders?.[0] ?? "free";
}

/**
 * Processes that start at once may meet different strangers, and so bind different ports. A host that is still settling
 * gives way to any host on an earlier port, and to a settled host on a later one. A host that settles on a later port
 * will see this one and give way itself.
 */
function* settle(own: number, ports: readonly number[], nowMs: () => number): Claim<Lost | undefined> {
  const others = ports.filter((port) => port !== own);
  const ahead = ports.slice(0, ports.indexOf(own));
  const patientUntilMs = nowMs() + SETTLING_MS;
  while (others.length > 0) {
    const { holders = [] } = yield { ask: "holders", ports: others };
    const settled = portOf(others, holders, ["host", "refused"]) ?? portOf(ahead, holders, ["settling"]);
    if (settled !== undefined) return { end: "running", port: settled };
    const hung = portOf(others, holders, ["hung"]);
    if (hung !== undefined) return { end: "hung", port: hung };
    const open = portOf(others, holders, ["settling", "busy"]);
    if (open === undefined) return undefined;
    if (nowMs() >= patientUntilMs) return { end: "running", port: open };
    yield { ask: "pause", durationMs: RETRY_MS };
  }
  return undefined;
}

/** The first of the ports whose holder is one of these kinds. `holders` has the same order as `ports`. */
function portOf(
  ports: readonly number[],
  holders: readonly Holder[],
  wanted: readonly Holder[],
): number | undefined {
  return ports.find((_, index) => wanted.some((holder) => holder === holders[index]));
}
