/**
 * Reads the words after `sb tool`: a few flags of ours, then a command template, whose words are passed to its program
 * unread.
 */
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { parseTimeSpan } from "../../util/time-span.ts";
import { TIMEOUT_LIMIT_MS } from "../../session/session-target.ts";

export const TOOL_USAGE = "sb tool [flags] COMMAND [ARG…]";

const USAGE = `usage: ${TOOL_USAGE}`;
const NO_COMMAND = "no command provided";

export interface ToolServing {
  readonly debug: boolean;
  readonly log?: string;
  readonly timeoutMs?: number;
  /** At least one word. */
  readonly command: readonly string[];
}

/**
 * Throws INVALID_INPUT where there are no words at all. For any other mistake TEMPLATE_ERROR, whose exit code is 1: that is
 * what tools that write command templates expect.
 */
export function parseToolWords(words: readonly string[]): ToolServing | "help" | "version" {
  if (words.length === 0) throw invalidInput(NO_COMMAND, USAGE);
  const options: { debug: boolean; log?: string; timeoutMs?: number } = { debug: false };
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      at += 1;
      break;
    }
    if (!word.startsWith("-")) break;
    if (word === "--help" || word === "-h") return "help";
    if (word === "--version" || word === "-V") return "version";
    if (word === "--debug") options.debug = true;
    else if (word === "--log") options.log = fileName(words[(at += 1)]);
    else if (word === "--timeout") options.timeoutMs = milliseconds(words[(at += 1)]);
    else throw usageError(`unknown flag: ${word}`);
  }
  const command = words.slice(at);
  if (command.length === 0) throw usageError(NO_COMMAND);
  return { ...options, command };
}

function fileName(word: string | undefined): string {
  if (word === undefined || word === "" || word.startsWith("-"))
    throw usageError("--log requires a filename argument");
  return word;
}

function milliseconds(word: string | undefined): number {
  const timeMs = /^\d+$/.test(word ?? "") ? Number(word) : parseTimeSpan(word ?? "");
  if (timeMs === undefined || timeMs < 1 || timeMs > TIMEOUT_LIMIT_MS)
    throw usageError("--timeout requires a time such as 30s, or a number of milliseconds");
  return timeMs;
}

function usageError(message: string): StudioBridgeError {
  return new StudioBridgeError("TEMPLATE_ERROR", message, { hint: USAGE });
}
