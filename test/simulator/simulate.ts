/**
 * One seeded schedule: a few clients, a few Studios, hosts that come and go, and every kind of fault between them.
 * Afterwards the faults end, and then everything must work again.
 */
import { knownSessions } from "../../src/bridge/client/client-core.ts";
import type { ClientState } from "../../src/bridge/client/client-core.ts";
import { presentSessions } from "../../src/bridge/host/session-list.ts";
import type { SessionInfo } from "../../src/protocol/network.ts";
import { History } from "./history.ts";
import { SimLink } from "./link.ts";
import type { End } from "./link.ts";
import { Random } from "./random.ts";
import { SimClient } from "./sim-client.ts";
import type { Neighbourhood } from "./sim-client.ts";
import { SimHost } from "./sim-host.ts";
import { SimPlugin } from "./sim-plugin.ts";
import { Timeline } from "./timeline.ts";

export interface Verdict {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly calls: number;
  /** Ended with the real reply. */
  readonly replies: number;
  readonly hosts: number;
  readonly steps: number;
  /** How often a caller waited for the person at Studio, and the ends by which that person refused. */
  readonly holds: number;
  readonly refused: number;
}

export interface Circumstances {
  /** A person at each Studio is asked about every script. */
  readonly asks?: boolean;
}

const TROUBLE_MS = 4_000;
const PEACE_MS = 12_000;
/** Every question has an end by then, also those that wait behind others. */
const PEACE_WITH_QUESTIONS_MS = 90_000;
const MAX_HOST_START_MS = 25;
const BY_PERSON: ReadonlySet<string> = new Set(["DENIED", "UNANSWERED"]);
const LIST_TIMEOUT_MS = 5_000;
const LAST_WORDS_MS = 1_000;

export function simulate(seed: number, { asks = false }: Circumstances = {}): Verdict {
  return new Machine(seed, asks).run();
}

class Machine implements Neighbourhood {
  readonly timeline = new Timeline();
  readonly history = new History();
  readonly random: Random;
  readonly #seed: number;
  readonly #endsAtMs: number;
  readonly #clients: SimClient[];
  readonly #plugins: SimPlugin[];
  #host: SimHost | undefined;
  #isHostStarting = false;
  #hosts = 0;
  #steps = 0;
  #nextMark = 1;

