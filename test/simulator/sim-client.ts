/** A process that runs the real client core and greeting. Its way of finding hosts is modelled on the real one. */
import { Greeting } from "../../src/bridge/client/client-greeting.ts";
import { createClientState, nextDueAt, step } from "../../src/bridge/client/client-core.ts";
import type { ClientEffect, ClientEvent, ClientState } from "../../src/bridge/client/client-core.ts";
import type { CallRecord, History } from "./history.ts";
import type { End, SimLink } from "./link.ts";
import type { Random } from "./random.ts";
import { SIM_PORT, simProver } from "./sim-host.ts";
import type { Timeline } from "./timeline.ts";

/** What a client can see of the machine it runs on. */
export interface Neighbourhood {
  readonly timeline: Timeline;
  readonly random: Random;
  readonly history: History;
  /** Undefined: no host listens on the port. */
  connect(role: "client" | "plugin", end: End): SimLink | undefined;
  /** Binds the port unless another process holds it. */
  startHost(): void;
}

const DIAL_MS = 1_500;

type SimAction = "execute" | "queryLogs" | "subscribe";

function payloadOf(action: SimAction, mark: number, timeoutMs: number): object {
  if (action === "subscribe") return { events: ["logPush"] };
  return action === "execute" ? { script: String(mark), timeoutMs } : { count: mark };
}

export class SimClient {
  readonly core: ClientState;
  readonly index: number;
  readonly #world: Neighbourhood;
  #link: SimLink | undefined;
  #isProven = false;
  #tickAtMs = Infinity;

  constructor(index: number, world: Neighbourhood) {
    this.index = index;
    this.#world = world;
    const randomHex = (sizeBytes: number) => world.random.hex(sizeBytes);
    this.core = createClientState({ randomHex }, world.timeline.nowMs);
    this.#lookLater();
  }

  call(sessionId: string, action: SimAction, mark: number, timeoutMs: number): string {
    const callId = this.#note(sessionId, action, mark, timeoutMs);
    const payload = payloadOf(action, mark, timeoutMs);
    this.#do({ type: "call", call: { callId, sessionId, action, payload, timeoutMs } });
    return callId;
  }

  /** Lists the sessions, as a command does whose host has not pushed them. */
  list(mark: number, timeoutMs: number): void {
    this.#do({ type: "list", callId: this.#note("", "list-sessions", mark, timeoutMs), timeoutMs });
  }

  #note(sessionId: string, action: CallRecord["action"], mark: number, timeoutMs: number): string {
    const { timeline, random, history } = this.#world;
    const callId = random.hex(16);
    const startedAtMs = timeline.nowMs;
    const facts = { callId, client: this.index, sessionId, action, mark, startedAtMs, timeoutMs };
    history.calls.set(callId, { ...facts, lines: [], ends: [], heldSinceMs: undefined, heldMs: 0 });
    return callId;
  }

  abort(callId: string): void {
    this.#do({ type: "abort", callId });
  }

  cut(isNoticedLate: boolean): void {
    this.#link?.cut(isNoticedLate);
  }

  #lookLater(): void {
    this.#world.timeline.after(this.#world.random.between(0, 25), () => this.#look());
  }

  #look(): void {
    const greeting = new Greeting({
      prover: simProver,
      port: SIM_PORT,
      nonceA: "0".repeat(64),
      allowUnpaired: false,
    });
    this.#isProven = false;
    let link: SimLink | undefined;
    const isCurrent = () => link !== undefined && link === this.#link;
    link = this.#world.connect("client", {
      awakeAtMs: () => 0,
      isAlive: isCurrent,
      frame: (text) => (this.#isProven ? this.#do({ type: "frame", text }) : this.#greet(greeting, text)),
      closed: () => this.#lost(),
    });
    if (link === undefined) {
      this.#world.startHost();
      return this.#lookLater();
    }
    this.#link = link;
    link.send("peer", greeting.hello());
    this.#world.timeline.after(DIAL_MS, () => {
      if (isCurrent() && !this.#isProven) this.#hangUp();
    });
  }

  #greet(greeting: Greeting, text: string): void {
    const said = greeting.receive(text);
    if (said.type === "send") return this.#link?.send("peer", said.text);
    if (said.type !== "ready") return this.#hangUp();
    this.#isProven = true;
    this.#do({ type: "attached", sessions: said.welcome.sessions });
  }

  #hangUp(): void {
    this.#link?.close("peer");
    this.#lost();
  }

  #lost(): void {
    this.#link = undefined;
    if (this.#isProven) this.#do({ type: "detached" });
    this.#isProven = false;
    this.#lookLater();
  }

  #do(event: ClientEvent): void {
    for (const effect of step(this.core, event, this.#world.timeline.nowMs)) this.#perform(effect);
    this.#planTick();
  }

  #perform(effect: ClientEffect): void {
    const { history, timeline } = this.#world;
    const atMs = timeline.nowMs;
    if (effect.type === "send") this.#link?.send("peer", effect.text);
    else if (effect.type === "output")
      for (const { body } of effect.messages) history.line(effect.callId, Number(body));
    else if (effect.type === "held") history.held(effect.callId, effect.isHeld, atMs);
    else if (effect.type === "failed")
      history.end(effect.callId, { kind: "failed", atMs, error: effect.error });
    else if (effect.type === "listed") {
      const mark = history.calls.get(effect.callId)?.mark;
      history.end(effect.callId, { kind: "reply", atMs, mark, outputCount: 0 });
    } else if (effect.type === "reply") this.#replied(effect, atMs);
    else this.#perceive(effect);
  }

  #replied({ callId, envelope }: Extract<ClientEffect, { type: "reply" }>, atMs: number): void {
    const { history } = this.#world;
    const call = history.calls.get(callId);
    const { total, returnValues, outputCount } = Object(envelope.payload);
    const marks = { logsResult: total, scriptComplete: returnValues?.[0], subscribeResult: call?.mark };
    const mark = Reflect.get(marks, envelope.type);
    if (call?.action === "subscribe") history.feeds.forget(this.index, call.sessionId);
    history.end(callId, { kind: "reply", atMs, mark, outputCount });
  }

  /** The calls that are not in progress at this moment. */
  #perceive(effect: ClientEffect): void {
    const { feeds } = this.#world.history;
    if (effect.type === "dropped") feeds.missed(this.index, effect.sessionId, effect.count);
    else if (effect.type === "session-event") {
      if (effect.event.event === "disconnected") feeds.forget(this.index, effect.event.session.sessionId);
    } else if (effect.type === "push") {
      const { seq, entries } = Object(effect.envelope.payload);
      feeds.heard(this.index, effect.sessionId, entries[0].body, seq);
    }
  }

  #planTick(): void {
    const dueAtMs = nextDueAt(this.core);
    if (dueAtMs >= this.#tickAtMs || dueAtMs === Infinity) return;
    this.#tickAtMs = dueAtMs;
    this.#world.timeline.at(dueAtMs, () => {
      if (this.#tickAtMs !== dueAtMs) return;
      this.#tickAtMs = Infinity;
      this.#do({ type: "tick" });
    });
  }
}
