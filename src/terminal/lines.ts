/** A terminal without a person: reads lines, runs each chunk as soon as it is complete, shows no prompt. */
import type { Command } from "../command-kit/definition.ts";
import type { SessionCommandContext } from "../command-kit/context.ts";
import type { TerminalOutcome } from "../command-kit/surfaces/terminal-record.ts";
import { untilAbortedAsync } from "../session/follow.ts";
import { Repl } from "./repl.ts";

export async function runLinesAsync(
  context: SessionCommandContext,
  commands: readonly Command[],
  input: ReadableStream<Uint8Array>,
): Promise<TerminalOutcome> {
  const repl = new Repl(context, commands, {
    show: (emission) => context.emit(emission),
    clear: () => undefined,
    status: () => undefined,
    attached: () => undefined,
  });
  const reader = input.getReader();
  const decoder = new TextDecoder();
  const ended = untilAbortedAsync(context.signal);
  let rest = "";
  let chunk = "";
  for (;;) {
    const read = await Promise.race([reader.read(), ended]);
    if (read === undefined) break;
    const lines = (rest + decoder.decode(read.value, { stream: !read.done })).split(/\r?\n/);
    rest = read.done ? "" : (lines.pop() ?? "");
    for (const line of lines) {
      if (chunk !== "" && repl.isDotCommand(line)) await repl.submitAsync(line);
      else {
        chunk = chunk === "" ? line : `${chunk}\n${line}`;
        if ((await repl.submitAsync(chunk)) === "done") chunk = "";
      }
      if (repl.isExiting || context.signal.aborted) break;
    }
    if (read.done || repl.isExiting) break;
  }
  await reader.cancel();
  if (chunk.trim() !== "") repl.giveUp(chunk);
  return { failed: repl.hasFailed };
}
