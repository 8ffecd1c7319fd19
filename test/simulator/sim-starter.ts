/**
 * A process that looks for a host, becomes it, or has one started: the real search and the real claim, answered by a
 * simulated machine. It can end at any moment.
 */
import { claim } from "../../src/bridge/finding/claim-core.ts";
import type { ClaimAnswer, ClaimEnd, ClaimQuestion, Holder } from "../../src/bridge/finding/claim-core.ts";
import { find, findNext } from "../../src/bridge/finding/find-core.ts";
import type { FindAnswer, FindEnd, FindQuestion } from "../../src/bridge/finding/find-core.ts";
import type { Random } from "./random.ts";
import type { Occupant, SimPorts } from "./sim-ports.ts";
import type { Timeline } from "./timeline.ts";

export interface SimMachine {
  readonly timeline: Timeline;
  readonly random: Random;
  readonly ports: SimPorts;
  readonly candidates: readonly number[];
  /** Starts another process that should become the host; `exited` receives its exit code. */
  startHost(exited: (exitCode: number) => void): void;
  /** A host has given way to another that it met. */
  yielded(): void;
}

type Steps<Question, Answer, End> = Generator<Question, End, Answer>;

/** Owns the ports that its process has bound; when the process ends, all its open questions are dropped. */
class SimProcess {
  protected readonly machine: SimMachine;
  readonly occupant: Occupant = { kind: "host", isSettled: false, frozenUntilMs: 0 };
  isAlive = true;

  constructor(machine: SimMachine) {
    this.machine = machine;
  }

  kill(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.machine.ports.leave(this.occupant);
  }

  /** Asks the machine until there is nothing more to ask. A process that is frozen goes on when it thaws. */
  protected follow<Question, Answer, End>(
    steps: Steps<Question, Answer, End>,
    first: Answer,
    answer: (question: Question, tell: (answer: Answer) => void) => void,
    over: (end: End) => void,
  ): void {
    const advance = (told: Answer): void => {
      if (!this.isAlive) return;
      const { frozenUntilMs } = this.occupant;
      if (frozenUntilMs > this.machine.timeline.nowMs)
        return this.machine.timeline.at(frozenUntilMs, () => advance(told));
      const step = steps.next(told);
      if (step.done === true) over(step.value);
      else answer(step.value, advance);
    };
    advance(first);
  }

  protected claim(hasLooked: boolean, over: (end: ClaimEnd) => void): void {
    const { candidates, timeline, ports } = this.machine;
    const steps = claim({ ports: candidates, hasLooked, nowMs: () => timeline.nowMs });
    const settle = (end: ClaimEnd) => {
      if (end.end === "won") this.occupant.isSettled = true;
      else ports.leave(this.occupant);
      if (end.end === "running") this.machine.yielded();
      over(end);
    };
    this.follow(
      steps,
      {},
      (question: ClaimQuestion, tell: (answer: ClaimAnswer) => void) => this.#answer(question, tell),
      settle,
    );
  }

  #answer(question: ClaimQuestion, tell: (answer: ClaimAnswer) => void): void {
    const { timeline, ports } = this.machine;
    if (question.ask === "pause") return timeline.after(question.durationMs, () => tell({}));
    if (question.ask === "bind")
      return timeline.after(ports.delayMs(), () => {
        if (!this.isAlive) return;
        const isBound = ports.bind(question.port, this.occupant);
        tell(isBound ? {} : { fault: { isTaken: true, reason: "taken" } });
      });
    const holders = new Map<number, Holder>();
    for (const port of question.ports)
      ports.dial(port, ({ holder }) => {
        holders.set(port, holder);
        if (holders.size < question.ports.length) return;
        tell({ holders: question.ports.map((each) => holders.get(each) ?? "free") });
      });
  }
}

/** `sb serve`: claims, and ends where another is the host. */
export class SimServe extends SimProcess {
  constructor(machine: SimMachine, exited: (exitCode: number) => void) {
    super(machine);
    this.claim(false, ({ end }) => {
      if (end === "won") return;
      this.kill();
      exited(1);
    });
  }
}

/** A command or an agent's server. */
export class SimStarter extends SimProcess {
  readonly start: "command" | "self";
  /** The host that it is a client of. */
  host: Occupant | undefined;
  /** How its search ended, if it found no host. */
  failure: FindEnd | ClaimEnd | undefined;
  #claimed: ClaimEnd | undefined;
  #dialled: Occupant | undefined;
  #exitCode: number | undefined;
  searches = 0;
  hostsStarted = 0;

  constructor(machine: SimMachine, start: "command" | "self") {
    super(machine);
    this.start = start;
    this.#search();
  }

  /** Its host may have gone: then it looks for the next. */
  look(): void {
    if (this.host === undefined || this.machine.ports.hosts.includes(this.host)) return;
    this.host = undefined;
    this.#search();
  }

  #search(): void {
    const { candidates, timeline, random } = this.machine;
    const plan = {
      ports: candidates,
      start: this.start,
      nowMs: () => timeline.nowMs,
      random: () => random.next(),
    };
    this.#exitCode = undefined;
    this.searches += 1;
    this.follow(
      this.searches === 1 ? find(plan) : findNext(plan),
      {},
      (question: FindQuestion, tell: (answer: FindAnswer) => void) => this.#answer(question, tell),
      (end) => this.#over(end),
    );
  }

  #over(end: FindEnd): void {
    if (end.end !== "found") this.failure = end.end === "failed" ? this.#claimed : end;
    else this.host = this.#dialled;
  }

  #answer(question: FindQuestion, tell: (answer: FindAnswer) => void): void {
    const { timeline, ports } = this.machine;
    switch (question.ask) {
      case "pause":
        return timeline.after(question.durationMs, () => tell({ exitCode: this.#exitCode }));
      case "dial":
        return ports.dial(question.port, ({ holder, occupant }) => {
          this.#dialled = occupant;
          tell({ holder });
        });
      case "tell-slow":
        return tell({});
      case "start":
        this.hostsStarted += 1;
        this.machine.startHost((exitCode) => (this.#exitCode = exitCode));
        return tell({});
      case "become":
        return this.claim(true, (end) => {
          this.#claimed = end;
          this.#dialled = this.occupant;
          if (end.end === "won") return tell({ isHost: true });
          tell(end.end === "running" ? {} : { hasFailed: true });
        });
    }
  }
}
