/**
 * Lets the person at the terminal decide several things, one key each; drawn on stderr, because stdout is for results.
 */
import type { Decision, DecisionAnswers } from "../output/decisions.ts";
import { isTerminal } from "../util/is-terminal.ts";
import type { Style } from "../util/style.ts";
import { wrapLong } from "../util/text-width.ts";
import { answerAsync } from "./question.ts";

const SAME = "a";
const QUIT = "q";

/**
 * Undefined if no person can answer, because one end is a pipe. Esc and Ctrl+C decline, and Ctrl+C ends the command as it
 * does elsewhere.
 */
export async function decideAsync(
  message: string,
  decisions: readonly Decision[],
  signal: AbortSignal,
  style: Style,
): Promise<DecisionAnswers | undefined> {
  if (!isTerminal(0) || !isTerminal(1) || !isTerminal(2)) return undefined;
  const answers = new Map<string, string>();
  /** The answer for all that are left, where they offer it. */
  let same: string | undefined;
  let last: string | undefined;
  process.stderr.write(`${style.bold(wrapLong(message, style.columns))}\n`);
  for (const [index, decision] of decisions.entries()) {
    if (same === undefined || !decision.options.some(({ value }) => value === same)) {
      const counted = decisions.length > 1 ? { number: index + 1, of: decisions.length } : undefined;
      const answer = await askAsync(decision, last, counted, signal, style);
      if (answer === undefined) return "declined";
      if (answer === SAME) same = last;
      last = answer === SAME ? last : answer;
    }
    answers.set(decision.key, same ?? last ?? "");
  }
  return answers;
}

/** The value of an option or `SAME`; undefined where the person wants to leave. */
async function askAsync(
  { question, detail, options }: Decision,
  last: string | undefined,
  counted: { readonly number: number; readonly of: number } | undefined,
  signal: AbortSignal,
  style: Style,
): Promise<string | undefined> {
  const shown = detail(style);
  if (shown !== "") process.stderr.write(`\n${shown}\n`);
  const before = options.find(({ value }) => value === last);
  const left = counted === undefined ? 0 : counted.of - counted.number + 1;
  const pressed = await answerAsync(async ({ selectKey }) => {
    const key: string | symbol | undefined = await selectKey({
      message: counted === undefined ? question : `${counted.number}/${counted.of}  ${question}`,
      options: [
        ...options.map(({ key, label }) => ({ value: key, label })),
        ...(before === undefined || left < 2
          ? []
          : [{ value: SAME, label: `${before.label}, for all ${left} that are left` }]),
        { value: QUIT, label: "change nothing and leave" },
      ],
      output: process.stderr,
      signal,
    });
    // Enter takes the option that is shown first, for which the question gives no key.
    return key ?? options[0]?.key ?? QUIT;
  });
  if (pressed === undefined || pressed === QUIT) return undefined;
  if (pressed === SAME) return SAME;
  return options.find(({ key }) => key === pressed)?.value;
}
