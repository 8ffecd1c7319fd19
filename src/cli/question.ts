/** Puts one question of `@clack/prompts` to the person at the terminal. */
import type { Key } from "node:readline";
import { interruptSelf } from "./interruption.ts";

type Prompts = typeof import("@clack/prompts");

/**
 * Undefined where the person leaves the question with Esc or Ctrl+C. Ctrl+C also ends the command as it does elsewhere: the
 * terminal is in raw mode while a question is open, so that the system sends no signal.
 */
export async function answerAsync<T>(
  ask: (prompts: Prompts) => Promise<T>,
): Promise<Exclude<T, symbol> | undefined> {
  const hear = (_: string | undefined, { ctrl, name }: Key): void => {
    if (ctrl === true && name === "c") interruptSelf();
  };
  const prompts = await import("@clack/prompts");
  process.stdin.on("keypress", hear);
  try {
    const answer = await ask(prompts);
    return isAnswer(answer) ? answer : undefined;
  } finally {
    process.stdin.off("keypress", hear);
  }
}

/** `@clack/prompts` gives a symbol for a question that was left. */
const isAnswer = <T>(value: T): value is Exclude<T, symbol> => typeof value !== "symbol";
