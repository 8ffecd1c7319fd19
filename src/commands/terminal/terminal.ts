/** `sb terminal`: a REPL on a Studio. The surface decides how it looks. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand, streamed, streamedFailure } from "../../command-kit/definition.ts";
import type { SessionCommandContext } from "../../command-kit/context.ts";
import { executeScriptAsync } from "../../command-kit/scripts/execute-script.ts";
import { readScriptFileAsync } from "../../files/script-source.ts";
import type { TerminalRecord } from "../../command-kit/surfaces/terminal-record.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";

const input = defineSchema((z) =>
  z.strictObject({
    script: z.string().min(1, "expected a file name").optional().describe("Run this script file first"),
  }),
);

export const command = defineCommand({
  name: "terminal",
  summary: "Type Luau into a Studio",
  description:
    "Runs the Luau that you type in Studio and shows the result: an expression shows its value, _ is the last value, globals stay from line to line. Tab completes from the live DataModel, Ctrl+C cancels a running script, lines go to the server while a test plays, as those of exec do, unless --context, --session or .context says otherwise, .help lists the dot-commands. If stdin is no terminal, it reads lines without a prompt and exits with 1 when one failed; with --json, each piece of Luau and each dot-command then gives one line: { input, success, output or error }, where output is what exec or the command prints with --json.",
  group: "Scripts",
  examples: [
    { command: "sb terminal", note: "" },
    { command: "sb terminal --headless", note: "without Studio" },
    { command: "sb terminal --script setup.luau", note: "a script first" },
    { command: "sb terminal < lines.luau", note: "line by line" },
    { command: "sb terminal --json < lines.luau | jq .output.returnValues", note: "an object for each" },
  ],
  surfaces: ["cli"],
  target: "session",
  defaultContext: "server",
  repeats: "execute",
  launchesStudio: true,
  savesPlace: true,
  stays: true,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output: defineSchema((z) => z.object({})),
  cli: {
    asks: true,
    positionals: [{ key: "sessionId", label: "SESSION-ID" }],
    flags: flagsOf(input, {
      script: { kind: "string", label: "FILE" },
    }),
  },
  async prepareAsync({ script }) {
    const source = script === undefined ? undefined : await readScriptFileAsync(script);
    return async (context) => {
      const first =
        source === undefined ? undefined : await executeScriptAsync({ ...context, isRepl: true }, source);
      if (first !== undefined && source !== undefined) {
        const record: TerminalRecord = { input: source.text, success: first.success, output: first };
        context.emit({ stream: "stdout", json: record });
      }
      const entered = await enterTerminalAsync(context);
      return first?.success === false ? streamedFailure : entered;
    };
  },
});

export async function enterTerminalAsync(context: SessionCommandContext) {
  if (context.surfaces === undefined) throw new Error("A terminal needs a command line.");
  const { failed } = await context.surfaces.terminalAsync(context);
  return failed ? streamedFailure : streamed;
}
