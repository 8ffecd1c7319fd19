/** The keys that a person presses while a command runs, one at a time, and a line of text that a command asks for. */
import type { KeyPress, Keys } from "../output/run-surface.ts";
import { isTerminal } from "../util/is-terminal.ts";
import { interruptSelf } from "./interruption.ts";
import { answerAsync } from "./question.ts";

const CTRL_C = "\u0003";
const NAMED: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "enter",
  "\u001b": "escape",
  " ": "space",
};

/**
 * Undefined if no person can press any, because one end is a pipe. `settleAsync` is awaited before a question, so that what was
 * written earlier stands above it and not in it.
 */
export function openKeys(hear: KeyPress, settleAsync: () => Promise<void>): Keys | undefined {
  if (!isTerminal(0) || !isTerminal(1)) return undefined;
  const { stdin } = process;
  const onData = (bytes: Buffer): void => {
    const text = bytes.toString();
    // In raw mode the system makes no signal of it.
    if (text.includes(CTRL_C)) interruptSelf();
    // Arrows and function keys arrive as a sequence, and mean nothing here.
    else if (text.length === 1) hear(NAMED[text] ?? text);
  };
  const start = (): void => {
    stdin.setRawMode(true);
    stdin.on("data", onData);
    stdin.resume();
  };
  const stop = (): void => {
    stdin.off("data", onData);
    stdin.pause();
    stdin.setRawMode(false);
  };
  start();
  return {
    askTextAsync: async (question, signal) => {
      stop();
      try {
        await settleAsync();
        return await answerAsync(async ({ text }) => {
          // What the person leaves empty has no value.
          return (await text({ message: question, output: process.stderr, signal })) ?? "";
        });
      } finally {
        if (!signal.aborted) start();
      }
    },
    [Symbol.dispose]: stop,
  };
}