  constructor(seed: number, asks: boolean) {
    this.#seed = seed;
    this.#endsAtMs = TROUBLE_MS + (asks ? PEACE_WITH_QUESTIONS_MS : PEACE_MS);
    this.random = new Random(seed);
    this.#clients = Array.from(
      { length: 1 + this.random.below(3) },
      (_, index) => new SimClient(index, this),
    );
    this.#plugins = Array.from(
      { length: 1 + this.random.below(2) },
      (_, index) => new SimPlugin(`window-${index}`, this, undefined, undefined, asks),
    );
  }

  connect(role: "client" | "plugin", end: End): SimLink | undefined {
    const host = this.#host;
    if (host === undefined) return undefined;
    const link: SimLink = new SimLink(this.timeline, this.random, {
      peer: end,
      host: host.accept(role, () => link),
    });
    return link;
  }

  startHost(): void {
    if (this.#host !== undefined || this.#isHostStarting) return;
    this.#isHostStarting = true;
    this.timeline.after(this.random.between(1, MAX_HOST_START_MS), () => {
      this.#isHostStarting = false;
      this.#hosts += 1;
      const host: SimHost = new SimHost(this.timeline, this.random, () => {
        if (this.#host === host) this.#host = undefined;
      });
      this.#host = host;
    });
  }

  run(): Verdict {
    this.#planTrouble();
    const check = () => this.#check();
    this.timeline.run(TROUBLE_MS, check);
    // By then all processes must be connected again, and followers of a log must hear the lines that are printed now.
    this.timeline.at(this.#endsAtMs - LAST_WORDS_MS, () => this.#plugins.forEach((plugin) => plugin.log()));
    this.timeline.run(this.#endsAtMs, check);
    this.history.finish();
    this.#checkPeace();
    this.#checkFollowers();
    const ends = [...this.history.calls.values()].flatMap((call) => call.ends);
    return {
      seed: this.#seed,
      violations: this.history.violations,
      calls: this.history.calls.size,
      replies: ends.filter(({ kind }) => kind === "reply").length,
      hosts: this.#hosts,
      steps: this.#steps,
      holds: this.history.holds,
      refused: ends.filter((end) => end.kind === "failed" && BY_PERSON.has(end.error.code)).length,
    };
  }

  #planTrouble(): void {
    const plan = (count: number, happen: () => void) => {
      for (let index = 0; index < count; index += 1)
        this.timeline.at(this.random.between(100, TROUBLE_MS), happen);
    };
    const isLate = () => this.random.chance(0.2);
    plan(4 + this.random.below(8), () => this.#call());
    plan(this.random.below(3), () => this.#pick(this.#clients).list(this.#nextMark++, LIST_TIMEOUT_MS));
    plan(4 * this.random.below(4), () => this.#pick(this.#plugins).log());
    plan(this.random.below(4), () => this.#follow());
    plan(this.random.below(3), () => this.#host?.kill());
    plan(this.random.below(2), () => this.#host?.stop());
    plan(this.random.below(2), () => this.#host?.freeze(this.random.between(10, 3_000)));
    plan(this.random.below(2), () => this.#pick(this.#clients).cut(isLate()));
    plan(this.random.below(2), () => this.#pick(this.#plugins).cut(isLate()));
    if (this.random.chance(0.1))
      plan(1, () => this.#pick(this.#plugins).freeze(this.random.between(10, 2_000)));
    if (this.random.chance(0.1)) plan(1, () => this.#pick(this.#plugins).reload());
  }

  #follow(): void {
    const { sessionId } = this.#pick(this.#plugins);
    if (sessionId !== "") this.#pick(this.#clients).call(sessionId, "subscribe", this.#nextMark++, 6_000);
  }

  #call(): void {
    const { sessionId } = this.#pick(this.#plugins);
    const client = this.#pick(this.#clients);
    if (sessionId === "") return;
    const action = this.random.chance(0.75) ? "execute" : "queryLogs";
    const timeoutMs = this.random.chance(0.2) ? this.random.between(20, 1_000) : 6_000;
    const callId = client.call(sessionId, action, this.#nextMark++, Math.ceil(timeoutMs));
    if (this.random.chance(0.15))
      this.timeline.after(this.random.between(0, 600), () => client.abort(callId));
  }

  #pick<T>(from: readonly T[]): T {
    const picked = from[this.random.below(from.length)];
    if (picked === undefined) throw new Error("nothing to pick from");
    return picked;
  }

  /** What must be true at every moment. */
  #check(): void {
    this.#steps += 1;
    const host = this.#host?.core;
    if (host === undefined) return;
    for (const link of host.links.values()) {
      let waiting = 0;
      for (const { clientLinkId } of host.pending.values()) if (clientLinkId === link.id) waiting += 1;
      if (link.inFlight !== waiting)
        this.history.fault(`a client has ${waiting} requests but ${link.inFlight} are counted`);
    }
  }

  /** Every follower that is still subscribed has heard the last line. */
  #checkFollowers(): void {
    for (const { core, index } of this.#clients)
      for (const { sessionId, recorded } of this.#plugins) {
        if (!core.subscriptions.has(sessionId)) continue;
        const last = this.history.feeds.last(index, sessionId);
        if (last !== recorded - 1) this.history.fault(`R9: line ${recorded - 1} was said, ${last} heard`);
      }
  }

  /** A client knows the sessions as the host does. */
  #checkMirror(client: ClientState): void {
    const { nowMs } = this.timeline;
    const told = knownSessions(client, nowMs)?.map(summary).sort().join();
    const host = this.#host;
    // The client has not asked for the sessions yet.
    if (host === undefined || (host.isOlder && told === undefined)) return;
    const there = presentSessions(host.core)?.map(summary).sort().join();
    if (told !== there) this.history.fault(`a client knows ${told}, the host has ${there}`);
  }

  /** All processes are connected again, and nothing is left over. */
  #checkPeace(): void {
    const host = this.#host?.core;
    if (host === undefined) return this.history.fault("R3: no host serves in the end");
    const left = {
      pending: host.pending.size,
      expected: host.expected.size,
      lists: host.waitingLists.length,
    };
    if (left.pending + left.expected + left.lists > 0)
      this.history.fault(`the host keeps ${JSON.stringify(left)}`);
    if (this.#clients.some(({ core }) => core.phase !== "attached"))
      this.history.fault("R3: a client is lost");
    if (this.#plugins.some(({ isActive }) => !isActive)) this.history.fault("R7: a plugin is lost");
    for (const { core } of this.#clients) this.#checkMirror(core);
    const known = [...host.sessions.keys()].sort().join();
    const there = this.#plugins
      .map(({ sessionId }) => sessionId)
      .sort()
      .join();
    if (known !== there) this.history.fault(`R7: the host knows ${known}, there are ${there}`);
  }
}

const summary = ({ sessionId, state, health }: SessionInfo) => `${sessionId} ${state} ${health}`;
