/** Lets the person at the terminal choose one of several; drawn on stderr, because stdout is for results. */
import type { Choice } from "../command-kit/context.ts";
import { cancelled } from "../protocol/messages.ts";
import { isTerminal } from "../util/is-terminal.ts";
import { answerAsync } from "./question.ts";

/** Undefined if no person can choose, because one end is a pipe. Throws CANCELLED. */
export async function chooseAsync(
  question: string,
  choices: readonly Choice[],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!isTerminal(0) || !isTerminal(1) || !isTerminal(2)) return undefined;
  const answer = await answerAsync(({ select }) =>
    select({ message: question, options: [...choices], output: process.stderr, signal }),
  );
  if (answer === undefined) throw cancelled("not_started");
  return answer;
}
