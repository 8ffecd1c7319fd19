/**
 * Finds the case that has started a thread which failed. The engine does not say which thread it was, it gives only its stack. A
 * line of the stack that lies inside of the function of a case tells that case.
 */
import { type Frame, UNHANDLED_REJECTION } from "../events.ts";
import type { HarnessCase, Uncaught } from "../harness-events.ts";
import { functionsIn, type LineRange } from "./function-lines.ts";

export class StartedBy {
  readonly #path: string;
  readonly #source: () => string | undefined;
  #functions: readonly LineRange[] | undefined;
  /** Where the function of a case ends, by the line of the case. */
  readonly #lastLines = new Map<number, number>();

  /** `source` is the text of the file, undefined if it cannot be read. It is asked for when it is needed first. */
  constructor(path: string, source: () => string | undefined) {
    this.#path = path;
    this.#source = source;
  }

  /**
   * The case, or all cases of its line, such as those that a loop makes. Empty if no line of the stack lies in one of the given
   * cases. The outermost such line decides, because it is the one nearest to where the thread began.
   */
  casesOf(frames: readonly Frame[], cases: readonly HarnessCase[]): readonly HarnessCase[] {
    const lines = frames.filter(({ path }) => path === this.#path).map(({ line }) => line);
    for (const line of lines.toReversed()) {
      const around = cases.filter((each) => this.#has(each, line));
      // Where one case lies inside of another, the line is one of the inner case.
      const first = around.reduce((latest, each) => Math.max(latest, each.line ?? 0), 0);
      if (around.length > 0) return around.filter((each) => each.line === first);
    }
    return [];
  }

  #has({ line: first }: HarnessCase, line: number): boolean {
    if (first === undefined || line < first) return false;
    const last = this.#lastLines.get(first) ?? this.#lastLineOf(first);
    this.#lastLines.set(first, last);
    return line <= last;
  }

  /** The function may begin below the line of the case, because that can be the line of a call such as Jest's `each`. */
  #lastLineOf(line: number): number {
    this.#functions ??= functionsIn(this.#source() ?? "");
    return this.#functions.find(({ first }) => first >= line)?.last ?? 0;
  }
}

const WORDS = { thread: "in a thread of its own", promise: UNHANDLED_REJECTION } as const;
const WORDS_IF_LEFT = { thread: "in a thread", promise: UNHANDLED_REJECTION } as const;

/** What the message of such an error begins with. `starters` are cases that have ended, of which one has started the thread. */
export function uncaughtWords(origin: Uncaught["origin"], starters: readonly HarnessCase[] = []): string {
  const [first] = starters;
  if (first === undefined) return WORDS[origin];
  const count = starters.length;
  const starter = count === 1 ? `"${first.id}"` : `one of the ${count} cases of line ${first.line}`;
  return `${WORDS_IF_LEFT[origin]} that ${starter} left behind`;
}
