/** `sb exec CODE`: runs Luau given on the command line or on stdin. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import {
  DRY_RUN_HELP,
  executeScriptAsync,
  scriptResultSchema,
} from "../../command-kit/scripts/execute-script.ts";
import { withCaveatsAsync } from "../../command-kit/caveats/caveats.ts";
import { quietSpelling } from "../../command-kit/words/shared-flags.ts";
import { QUIET_TEXT } from "../../output/remark.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { invalidInput } from "../../protocol/messages.ts";
import {
  readScriptInputsAsync,
  scriptInputFields,
  scriptInputFlags,
  scriptInputKeys,
} from "../../command-kit/scripts/script-inputs.ts";
import { stdinPieces } from "../../command-kit/scripts/stdin-pieces.ts";
import agentDescription from "./exec.md" with { type: "text" };

const input = defineSchema((z) =>
  z.strictObject({
    script: z.string().min(1, "the code is empty").describe("Luau code to run"),
    interactive: z
      .boolean()
      .default(false)
      .describe("The value of an expression is shown, and globals stay for the next piece of code"),
    fresh: z.boolean().default(true).describe("Reload changed modules (default)"),
    dryRun: z.boolean().default(false).describe("Show what it would change, and take it back"),
    inGame: z.boolean().default(false).describe("Run in the VM of the running game"),
    quiet: z.boolean().default(false).describe(QUIET_TEXT),
    ...scriptInputFields(z),
  }),
);

export const command = defineCommand({
  name: "exec",
  summary: "Run Luau code",
  description: `Runs Luau code in Studio and prints its output and what it returns. While Studio plays, it runs on the server. ${DRY_RUN_HELP}`,
  agentDescription,
  group: "Scripts",
  examples: [
    { command: `sb exec 'print("Hello from Studio")'`, note: "" },
    { command: "sb exec 'return workspace:GetChildren()'", note: "show a value" },
    { command: "echo 'print(1)' | sb exec -", note: "code from stdin" },
    { command: "sb exec --headless 'print(_VERSION)'", note: "without Studio" },
    { command: "sb exec --dry-run 'workspace.Door:Destroy()'", note: "what it would change" },
    { command: "sb exec --in-game 'return _G.Round'", note: "in the VM of the running game" },
    { command: "sb exec --env TOKEN 'print(#sb.env.TOKEN)'", note: "a variable of the environment" },
    { command: "sb exec 'print(#sb.readAll())' < list.csv", note: "stdin" },
    { command: "sb exec -- '--!strict'", note: "code that starts with a dash" },
  ],
  toolGroups: ["core", "script"],
  surfaces: ["cli", "mcp"],
  target: "session",
  defaultContext: "server",
  namesContext: () => true,
  waitsFor: "execute",
  launchesStudio: true,
  takesLong: true,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output: scriptResultSchema,
  personalInput: ["interactive", "quiet", ...scriptInputKeys],
  typed: {
    input: (text) => ({ script: text, interactive: true }),
    isIncomplete: ({ errorInfo }) => errorInfo?.isIncomplete === true,
  },
  cli: {
    asks: true,
    olderNames: ["console exec"],
    positionals: [
      { key: "script", label: "CODE", required: true, dashReadsStdin: true },
      { key: "sessionId", label: "SESSION-ID" },
    ],
    flags: [
      ...flagsOf(input, {
        dryRun: "boolean",
        inGame: "boolean",
        fresh: {
          kind: "boolean",
          negatable: true,
          describe: () => "Reload changed modules (default); --no-fresh keeps what was loaded",
        },
        quiet: quietSpelling,
      }),
      ...scriptInputFlags(input),
    ],
  },
  failed: ({ success }) => !success,
  agentNote: ({ errorInfo }) =>
    errorInfo?.isExpression === true
      ? "This is an expression; put `return` before it to get its value."
      : undefined,
  async prepareAsync({ script, interactive, fresh, dryRun, inGame, quiet, ...given }, basics) {
    if (inGame && (dryRun || given.env.length > 0 || given.input !== undefined))
      throw invalidInput(
        dryRun ? "Nothing takes back what code in the game does." : "Code in the game has no `sb`.",
        dryRun
          ? "Leave out the dry run, or run the code outside of the game's own VM."
          : "Write the values into the code.",
      );
    const code = {
      text: script,
      fresh,
      dryRun,
      inGame,
      inputs: await readScriptInputsAsync(given),
      nextInputAsync: stdinPieces(basics),
      ...(interactive ? { name: "input", interactive } : {}),
    };
    return (context) =>
      // A REPL would tell it between the lines that a person types.
      withCaveatsAsync(context, quiet || interactive, () => executeScriptAsync(context, code));
  },
});
