/**
 * One TCP connection of the simulated machine: each direction keeps its order and takes its own time; when it breaks,
 * what was on its way is lost from some frame on, and each end hears of it when it does.
 */
import type { Random } from "./random.ts";
import type { Timeline } from "./timeline.ts";

export type Side = "host" | "peer";

/** A process at one end. */
export interface End {
  /** Frozen or asleep until then; what arrives waits. */
  awakeAtMs(): number;
  isAlive(): boolean;
  frame(text: string): void;
  closed(isWanted: boolean): void;
}

interface Direction {
  lastMs: number;
  /** Frames that would arrive later than this are lost. */
  brokenAtMs: number;
  isClosed: boolean;
}

const MAX_DELAY_MS = 8;
const LATE_NOTICE_MS = 3_000;

export class SimLink {
  readonly #timeline: Timeline;
  readonly #random: Random;
  readonly #ends: Record<Side, End>;
  /** By receiver. */
  readonly #to: Record<Side, Direction> = {
    host: { lastMs: 0, brokenAtMs: Infinity, isClosed: false },
    peer: { lastMs: 0, brokenAtMs: Infinity, isClosed: false },
  };

  constructor(timeline: Timeline, random: Random, ends: Record<Side, End>) {
    this.#timeline = timeline;
    this.#random = random;
    this.#ends = ends;
  }

  send(from: Side, text: string): void {
    this.#deliver(otherOf(from), (end) => end.frame(text));
  }

  /** Says goodbye after what was sent before. */
  close(from: Side): void {
    this.#to[from].isClosed = true;
    this.#closeLast(otherOf(from), true, 0);
  }

  /** The connection breaks; `isNoticedLate`: an end may sit on a dead connection for a while. */
  cut(isNoticedLate: boolean): void {
    for (const side of ["host", "peer"] as const) {
      const direction = this.#to[side];
      direction.brokenAtMs = Math.min(
        direction.brokenAtMs,
        this.#timeline.nowMs + this.#random.between(0, MAX_DELAY_MS),
      );
      this.#closeLast(side, false, isNoticedLate ? this.#random.between(0, LATE_NOTICE_MS) : 0);
    }
  }

  #closeLast(to: Side, isWanted: boolean, extraMs: number): void {
    const direction = this.#to[to];
    this.#deliver(
      to,
      (end) => {
        if (direction.isClosed) return;
        direction.isClosed = true;
        end.closed(isWanted);
      },
      extraMs,
    );
  }

  #deliver(to: Side, take: (end: End) => void, extraMs?: number): void {
    const direction = this.#to[to];
    const delayMs = this.#random.between(0, MAX_DELAY_MS) + (extraMs ?? 0);
    const atMs = Math.max(direction.lastMs, this.#timeline.nowMs + delayMs);
    if (extraMs === undefined && atMs > direction.brokenAtMs) return;
    direction.lastMs = atMs;
    const arrive = () => {
      const end = this.#ends[to];
      if (!end.isAlive() || (direction.isClosed && extraMs === undefined)) return;
      const awakeAtMs = end.awakeAtMs();
      if (awakeAtMs > this.#timeline.nowMs) this.#timeline.at(awakeAtMs, arrive);
      else take(end);
    };
    this.#timeline.at(atMs, arrive);
  }
}

const otherOf = (side: Side): Side => (side === "host" ? "peer" : "host");
