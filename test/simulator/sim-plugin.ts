/**
 * A Studio with the plugin, as a model: its link and its registration do what plugin/src/Net does. Its scripts are in
 * sim-scripts.ts.
 */
import { decodeEnvelope, encode } from "../../src/protocol/codec.ts";
import type { Envelope } from "../../src/protocol/envelope.ts";
import { intervals } from "../../src/protocol/limits.ts";
import type { SimLink } from "./link.ts";
import type { Random } from "./random.ts";
import type { Neighbourhood } from "./sim-client.ts";
import { SimQuestions } from "./sim-questions.ts";
import { SimScripts } from "./sim-scripts.ts";

const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 1_000;
/** Right after a loss it looks quickly, for so long and so often at most. */
const BURST_MS = 10_000;
const BURST_LOOKS = 15;
/** By then the first host is there, so that the schedules have sessions from the beginning. */
const FIRST_LOOK_MS = 50;
const ADMISSION_MS = 5_000;
const MAX_RUN_MS = 400;
const MAX_PIECES = 5;
const LARGE_SHARE = 0.2;

function someScriptMs(random: Random): number {
  return random.chance(0.1) ? random.between(0, 10 * MAX_RUN_MS) : random.next() * MAX_RUN_MS;
}

export class SimPlugin {
  sessionId = "";
  readonly #world: Neighbourhood;
  readonly #instanceId: string;
  readonly #scriptMs: () => number;
  readonly #isLarge: () => boolean;
  #link: SimLink | undefined;
  #registration = 0;
  #isActive = false;
  #tries = 0;
  #burstEndsAtMs = -Infinity;
  #scripts: SimScripts;
  /** Undefined where the person allows everything. */
  readonly #questions: SimQuestions | undefined;
  #incarnation = 0;
  #frozenUntilMs = 0;
  /** Log lines so far. */
  recorded = 0;
  #isFollowed = false;

