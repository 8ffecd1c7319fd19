/** Asks the person at the terminal a yes-or-no question; the question goes to stderr, because stdout is for results. */
import { cancelled } from "../protocol/messages.ts";
import { isTerminal } from "../util/is-terminal.ts";
import { answerAsync } from "./question.ts";

/** Undefined if no person can answer, because stdin or stderr is no terminal. Enter means no. Throws CANCELLED. */
export async function confirmAsync(question: string, signal: AbortSignal): Promise<boolean | undefined> {
  if (!isTerminal(0) || !isTerminal(2)) return undefined;
  const answer = await answerAsync(({ confirm }) =>
    confirm({ message: question, initialValue: false, output: process.stderr, signal }),
  );
  if (answer === undefined) throw cancelled("not_started");
  return answer;
}
