/** `sb script replace PATTERN WITH`: replaces a text or a pattern in the sources of scripts. */
import { patchingCommand } from "../../command-kit/changes/patching-command.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { defineSchema } from "../../protocol/schema.ts";
import { checkFlag, checkOptions, checkSchema } from "./check-choice.ts";
import { editAnswer, editText } from "./edit-answer.ts";
import { checkReplace, replaceFields, replaceInScriptsAsync } from "../../scripts/replace-scripts.ts";
import type { ReplaceResult } from "../../scripts/replace-scripts.ts";

const input = defineSchema((z) =>
  z.strictObject({
    ...replaceFields(z),
    check: checkSchema(z),
    dryRun: z.boolean().default(false).describe("Only show what would change"),
  }),
);

export const command = defineCommand({
  name: "script replace",
  summary: "Replace a text in many scripts",
  description:
    "Replaces a text or a regular expression in the sources of scripts, line by line, through the script editor. It is done as a whole or not at all, and is one undo step.",
  group: "Scripts",
  examples: [
    { command: "sb script replace OldName NewName --word --dry-run", note: "look first" },
    { command: "sb script replace OldName NewName --word --expect-count 12", note: "" },
    {
      command: "sb script replace '\\bwait\\((.*)\\)' 'task.wait($1)' ServerScriptService --regex",
      note: "",
    },
  ],
  surfaces: ["cli", "terminal"],
  ...patchingCommand,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output: editAnswer,
  cli: {
    positionals: [
      { key: "pattern", label: "PATTERN", required: true },
      { key: "with", label: "WITH", required: true },
      { key: "root", label: "ROOT" },
    ],
    flags: flagsOf(input, {
      regex: "boolean",
      ignoreCase: { alias: "i", kind: "boolean" },
      word: { alias: "w", kind: "boolean" },
      className: { name: "class", kind: "string", label: "CLASS" },
      expectCount: { kind: "number", label: "N" },
      check: checkFlag,
      dryRun: "boolean",
    }),
  },
  failed: ({ ok }) => !ok,
  format: (answer, style) => editText(answer, style),
  async prepareAsync({ check, dryRun, ...wish }) {
    checkReplace(wish);
    return async (context) => {
      const answer = await replaceInScriptsAsync(context, wish, { ...checkOptions(check, context), dryRun });
      context.emit({ stream: "stderr", text: ({ dim }) => dim(countText(answer, dryRun)) });
      return answer;
    };
  },
});

function countText({ ok, total, scripts, searched }: ReplaceResult, dryRun: boolean): string {
  const all = `${searched} script${searched === 1 ? "" : "s"}`;
  if (total === 0) return `No match in ${all}; nothing changes.`;
  const matches = `${total} match${total === 1 ? "" : "es"} in ${scripts} of ${all}`;
  if (!ok) return `${matches}; nothing was changed.`;
  return dryRun ? `${matches} would be replaced.` : `Replaced ${matches}.`;
}
