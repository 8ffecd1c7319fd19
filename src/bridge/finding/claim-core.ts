/**
 * How a new host comes to its port, without sockets and clocks: a sequence of questions to the world, each of which is
 * yielded and answered. Binding is the lock; before and after, every candidate is asked whether a host of
 * this key is there already, so that there is never a second one.
 */

/** Who holds a port, as far as dialling it tells. */
export type Holder =
  | "host"
  /** A host that has bound its port and still looks whether there is another. */
  | "settling"
  /** A host that cannot take us right now, or is leaving. */
  | "busy"
  /** Our host says why it does not take us in. */
  | "refused"
  | "stranger"
  | "hung"
  | "free";

interface BindFault {
  /** Somebody holds the port. */
  readonly isTaken: boolean;
  readonly reason: string;
}

export type ClaimQuestion =
  /** All of them at the same time. */
  | { readonly ask: "holders"; readonly ports: readonly number[] }
  | { readonly ask: "bind"; readonly port: number }
  | { readonly ask: "pause"; readonly durationMs: number };

export interface ClaimAnswer {
  /** Of the ports asked about, in their order. */
  readonly holders?: readonly Holder[];
  /** Why the port was not bound; undefined: it is, and serves from now on. */
  readonly fault?: BindFault;
}

export type ClaimEnd =
  | { readonly end: "won"; readonly port: number }
  /** A port that was bound is to be given up again. */
  | { readonly end: "running" | "hung" | "untrusted"; readonly port: number }
  | { readonly end: "unavailable"; readonly port: number; readonly reason: string }
  | { readonly end: "none" };

type Claim<End> = Generator<ClaimQuestion, End, ClaimAnswer>;
type Lost = Exclude<ClaimEnd, { readonly end: "won" }>;

const LEAVING_MS = 250;
const RETRY_MS = 2;
/** Longer than anybody needs to dial every candidate. */
const SETTLING_MS = 3_000;

interface ClaimPlan {
  readonly ports: readonly number[];
  /** The caller has just asked every candidate. */
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

/** Undefined when it is bound. A host that is just going may hold the port a moment longer than it answers. */
function* bindPatiently(
  port: number,
  isPinned: boolean,
  nowMs: () => number,
): Claim<Lost | "elsewhere" | undefined> {
  const patientUntilMs = nowMs() + LEAVING_MS;
  for (;;) {
    const { fault } = yield { ask: "bind", port };
    if (fault === undefined) return undefined;
    const holder = fault.isTaken ? yield* holderOf(port) : "free";
    if (holder === "hung") return { end: "hung", port };
    if (holder === "stranger") return isPinned ? { end: "untrusted", port } : "elsewhere";
    if (holder !== "free") return { end: "running", port };
    if (!fault.isTaken || nowMs() >= patientUntilMs)
      return isPinned ? { end: "unavailable", port, reason: fault.reason } : "elsewhere";
    yield { ask: "pause", durationMs: RETRY_MS };
  }
}

function* holderOf(port: number): Claim<Holder> {
  const { holders } = yield { ask: "holders", ports: [port] };
  return holders?.[0] ?? "free";
}

/**
 * Processes that started at once may have met different strangers, and so hold different ports. Who is not settled yet
 * yields to any host further ahead, and to a settled one behind; one that settles behind will see us and yield.
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

/** The first of the ports whose holder, at the same place in its list, is one of these. */
function portOf(
  ports: readonly number[],
  holders: readonly Holder[],
  wanted: readonly Holder[],
): number | undefined {
  return ports.find((_, index) => wanted.some((holder) => holder === holders[index]));
}