  constructor(
    instanceId: string,
    world: Neighbourhood,
    scriptMs = () => someScriptMs(world.random),
    isLarge = () => world.random.chance(LARGE_SHARE),
    asks = false,
  ) {
    this.#instanceId = instanceId;
    this.#world = world;
    this.#scriptMs = scriptMs;
    this.#isLarge = isLarge;
    this.#scripts = this.#load(-Infinity);
    const { timeline, random } = world;
    const send = (type: string, payload: object, requestId: string) => this.#send(type, payload, requestId);
    this.#questions = asks ? new SimQuestions({ timeline, random, send }) : undefined;
    this.#lookLater(FIRST_LOOK_MS);
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  cut(isNoticedLate: boolean): void {
    this.#link?.cut(isNoticedLate);
  }

  /** A script or the system holds the whole Studio. */
  freeze(durationMs: number): void {
    this.#frozenUntilMs = Math.max(this.#frozenUntilMs, this.#world.timeline.nowMs + durationMs);
  }

  /** The plugin is reloaded: it keeps only its session's id, and its scripts are gone. */
  reload(): void {
    this.#send("unregister", {});
    this.#incarnation += 1;
    this.#scripts.end();
    this.#questions?.end();
    this.#scripts = this.#load(this.#world.timeline.nowMs + intervals.ledgerKeepMs);
    this.recorded = 0;
    this.#link?.close("peer");
    this.#lost(true);
  }

  /** Adds a line to the log and pushes it, with its number, to subscribers. */
  log(): void {
    const seq = this.recorded++;
    if (!this.#isFollowed) return;
    const body = `${this.#instanceId}/${this.#incarnation}`;
    this.#send("logPush", { entries: [{ level: "Print", body, timestamp: 0 }], seq });
  }

  #load(sureFromMs: number): SimScripts {
    return new SimScripts(
      {
        registration: () => this.#registration,
        isAttached: (registration) => this.#isActive && registration === this.#registration,
        send: (type, payload, requestId) => this.#send(type, payload, requestId),
        reply: (type, payload, requestId) => this.#reply(type, payload, requestId),
      },
      this.#world,
      this.#scriptMs,
      sureFromMs,
    );
  }

  #lookLater(delayMs: number): void {
    const { timeline } = this.#world;
    timeline.at(Math.max(timeline.nowMs + delayMs, this.#frozenUntilMs), () => this.#look());
  }

  #look(): void {
    if (this.#link !== undefined) return;
    let link: SimLink | undefined;
    const isCurrent = () => link !== undefined && link === this.#link;
    link = this.#world.connect("plugin", {
      awakeAtMs: () => this.#frozenUntilMs,
      isAlive: isCurrent,
      frame: (text) => this.#receive(text),
      closed: () => this.#lost(false),
    });
    if (link === undefined) return this.#lookLater(this.#backoffMs());
    this.#link = link;
    this.#send("hello", { role: "plugin", nonceA: "0".repeat(64), keyId: "1".repeat(16) }, undefined, 2);
    this.#world.timeline.after(ADMISSION_MS, () => {
      if (!isCurrent() || this.#isActive) return;
      link?.close("peer");
      this.#lost(false);
    });
  }

  #backoffMs(): number {
    const { timeline, random } = this.#world;
    this.#tries += 1;
    if (timeline.nowMs >= this.#burstEndsAtMs || this.#tries > BURST_LOOKS) return intervals.pluginProbeMs;
    return random.next() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (this.#tries - 1));
  }

  #lost(isAtOnce: boolean): void {
    if (this.#isActive) {
      this.#burstEndsAtMs = this.#world.timeline.nowMs + BURST_MS;
      this.#tries = 0;
    }
    this.#link = undefined;
    this.#isActive = false;
    this.#isFollowed = false;
    this.#questions?.detach();
    this.#lookLater(isAtOnce ? 0 : this.#backoffMs());
  }

  #send(type: string, payload: object, requestId?: string, protocolVersion?: number): void {
    const head = {
      ...(requestId === undefined ? {} : { requestId }),
      ...(protocolVersion === undefined ? {} : { protocolVersion }),
    };
    const sessionId = this.#isActive ? this.sessionId : "";
    this.#link?.send("peer", encode({ type, sessionId, ...head, payload }));
  }

  #receive(text: string): void {
    const decoded = decodeEnvelope(text);
    if (!decoded.ok) return this.#world.history.fault(`a plugin was sent ${text}`);
    const envelope = decoded.value;
    const payload = Object(envelope.payload);
    const { requestId = "" } = envelope;
    switch (envelope.type) {
      case "challenge":
        return this.#send("auth", { proof: "b".repeat(64) });
      case "welcome":
        return this.#register();
      case "registered":
        this.sessionId = payload.sessionId;
        this.#isActive = true;
        this.#registration += 1;
        return;
      case "ping":
        return this.#send("pong", {});
      case "shutdown":
        this.#link?.close("peer");
        return this.#lost(true);
    }
    if (envelope.sessionId === this.sessionId) this.#request(envelope, requestId, payload);
  }

  #register(): void {
    this.#send(
      "register",
      {
        pluginVersion: "sim",
        instanceId: this.#instanceId,
        context: "edit",
        placeName: "",
        placeId: 0,
        gameId: 0,
        state: "Edit",
        capabilities: ["queryLogs", "execute", "subscribe", "unsubscribe"],
        ...(this.sessionId === "" ? {} : { previousSessionId: this.sessionId }),
      },
      "register",
    );
  }

  #request(envelope: Envelope, requestId: string, payload: { [name: string]: unknown }): void {
    switch (envelope.type) {
      case "queryLogs":
        return this.#reply(
          "logsResult",
          { entries: [], total: payload["count"], bufferCapacity: 1 },
          requestId,
        );
      case "subscribe":
      case "unsubscribe":
        this.#isFollowed = envelope.type === "subscribe";
        return this.#send(`${envelope.type}Result`, payload, requestId);
      case "execute":
        return this.#execute(requestId, Number(payload["script"]), Number(payload["timeoutMs"]));
      case "cancel":
        return this.#questions?.withdraw(requestId) === true ? undefined : this.#scripts.cancel(requestId);
      case "await":
        if (this.#questions?.remind(requestId) === true) return;
        return this.#scripts.recall(
          requestId,
          Number(payload["fromSeq"] ?? 0),
          Number(payload["ageMs"] ?? Infinity),
        );
    }
  }

  #execute(requestId: string, mark: number, timeoutMs: number): void {
    const run = () => this.#scripts.execute(requestId, mark, timeoutMs);
    if (this.#questions === undefined) run();
    else this.#questions.ask(requestId, run);
  }

  /** Some replies are large enough to travel in pieces. */
  #reply(type: string, payload: object, requestId: string): void {
    if (!this.#isLarge()) return this.#send(type, payload, requestId);
    const text = encode({ type, sessionId: this.sessionId, requestId, payload });
    const total = 2 + this.#world.random.below(MAX_PIECES - 1);
    const size = Math.ceil(text.length / total);
    for (let seq = 0; seq < total; seq += 1)
      this.#send("chunk", { seq, total, data: text.slice(seq * size, (seq + 1) * size) }, requestId);
  }
}
