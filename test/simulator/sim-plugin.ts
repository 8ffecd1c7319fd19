/**
 * A Studio with the plugin, as a model: its link, its ledger and its queue of scripts do what plugin/src/Net and
 * plugin/src/Actions/Execute.luau do. Scripts are numbers; running one takes a while and prints its line numbers.
 */
import { decodeEnvelope, encode } from "../../src/protocol/codec.ts";
import type { Envelope } from "../../src/protocol/envelope.ts";
import { intervals, limits } from "../../src/protocol/limits.ts";
import type { SimLink } from "./link.ts";
import type { Random } from "./random.ts";
import type { Neighbourhood } from "./sim-client.ts";

interface Entry {
  readonly id: string;
  readonly lines: number[];
  reply: { readonly type: string; readonly payload: object } | undefined;
}

interface Job {
  readonly entry: Entry;
  readonly mark: number;
  readonly output: Output;
  isOver: boolean;
}

/** Where the lines of a job go: the registration that asked last. */
interface Output {
  registration: number;
  unsentSeq: number;
}

const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 2_000;
const ADMISSION_MS = 5_000;
const MAX_RUN_MS = 400;
const MAX_LINES = 4;
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
  #ledger = new Map<string, Entry>();
  #waiting: Job[] = [];
  #running: Job | undefined;
  #incarnation = 0;
  #frozenUntilMs = 0;
  /** Requests made before may have come to a copy of the plugin that was loaded before. */
  #sureFromMs = -Infinity;
  /** Log lines so far. */
  recorded = 0;
  #isFollowed = false;

  constructor(
    instanceId: string,
    world: Neighbourhood,
    scriptMs = () => someScriptMs(world.random),
    isLarge = () => world.random.chance(LARGE_SHARE),
  ) {
    this.#instanceId = instanceId;
    this.#world = world;
    this.#scriptMs = scriptMs;
    this.#isLarge = isLarge;
    this.#lookLater(0);
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

  /** The plugin is loaded anew: all it still knows is its session's id, and its scripts are gone. */
  reload(): void {
    this.#send("unregister", {});
    this.#incarnation += 1;
    this.#ledger = new Map();
    this.#waiting = [];
    this.#running = undefined;
    this.recorded = 0;
    this.#sureFromMs = this.#world.timeline.nowMs + intervals.ledgerKeepMs;
    this.#link?.close("peer");
    this.#lost(true);
  }

  /** A line reaches the log; whoever follows it hears of it, by its number. */
  log(): void {
    const seq = this.recorded++;
    if (!this.#isFollowed) return;
    const body = `${this.#instanceId}/${this.#incarnation}`;
    this.#send("logPush", { entries: [{ level: "Print", body, timestamp: 0 }], seq });
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
    this.#tries += 1;
    const most = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (this.#tries - 1));
    return most >= intervals.pluginProbeMs ? intervals.pluginProbeMs : this.#world.random.next() * most;
  }

  #lost(isAtOnce: boolean): void {
    this.#link = undefined;
    this.#isActive = false;
    this.#isFollowed = false;
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
        this.#tries = 0;
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
        return this.#cancel(requestId);
      case "await":
        return this.#await(requestId, Number(payload["fromSeq"] ?? 0), Number(payload["ageMs"] ?? Infinity));
    }
  }

  #execute(id: string, mark: number, timeoutMs: number): void {
    const known = this.#ledger.get(id);
    if (known !== undefined) return this.#recount(known, 0);
    const entry: Entry = { id, lines: [], reply: undefined };
    this.#ledger.set(id, entry);
    const job: Job = {
      entry,
      mark,
      output: { registration: this.#registration, unsentSeq: 0 },
      isOver: false,
    };
    if (this.#waiting.length >= limits.queuedExecutesPerSession)
      return this.#conclude(job, "error", { code: "BUSY", message: "", outcome: "not_started" });
    this.#waiting.push(job);
    this.#world.timeline.after(timeoutMs, () => this.#stop(job, "TIMEOUT"));
    this.#startNext();
  }

  #startNext(): void {
    const job = this.#running === undefined ? this.#waiting.shift() : undefined;
    if (job === undefined) return;
    this.#running = job;
    this.#world.history.ran(job.mark);
    const { timeline, random } = this.#world;
    const incarnation = this.#incarnation;
    const whileItRuns = (happen: () => void) => () => {
      if (this.#incarnation === incarnation && !job.isOver) happen();
    };
    const durationMs = this.#scriptMs();
    for (let line = random.below(MAX_LINES); line > 0; line -= 1)
      timeline.after(
        random.next() * durationMs,
        whileItRuns(() => this.#print(job)),
      );
    timeline.after(
      durationMs,
      whileItRuns(() => this.#complete(job, [job.mark])),
    );
  }

  #print(job: Job): void {
    job.entry.lines.push(job.entry.lines.length);
    this.#flush(job.entry, job.output);
  }

  #complete(job: Job, returnValues: unknown[]): void {
    this.#running = undefined;
    const outputCount = job.entry.lines.length;
    this.#conclude(job, "scriptComplete", { success: true, returnValues, durationMs: 0, outputCount });
    this.#startNext();
  }

  #conclude(job: Job, type: string, payload: object): void {
    job.isOver = true;
    job.entry.reply = { type, payload };
    this.#sendReply(job.entry, job.output);
  }

  #cancel(id: string): void {
    const jobs = this.#running === undefined ? this.#waiting : [this.#running, ...this.#waiting];
    const job = jobs.find(({ entry }) => entry.id === id);
    if (job !== undefined) this.#stop(job, "CANCELLED");
  }

  #stop(job: Job, code: string): void {
    if (this.#running === job) return this.#complete(job, [job.mark]);
    if (!this.#waiting.includes(job)) return;
    this.#waiting = this.#waiting.filter((other) => other !== job);
    this.#conclude(job, "error", { code, message: "", outcome: "not_started" });
  }

  #await(id: string, fromSeq: number, ageMs: number): void {
    const entry = this.#ledger.get(id);
    if (entry !== undefined) return this.#recount(entry, fromSeq);
    if (this.#world.timeline.nowMs - ageMs < this.#sureFromMs)
      return this.#send("error", { code: "UNKNOWN_REQUEST", message: "", outcome: "unknown" }, id);
    this.#send("error", { code: "NOT_RECEIVED", message: "", outcome: "not_started" }, id);
  }

  #recount(entry: Entry, fromSeq: number): void {
    const jobs = this.#running === undefined ? this.#waiting : [this.#running, ...this.#waiting];
    const job = jobs.find((other) => other.entry === entry);
    const output = job?.output ?? { registration: 0, unsentSeq: 0 };
    if (entry.reply === undefined) this.#send("running", {}, entry.id);
    output.registration = this.#registration;
    output.unsentSeq = Math.min(fromSeq, entry.lines.length);
    this.#flush(entry, output);
    this.#sendReply(entry, output);
  }

  #isAttached(output: Output): boolean {
    return this.#isActive && output.registration === this.#registration;
  }

  #flush(entry: Entry, output: Output): void {
    if (!this.#isAttached(output) || output.unsentSeq >= entry.lines.length) return;
    const messages = entry.lines
      .slice(output.unsentSeq)
      .map((line) => ({ level: "Print", body: String(line) }));
    this.#send("output", { messages, seq: output.unsentSeq }, entry.id);
    output.unsentSeq = entry.lines.length;
  }

  #sendReply(entry: Entry, output: Output): void {
    if (entry.reply === undefined || !this.#isAttached(output)) return;
    this.#flush(entry, output);
    this.#reply(entry.reply.type, entry.reply.payload, entry.id);
  }

  /** Some replies are large enough to travel in pieces. */
  #reply(type: string, payload: object, requestId: string): void {
    if (!this.#isLarge()) return this.#send(type, payload, requestId);
    const text = encode({ type, sessionId: this.sessionId, requestId, payload });
    const total = 2 + this.#world.random.below(MAX_LINES);
    const size = Math.ceil(text.length / total);
    for (let seq = 0; seq < total; seq += 1)
      this.#send("chunk", { seq, total, data: text.slice(seq * size, (seq + 1) * size) }, requestId);
  }
}
