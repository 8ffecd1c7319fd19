/** `sb terminal`: a REPL on a Studio (spec 2 §2, §7 "Terminal"). What it looks like is the business of the surface. */
import * as z from "zod";
import { lazy } from "../protocol/lazy.ts";
import { defineCommand } from "./define.ts";
import type { SessionCommandContext } from "./define.ts";
import { executeScriptAsync } from "./execute-script.ts";
import type { OutputOf } from "./input.ts";
import { readScriptFileAsync } from "./script-source.ts";
import { flagFor } from "./spelling.ts";

const input = lazy(() =>
  z.strictObject({
    script: z.string().min(1, "expected a file name").optional().describe("Run this script file first"),
  }),
);

export const terminalOutcomeSchema = lazy(() =>
  z.object({
    /** The last thing that failed, where nobody watched: input came from a file or a pipe. */
    failed: z.boolean(),
  }),
);
export type TerminalOutcome = OutputOf<typeof terminalOutcomeSchema>;

export const terminalCommand = defineCommand({
  name: "terminal",
  summary: "Type Luau into a Studio",
  description:
    "Runs what you type in Studio and shows what it gives: expressions show their value, globals stay from line to line. Tab completes from the live DataModel, Ctrl+C cancels a running script, .help lists the dot-commands. Where stdin is no terminal, it reads lines without a prompt and exits with 1 when one failed.",
  group: "Scripts",
  examples: [
    { command: "sb terminal", note: "" },
    { command: "sb terminal --headless", note: "without Studio" },
    { command: "sb terminal --script setup.luau", note: "a script first" },
    { command: "sb terminal < lines.luau", note: "line by line" },
  ],
  surfaces: ["cli"],
  target: "session",
  defaultContext: "server",
  launchesStudio: true,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output: terminalOutcomeSchema,
  failed: ({ failed }) => failed,
  cli: {
    asks: true,
    positionals: [{ key: "sessionId", label: "SESSION-ID" }],
    flags: [flagFor(input, "script", { kind: "string", label: "FILE" })],
  },
  async prepareAsync({ script }) {
    const source = script === undefined ? undefined : await readScriptFileAsync(script);
    return async (context) => {
      const isFirstFine = source === undefined || (await executeScriptAsync(context, source)).success;
      const { failed } = await enterTerminalAsync(context);
      return { failed: failed || !isFirstFine };
    };
  },
});

export function enterTerminalAsync(context: SessionCommandContext): Promise<TerminalOutcome> {
  if (context.surfaces === undefined) throw new Error("A terminal needs a command line.");
  return context.surfaces.terminalAsync(context);
}
