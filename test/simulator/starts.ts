/**
 * One seeded schedule of many processes that start when there is no host. There is at most one host at every moment. At
 * the end all processes are its clients, or were told the real reason why not.
 */
import { Random } from "./random.ts";
import { SimPorts } from "./sim-ports.ts";
import type { Occupant } from "./sim-ports.ts";
import { SimServe, SimStarter } from "./sim-starter.ts";
import type { SimMachine } from "./sim-starter.ts";
import { Timeline } from "./timeline.ts";

export interface StartsVerdict {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly starters: number;
  readonly failures: number;
  readonly steps: number;
}

const CANDIDATES = [1, 2, 3, 4];
const MAX_STARTERS = 50;
const START_WITHIN_MS = 400;
const TROUBLE_MS = 1_500;
/** Longer than any search. */
const PEACE_MS = 14_000;
const LOOK_EVERY_MS = 50;
/** A search that takes several seconds may start a host again. */
const MAX_STARTED = 3;

export function simulateStarts(seed: number): StartsVerdict {
  return new Starts(seed).run();
}

class Starts implements SimMachine {
  readonly timeline = new Timeline();
  readonly random: Random;
  readonly ports: SimPorts;
  readonly candidates: readonly number[];
  readonly #seed: number;
  readonly #starters: SimStarter[] = [];
  readonly #servers: SimServe[] = [];
  readonly #violations = new Set<string>();
  /** Every kind of obstacle that has occurred so far. */
  readonly #trouble = new Set<"hung" | "stranger" | "killed">();
  readonly #isRough: boolean;
  #steps = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.random = new Random(seed);
    this.ports = new SimPorts(this.timeline, this.random);
    this.candidates = this.random.chance(0.3) ? CANDIDATES.slice(0, 1) : CANDIDATES;
    this.#isRough = this.random.chance(0.8);
    if (this.#isRough) this.#planTrouble();
    const count = 2 + this.random.below(this.random.chance(0.2) ? MAX_STARTERS - 1 : 8);
    const within = this.random.chance(0.5) ? 1 : START_WITHIN_MS;
    for (let index = 0; index < count; index += 1)
      this.timeline.at(this.random.between(0, within), () => this.#begin());
  }

  startHost(exited: (exitCode: number) => void): void {
    this.timeline.after(this.random.between(5, this.random.chance(0.1) ? 800 : 60), () =>
      this.#servers.push(new SimServe(this, exited)),
    );
  }

  /** When several hosts meet, one of them must stay. */
  yielded(): void {
    const isExcused = this.#trouble.has("killed") || this.#trouble.has("hung");
    if (this.ports.hosts.length === 0 && !isExcused)
      this.#violations.add("a host made room, and no host is left");
  }

  run(): StartsVerdict {
    for (let atMs = 0; atMs < TROUBLE_MS + PEACE_MS; atMs += LOOK_EVERY_MS)
      this.timeline.at(atMs, () => this.#starters.forEach((starter) => starter.look()));
    this.timeline.run(TROUBLE_MS + PEACE_MS, () => this.#check());
    this.#checkPeace();
    return {
      seed: this.#seed,
      violations: [...this.#violations],
      starters: this.#starters.length,
      failures: this.#starters.filter(({ failure }) => failure !== undefined).length,
      steps: this.#steps,
    };
  }

  #begin(): void {
    this.#starters.push(new SimStarter(this, this.random.chance(0.5) ? "command" : "self"));
  }

  #planTrouble(): void {
    const { random, timeline } = this;
    const plan = (chance: number, happen: () => void) => {
      while (random.chance(chance)) timeline.at(random.between(0, TROUBLE_MS), happen);
    };
    for (const port of this.candidates) {
      if (random.chance(0.35)) this.#squat(port, "stranger", 0);
      else if (random.chance(0.04)) this.#squat(port, "silent", 0);
    }
    plan(0.3, () =>
      this.#squat(this.candidates[random.below(this.candidates.length)] ?? 1, "stranger", timeline.nowMs),
    );
    plan(0.4, () => this.#kill(this.#pick([...this.#starters, ...this.#servers])));
    // The host has bound its port and not finished its search for others.
    plan(0.3, () => this.#kill(this.#processes().find(({ occupant }) => this.#isSettling(occupant))));
    plan(0.2, () => this.#kill(this.#processes().find(({ occupant }) => occupant.isSettled)));
    plan(0.1, () => this.#freeze(this.#pick(this.ports.hosts)));
  }

  #processes(): (SimStarter | SimServe)[] {
    return [...this.#starters, ...this.#servers].filter(({ isAlive }) => isAlive);
  }

  #isSettling(occupant: Occupant): boolean {
    return !occupant.isSettled && this.ports.hosts.includes(occupant);
  }

  #squat(port: number, kind: "stranger" | "silent", fromMs: number): void {
    const occupant: Occupant = { kind, isSettled: false, frozenUntilMs: 0 };
    const isForEver = this.random.chance(0.4);
    this.timeline.at(fromMs, () => {
      if (!this.ports.bind(port, occupant)) return;
      this.#trouble.add(kind === "silent" ? "hung" : "stranger");
      // The obstacle comes soon, while processes still look, bind and settle.
      const staysMs = this.random.between(0, this.random.chance(0.6) ? 15 : TROUBLE_MS);
      if (!isForEver) this.timeline.after(staysMs, () => this.ports.leave(occupant));
    });
  }

  #kill(process: SimStarter | SimServe | undefined): void {
    if (process === undefined) return;
    this.#trouble.add("killed");
    process.kill();
  }

  #freeze(host: Occupant | undefined): void {
    if (host === undefined) return;
    this.#trouble.add("hung");
    host.frozenUntilMs = this.timeline.nowMs + this.random.between(10, 4_000);
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[this.random.below(from.length)];
  }

  /** R5, at every moment. */
  #check(): void {
    this.#steps += 1;
    const settled = this.ports.hosts.filter(({ isSettled }) => isSettled).length;
    if (settled > 1) this.#violations.add(`R5: ${settled} hosts`);
  }

  #checkPeace(): void {
    const { hosts } = this.ports;
    const [host] = hosts;
    if (this.#starters.some(({ hostsStarted, searches }) => hostsStarted > searches * MAX_STARTED))
      this.#violations.add("a process started host after host");
    const alive = this.#starters.filter(({ isAlive }) => isAlive);
    for (const { failure, host: own } of alive) {
      if (failure !== undefined) this.#checkFailure(failure.end);
      else if (own === undefined) this.#violations.add("a process still looks for a host");
      else if (own !== host) this.#violations.add("a process is the client of a host that has gone");
    }
    if (hosts.some(({ isSettled }) => !isSettled)) this.#violations.add("a host never settled");
  }

  /** The reason that a process was given for finding no host must be one that occurred. */
  #checkFailure(end: NonNullable<SimStarter["failure"]>["end"]): void {
    const reasons = {
      hung: ["hung"],
      untrusted: ["stranger"],
      none: ["stranger"],
      unavailable: ["stranger", "killed"],
      ended: ["killed", "stranger", "hung"],
      silent: ["killed"],
      running: [],
      won: [],
      found: [],
      failed: [],
    } as const;
    if (!reasons[end].some((reason) => this.#trouble.has(reason)))
      this.#violations.add(`a process was told "${end}", with ${[...this.#trouble].join() || "nothing"}`);
  }
}
