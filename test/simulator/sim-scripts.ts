/**
 * The scripts of a simulated plugin: its ledger and its queue do what plugin/src/Actions/Execute.luau does. Scripts are
 * numbers; running one takes a while and prints its line numbers. Knows of its link only whether it is still the same.
 */
import { limits } from "../../src/protocol/limits.ts";
import type { Neighbourhood } from "./sim-client.ts";

/** What carries lines and replies to the host. */
export interface ScriptLink {
  /** Rises with every registration. */
  registration(): number;
  /** The registration with this number is the one that holds. */
  isAttached(registration: number): boolean;
  send(type: string, payload: object, requestId: string): void;
  /** The same, perhaps in pieces. */
  reply(type: string, payload: object, requestId: string): void;
}

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

const MAX_LINES = 4;

/** Of one load of the plugin. */
export class SimScripts {
  readonly #link: ScriptLink;
  readonly #world: Neighbourhood;
  readonly #scriptMs: () => number;
  readonly #sureFromMs: number;
  readonly #ledger = new Map<string, Entry>();
  #waiting: Job[] = [];
  #running: Job | undefined;
  #isOver = false;

  /** Requests made before `sureFromMs` may have come to a copy of the plugin that was loaded before. */
  constructor(link: ScriptLink, world: Neighbourhood, scriptMs: () => number, sureFromMs: number) {
    this.#link = link;
    this.#world = world;
    this.#scriptMs = scriptMs;
    this.#sureFromMs = sureFromMs;
  }

  /** They are gone with the plugin that ran them. */
  end(): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#running = undefined;
  }

  execute(id: string, mark: number, timeoutMs: number): void {
    const known = this.#ledger.get(id);
    if (known !== undefined) return this.#recount(known, 0);
    const entry: Entry = { id, lines: [], reply: undefined };
    this.#ledger.set(id, entry);
    const job: Job = {
      entry,
      mark,
      output: { registration: this.#link.registration(), unsentSeq: 0 },
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
    const whileItRuns = (happen: () => void) => () => {
      if (!this.#isOver && !job.isOver) happen();
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

  cancel(id: string): void {
    const job = this.#jobs().find(({ entry }) => entry.id === id);
    if (job !== undefined) this.#stop(job, "CANCELLED");
  }

  #stop(job: Job, code: string): void {
    if (this.#running === job) return this.#complete(job, [job.mark]);
    if (!this.#waiting.includes(job)) return;
    this.#waiting = this.#waiting.filter((other) => other !== job);
    this.#conclude(job, "error", { code, message: "", outcome: "not_started" });
  }

  /** The answer to `await`. */
  recall(id: string, fromSeq: number, ageMs: number): void {
    const entry = this.#ledger.get(id);
    if (entry !== undefined) return this.#recount(entry, fromSeq);
    if (this.#world.timeline.nowMs - ageMs < this.#sureFromMs)
      return this.#link.send("error", { code: "UNKNOWN_REQUEST", message: "", outcome: "unknown" }, id);
    this.#link.send("error", { code: "NOT_RECEIVED", message: "", outcome: "not_started" }, id);
  }

  #jobs(): readonly Job[] {
    return this.#running === undefined ? this.#waiting : [this.#running, ...this.#waiting];
  }

  #recount(entry: Entry, fromSeq: number): void {
    const job = this.#jobs().find((other) => other.entry === entry);
    const output = job?.output ?? { registration: 0, unsentSeq: 0 };
    if (entry.reply === undefined) this.#link.send("running", {}, entry.id);
    output.registration = this.#link.registration();
    output.unsentSeq = Math.min(fromSeq, entry.lines.length);
    this.#flush(entry, output);
    this.#sendReply(entry, output);
  }

  #flush(entry: Entry, output: Output): void {
    if (!this.#link.isAttached(output.registration) || output.unsentSeq >= entry.lines.length) return;
    const messages = entry.lines
      .slice(output.unsentSeq)
      .map((line) => ({ level: "Print", body: String(line) }));
    this.#link.send("output", { messages, seq: output.unsentSeq }, entry.id);
    output.unsentSeq = entry.lines.length;
  }

  #sendReply(entry: Entry, output: Output): void {
    if (entry.reply === undefined || !this.#link.isAttached(output.registration)) return;
    this.#flush(entry, output);
    this.#link.reply(entry.reply.type, entry.reply.payload, entry.id);
  }
}
