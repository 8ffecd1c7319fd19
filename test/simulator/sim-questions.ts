/**
 * The questions of a simulated plugin to the person at Studio: they do what plugin/src/Permission/Questions.luau does. The
 * person answers one after the other, says no, comes too late, or never looks.
 */
import type { Random } from "./random.ts";
import type { Timeline } from "./timeline.ts";

const WAIT_MS = 50_000;
const HOLD_EVERY_MS = 5_000;
const ORPHAN_MS = 5_000;
const DEAD_MS = 700;
const QUICK_MS = 6_000;
const SLOW_MS = 70_000;

interface Question {
  readonly id: string;
  readonly go: () => void;
  state: "waiting" | "orphan";
  endsAtMs: number;
  /** Counts what ends it, so that plans of before mean nothing. */
  round: number;
  isShown: boolean;
}

interface Wishes {
  readonly timeline: Timeline;
  readonly random: Random;
  send(type: string, payload: object, requestId: string): void;
}

export class SimQuestions {
  readonly #wishes: Wishes;
  #open: Question[] = [];
  /** Answers about requests that had no link at that moment, for the same request when it comes again. */
  readonly #verdicts = new Map<string, boolean>();
  /** How requests were refused whose answer may have been lost with the link. */
  readonly #refusals = new Map<string, string>();

  constructor(wishes: Wishes) {
    this.#wishes = wishes;
  }

  /** `go` is called after a Yes. */
  ask(id: string, go: () => void): void {
    const verdict = this.#verdicts.get(id);
    this.#verdicts.delete(id);
    if (verdict === true) return go();
    const refusal = verdict === false ? "DENIED" : this.#refusals.get(id);
    if (refusal !== undefined) return this.#refuse({ id }, refusal);
    if (this.remind(id)) return;
    const endsAtMs = this.#wishes.timeline.nowMs + WAIT_MS;
    const question: Question = { id, go, state: "waiting", endsAtMs, round: 0, isShown: false };
    this.#open.push(question);
    this.#hold(question);
    this.#showNext();
  }

  /** The host asks about a request that waits, or sends it again. */
  remind(id: string): boolean {
    const question = this.#open.find((each) => each.id === id);
    if (question === undefined) return false;
    if (question.state === "orphan") {
      question.state = "waiting";
      question.endsAtMs = this.#wishes.timeline.nowMs + WAIT_MS;
    }
    this.#hold(question);
    this.#showNext();
    return true;
  }

  withdraw(id: string): boolean {
    const question = this.#open.find((each) => each.id === id);
    if (question === undefined) return false;
    this.#remove(question);
    this.#refuse(question, "CANCELLED");
    return true;
  }

  /** The link to the host is gone. */
  detach(): void {
    const { timeline } = this.#wishes;
    for (const question of this.#open) {
      if (question.state === "orphan") continue;
      question.state = "orphan";
      question.endsAtMs = timeline.nowMs + ORPHAN_MS;
      const round = ++question.round;
      timeline.at(question.endsAtMs, () => {
        if (question.round === round) this.#remove(question);
      });
    }
  }

  /** They are gone with the plugin. */
  end(): void {
    for (const question of this.#open) question.round += 1;
    this.#open = [];
    this.#verdicts.clear();
    this.#refusals.clear();
  }

  #hold(question: Question): void {
    const { timeline, send } = this.#wishes;
    const round = ++question.round;
    const isStill = () => question.round === round && this.#open.includes(question);
    const say = () => {
      if (!isStill()) return;
      const leftMs = question.endsAtMs - timeline.nowMs;
      if (leftMs <= 0) {
        this.#remove(question);
        return this.#refuse(question, "UNANSWERED");
      }
      send("held", { reason: "permission", untilMs: Math.ceil(leftMs) }, question.id);
      timeline.after(Math.min(HOLD_EVERY_MS, leftMs), say);
    };
    say();
  }

  /** The person sees one question at a time. */
  #showNext(): void {
    const { timeline, random } = this.#wishes;
    const [first] = this.#open;
    if (first === undefined || first.isShown) return;
    first.isShown = true;
    const afterMs = random.chance(0.8)
      ? random.between(DEAD_MS, QUICK_MS)
      : random.between(QUICK_MS, SLOW_MS);
    const isYes = random.chance(0.8);
    timeline.after(afterMs, () => this.#answer(first, isYes));
  }

  /** An answer about a request that has ended runs nothing, and one about a request without a link waits for it. */
  #answer(question: Question, isYes: boolean): void {
    if (!this.#open.includes(question)) return;
    const wasWaiting = question.state === "waiting";
    this.#remove(question);
    if (!wasWaiting) return void this.#verdicts.set(question.id, isYes);
    if (!isYes) return this.#refuse(question, "DENIED");
    this.#wishes.send("running", {}, question.id);
    question.go();
  }

  #refuse({ id }: Pick<Question, "id">, code: string): void {
    this.#refusals.set(id, code);
    this.#wishes.send("error", { code, message: "", outcome: "not_started" }, id);
  }

  #remove(question: Question): void {
    question.round += 1;
    this.#open = this.#open.filter((each) => each !== question);
    this.#showNext();
  }
}
