/** Running scripts. */
import { follows, runs } from "../classes.ts";
import { callerSchema } from "../fields/callers.ts";
import { restoredCopySchema, wireChangeSchema } from "../fields/changes.ts";
import { undoReportSchema } from "../fields/undo-steps.ts";
import { defineSchema } from "../schema.ts";
import type { Zod } from "../schema.ts";
import { serializedValueSchema } from "../values.ts";
import type { ActionRows } from "./row.ts";

export const EXECUTE_TIMEOUT_MS = 120_000;

export const errorInfoSchema = defineSchema((z) =>
  z.object({
    code: z.string().describe("Error code, such as `SCRIPT_RUNTIME_ERROR`."),
    line: z.int().positive().optional().describe("Line of the script that failed."),
    traceback: z
      .string()
      .optional()
      .describe("Calls that led to the failure, one a line, the innermost first."),
    isIncomplete: z
      .boolean()
      .optional()
      .describe("True for an interactive script whose source ends too early, so more text may complete it."),
    isExpression: z
      .boolean()
      .optional()
      .describe("True for a source that is an expression, so `return` in front of it makes it a script."),
    value: serializedValueSchema(z).optional().describe("The table that was raised as the error."),
  }),
);

/** What a script is given, whether it runs for good or for trial. */
const scriptFields = (z: Zod) => ({
  script: z.string().describe("Luau source."),
  args: z.array(z.string()).default([]).describe("Strings that the script gets as `...`."),
  variables: z
    .array(z.string())
    .default([])
    .describe("Values for the script's `sb.env`, each as `NAME=VALUE`."),
  input: z.string().optional().describe("Text for the script's `sb.input`."),
  chunkName: z.string().max(256).default("Script").describe("Name of the script in errors and tracebacks."),
  timeoutMs: z
    .int()
    .positive()
    .default(EXECUTE_TIMEOUT_MS)
    .describe("Milliseconds from the arrival at the plugin until the script is stopped."),
  interactive: z
    .boolean()
    .default(false)
    .describe("True for a line that a person typed: an expression gives its value, and globals stay."),
  keepsGlobals: z
    .boolean()
    .default(false)
    .describe(
      "True where later scripts with this field, or with `interactive`, see the globals that the script makes, and its first value as `_`.",
    ),
  fresh: z
    .boolean()
    .default(false)
    .describe("Loads modules again that have changed since such a script loaded them."),
  moduleSet: z
    .string()
    .max(64)
    .optional()
    .describe(
      "For `fresh`: modules that scripts with another name here have loaded are loaded again. Gives the script `sb.compileModules`, which takes a function of a module and its source that returns the module's function, or nil where the plugin is to compile it.",
    ),
  caller: callerSchema(z).optional().describe("Whose undo step the script's changes are."),
  emits: z
    .boolean()
    .default(false)
    .describe(
      "Gives the script `sb.emit`, which sends a value as a line of the level `Event`, and `sb.limitResumption`, which limits how many seconds a thread may run without a yield.",
    ),
});

/** How a script ended. */
const scriptEndFields = (z: Zod) => ({
  success: z.boolean().describe("False for a script that does not compile, fails, or is stopped."),
  error: z.string().optional().describe("What went wrong, in one text for people."),
  errorInfo: errorInfoSchema(z).optional().describe("What went wrong, in parts."),
  returnValues: z.array(serializedValueSchema(z)).default([]).describe("Values that the script returned."),
  durationMs: z.number().nonnegative().default(0).describe("Milliseconds that the script ran."),
  outputCount: z
    .int()
    .nonnegative()
    .optional()
    .describe("How many lines were sent as `output`, so a receiver notices a missing one."),
  undo: undoReportSchema(z).optional().describe("What became of the undo step. Older plugins send none."),
});

export const scriptActions = {
  execute: {
    reply: "scriptComplete",
    class: runs(),
    subject: "Script execution",
    capability: "script execution",
    timeoutMs: EXECUTE_TIMEOUT_MS,
    retrySafe: false,
    request: defineSchema((z) =>
      z.object(scriptFields(z)).describe("Runs a script. The scripts of a session run one after the other."),
    ),
    result: defineSchema((z) => z.object(scriptEndFields(z)).describe("The end of a script.")),
  },
  tryScript: {
    reply: "scriptTried",
    class: runs(),
    subject: "Dry run",
    capability: "dry runs of scripts",
    timeoutMs: EXECUTE_TIMEOUT_MS,
    retrySafe: false,
    request: defineSchema((z) =>
      z
        .object(scriptFields(z))
        .describe(
          "Runs a script as `execute` does, and takes back what it changed in the place until it first yielded.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({
          ...scriptEndFields(z),
          diff: z.array(wireChangeSchema(z)).describe("What the script changed before it was taken back."),
          diffTotal: z
            .int()
            .nonnegative()
            .describe("How many changes there were; `diff` has the first of them."),
          restoredAsCopy: z
            .array(restoredCopySchema(z))
            .optional()
            .describe("The destroyed Instances in whose place there are copies now."),
          notHeld: z
            .array(z.string())
            .optional()
            .describe("What the script may have done that was not taken back."),
        })
        .describe("The end of a script that was tried."),
    ),
  },
  runInGame: {
    reply: "ranInGame",
    class: runs(),
    subject: "Script execution in the game",
    capability: "code in the game's own VM",
    timeoutMs: EXECUTE_TIMEOUT_MS,
    retrySafe: false,
    request: defineSchema((z) =>
      z
        .object({
          script: z.string().describe("Luau source."),
          chunkName: z
            .string()
            .max(256)
            .default("Script")
            .describe("Name of the code in errors and tracebacks."),
          timeoutMs: z
            .int()
            .positive()
            .default(EXECUTE_TIMEOUT_MS)
            .describe("Milliseconds from the arrival at the plugin until the script is taken away."),
          caller: callerSchema(z).optional().describe("Who asks."),
        })
        .describe(
          "Runs code as a script of the running game, with the modules, `_G` and `shared` of its scripts. The script is removed when the code has returned. What it prints is in the game's log.",
        ),
    ),
    result: defineSchema((z) =>
      z.object(scriptEndFields(z)).describe("The end of the code, as the game tells it."),
    ),
  },
  provideInput: {
    reply: "provideInputResult",
    class: follows(),
    subject: "Script input",
    capability: "script input",
    timeoutMs: EXECUTE_TIMEOUT_MS,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          scriptId: z.string().describe("Request id of the script that asked with `inputWanted`."),
          seq: z.int().nonnegative().describe("Number of the piece, as the script asked for it."),
          text: z.string().default("").describe("The piece, of any length."),
          isLast: z.boolean().default(false).describe("True for the end of standard input."),
          fault: z
            .string()
            .optional()
            .describe("Why there is no standard input; the script's call fails with it."),
        })
        .describe("Gives a running script the next piece of standard input."),
    ),
    result: defineSchema((z) =>
      z.object({}).describe("The script has the piece, or has ended, or had it before."),
    ),
  },
} as const satisfies ActionRows;
