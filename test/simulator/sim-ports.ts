/**
 * The port candidates of a simulated machine: which process holds which port, and what a process that dials or binds
 * one learns, and when.
 */
import type { Holder } from "../../src/bridge/finding/claim-core.ts";
import type { Random } from "./random.ts";
import type { Timeline } from "./timeline.ts";

/** Something that holds a port. */
export interface Occupant {
  readonly kind: "host" | "stranger" | "silent";
  /** It has found no other host, so it stays the host. */
  isSettled: boolean;
  /** It answers no process before this time. */
  frozenUntilMs: number;
}

export interface Dialled {
  readonly holder: Holder;
  readonly occupant: Occupant | undefined;
}

const DIAL_MS = 1_500;
const CUT_PATIENCE_MS = 200;
const REDIAL_MS = 5;
const MAX_LINGER_MS = 40;

export class SimPorts {
  readonly #timeline: Timeline;
  readonly #random: Random;
  readonly #holders = new Map<number, Occupant>();
  /** Ports whose holder has gone and which the system does not give out yet. */
  readonly #lingering = new Map<number, number>();
  readonly #maxDelayMs: number;

  constructor(timeline: Timeline, random: Random) {
    this.#timeline = timeline;
    this.#random = random;
    this.#maxDelayMs = random.chance(0.3) ? 300 : 20;
  }

  get hosts(): Occupant[] {
    return [...this.#holders.values()].filter(({ kind }) => kind === "host");
  }

  /** What a syscall or a message takes, seldom much longer than usual. */
  delayMs(): number {
    return this.#random.chance(0.05)
      ? this.#random.between(0, this.#maxDelayMs)
      : this.#random.between(0.05, 2);
  }

  holds(port: number, occupant: Occupant): boolean {
    return this.#holders.get(port) === occupant;
  }

  bind(port: number, occupant: Occupant): boolean {
    const isFree = !this.#holders.has(port) && (this.#lingering.get(port) ?? 0) <= this.#timeline.nowMs;
    if (isFree) this.#holders.set(port, occupant);
    return isFree;
  }

  /** Whatever it holds is free, at once or a moment later. */
  leave(occupant: Occupant): void {
    for (const [port, holder] of this.#holders) {
      if (holder !== occupant) continue;
      this.#holders.delete(port);
      if (this.#random.chance(0.3))
        this.#lingering.set(port, this.#timeline.nowMs + this.#random.between(0, MAX_LINGER_MS));
    }
  }

  /** Like the real dial, it knows within two seconds. */
  dial(port: number, tell: (dialled: Dialled) => void): void {
    let giveUpAtMs = Infinity;
    const tryOnce = () => {
      this.#timeline.after(this.delayMs(), () =>
        this.#greet(port, (dialled) => {
          if (dialled !== "cut") return tell(dialled);
          giveUpAtMs = Math.min(giveUpAtMs, this.#timeline.nowMs + CUT_PATIENCE_MS);
          if (this.#timeline.nowMs > giveUpAtMs) tell({ holder: "stranger", occupant: undefined });
          else this.#timeline.after(REDIAL_MS, tryOnce);
        }),
      );
    };
    tryOnce();
  }

  #greet(port: number, tell: (dialled: Dialled | "cut") => void): void {
    const occupant = this.#holders.get(port);
    if (occupant === undefined) return tell({ holder: "free", occupant });
    const { nowMs } = this.#timeline;
    const answersAtMs = Math.max(nowMs, occupant.frozenUntilMs) + this.delayMs();
    if (occupant.kind === "silent" || answersAtMs > nowMs + DIAL_MS)
      return this.#timeline.after(DIAL_MS, () => {
        const holder = this.#holders.has(port) ? "hung" : "free";
        tell({ holder, occupant: undefined });
      });
    this.#timeline.at(answersAtMs, () => {
      if (!this.holds(port, occupant)) return tell("cut");
      const { isSettled } = occupant;
      const says: Holder = occupant.kind === "stranger" ? "stranger" : isSettled ? "host" : "settling";
      // What it says takes a moment, in which it may go or settle.
      this.#timeline.after(this.delayMs(), () => tell({ holder: says, occupant }));
    });
  }
}
