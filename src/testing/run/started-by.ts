/**
 * Finds the case that started a failed thread. The engine gives only the stack of the thread. If a line of the stack lies inside of
 * the function of a case, that case has started the thread.
 */
import { type Frame, UNHANDLED_REJECTION } from "../events.ts";
import type { HarnessCase, Uncaught } from "../harness-events.ts";
import { functionsIn, type LineRange } from "./function-lines.ts";

export class StartedBy {
  readonly #path: string;
  readonly #source: () => string | undefined;
  #functions: readonly LineRange[] | undefined;
  /** The last line of the function of a case, by the line of the case. */
  readonly #lastLines = new Map<number, number>();

  /** `source` gives the text of the file; undefined if it cannot be read. It is called when the text is needed first. */
  constructor(path: string, source: () => string | undefined) {
    this.#path = path;
    this.#source = source;
  }

  /**
   * The case that started the thread, or all cases of its line, such as those that a loop has made. Empty if no line of the stack
   * lies in one of the given cases. The outermost such line decides, because it is nearest to the start of the thread.
   */
  casesOf(frames: readonly Frame[], cases: readonly HarnessCase[]): readonly HarnessCase[] {
    const lines = frames.filter(({ path }) => path === this.#path).map(({ line }) => line);
    for (const line of lines.toReversed()) {
      const around = cases.filter((candidate) => this.#has(candidate, line));
      // If one case lies inside of another, the line belongs to the inner case.
      const first = around.reduce((latest, candidate) => Math.max(latest, candidate.line ?? 0), 0);
      if (around.length > 0) return around.filter((candidate) => candidate.line === first);
    }
    return [];
  }

  /** The lines of the function of a case; undefined if the case has no line. */
  rangeOf({ line: first }: HarnessCase): LineRange | undefined {
    if (first === undefined) return undefined;
    const last = this.#lastLines.get(first) ?? this.#lastLineOf(first);
    this.#lastLines.set(first, last);
    return { first, last };
  }

  #has(candidate: HarnessCase, line: number): boolean {
    const range = this.rangeOf(candidate);
    return range !== undefined && range.first <= line && line <= range.last;
  }

  /** The function may begin below the line of the case, because that can be the line of a call such as Jest's `each`. */
  #lastLineOf(line: number): number {
    this.#functions ??= functionsIn(this.#source() ?? "");
    return this.#functions.find(({ first }) => first >= line)?.last ?? 0;
  }
}

/**
 * True if the running case has started the failed thread. `starters` are the cases to which the stack leads. If it leads to
 * several cases or to none, the running case counts only if the harness knows that the error is its own, because the thread may
 * come from a case that has ended, or from a hook.
 */
export function isStarter(running: HarnessCase, starters: readonly HarnessCase[], isOwn: boolean): boolean {
  if (starters.length === 0) return isOwn;
  return starters.includes(running) && (isOwn || starters.length === 1);
}

const SHARED = { promise: UNHANDLED_REJECTION, "test-service": "an error in TestService" } as const;
const OF_RUNNING = { thread: "in a thread of its own", ...SHARED } as const;
const OF_OTHER = { thread: "in a thread", ...SHARED } as const;

/**
 * The start of the message of an uncaught error. `starters` are the cases of which one has started the thread, if the running case
 * is not the one. `running` is the case that ran when the error was raised.
 */
export function uncaughtWords(
  origin: Uncaught["origin"],
  starters: readonly HarnessCase[] = [],
  running?: HarnessCase,
): string {
  const [first] = starters;
  if (first === undefined)
    return running === undefined
      ? OF_RUNNING[origin]
      : `${OF_OTHER[origin]} of unknown origin, while "${running.id}" ran`;
  if (starters.length === 1) return `${OF_OTHER[origin]} that "${first.id}" left behind`;
  return `${OF_OTHER[origin]} of one of the ${starters.length} cases of line ${first.line}`;
}
