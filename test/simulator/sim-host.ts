/** A process that runs the real host core. It can be killed, frozen and stopped. */
import { createHostState, nextDueAt, step } from "../../src/bridge/host/host-core.ts";
import type { HostEvent, HostState } from "../../src/bridge/host/host-core.ts";
import type { Prover, Role } from "../../src/auth/index.ts";
import type { End, SimLink } from "./link.ts";
import type { Random } from "./random.ts";
import type { Timeline } from "./timeline.ts";

export const SIM_PORT = 45_000;

/** The proof has tests of its own; here it only has to be cheap. */
export const simProver: Prover = {
  keyId: (role) => (role === "plugin" ? "1" : "2").repeat(16),
  prove: ({ side }) => (side === "host" ? "a" : "b").repeat(64),
};

export class SimHost {
  readonly core: HostState;
  readonly #timeline: Timeline;
  readonly #onGone: () => void;
  /** It does not tell clients what is there. */
  readonly isOlder: boolean;
  readonly #links = new Map<number, SimLink>();
  #isAlive = true;
  #awakeAtMs = 0;
  #tickAtMs = Infinity;
  #nextLinkId = 1;

  constructor(timeline: Timeline, random: Random, onGone: () => void) {
    this.#timeline = timeline;
    this.isOlder = random.chance(0.2);
    this.#onGone = onGone;
    const config = {
      hostId: random.hex(16),
      port: SIM_PORT,
      version: "sim",
      allowUnpaired: false,
      idleExitMs: Infinity,
      makesRoom: false,
      epochMs: 0,
      prover: simProver,
      randomHex: (sizeBytes: number) => random.hex(sizeBytes),
      randomUuid: () => random.uuid(),
    };
    this.core = createHostState(config, timeline.nowMs);
    this.#planTick();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get isFrozen(): boolean {
    return this.#awakeAtMs > this.#timeline.nowMs;
  }

  /** A fresh connection; the result is the host's end of it. */
  accept(role: Role, link: () => SimLink): End {
    const linkId = this.#nextLinkId++;
    let isOpen = false;
    const open = () => {
      if (isOpen) return;
      isOpen = true;
      this.#links.set(linkId, link());
      this.#do({ type: "open", linkId, role });
    };
    return {
      awakeAtMs: () => this.#awakeAtMs,
      isAlive: () => this.#isAlive,
      frame: (text) => {
        open();
        this.#do({ type: "frame", linkId, text });
      },
      closed: (isWanted) => {
        if (!isOpen) return;
        this.#links.delete(linkId);
        this.#do({ type: "closed", linkId, isWanted });
      },
    };
  }

  stop(): void {
    if (this.#isAlive && !this.isFrozen) this.#do({ type: "stop", reason: "stopped" });
  }

  freeze(durationMs: number): void {
    this.#awakeAtMs = Math.max(this.#awakeAtMs, this.#timeline.nowMs + durationMs);
  }

  kill(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    this.#onGone();
    for (const link of this.#links.values()) link.cut(false);
  }

  #do(event: HostEvent): void {
    for (const effect of step(this.core, event, this.#timeline.nowMs)) {
      if (effect.type === "exit") this.#leave();
      else if (effect.type === "close") this.#close(effect.linkId);
      else this.#links.get(effect.linkId)?.send("host", this.#spoken(effect.text));
    }
    this.#planTick();
  }

  #spoken(text: string): string {
    if (!this.isOlder || !text.startsWith('{"type":"welcome"')) return text;
    const { payload, ...envelope } = JSON.parse(text);
    const { sessions: _, ...older } = payload;
    return JSON.stringify({ ...envelope, payload: older });
  }

  #close(linkId: number): void {
    this.#links.get(linkId)?.close("host");
    this.#links.delete(linkId);
  }

  #leave(): void {
    this.#isAlive = false;
    for (const link of this.#links.values()) link.close("host");
    this.#onGone();
  }

  #planTick(): void {
    const dueAtMs = nextDueAt(this.core);
    if (dueAtMs >= this.#tickAtMs || dueAtMs === Infinity) return;
    this.#tickAtMs = dueAtMs;
    const tick = () => {
      if (!this.#isAlive || this.#tickAtMs !== dueAtMs) return;
      if (this.isFrozen) return this.#timeline.at(this.#awakeAtMs, tick);
      this.#tickAtMs = Infinity;
      this.#do({ type: "tick" });
    };
    this.#timeline.at(dueAtMs, tick);
  }
}
