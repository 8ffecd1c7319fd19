/** `sb script edit PATH`: changes the source of a script by texts, lines, a file or the person's text editor. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { patchingCommand } from "../../command-kit/changes/patching-command.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import type { CommandContext, SessionCommandContext } from "../../command-kit/context.ts";
import { decodeSource, readSourceFileAsync } from "../../files/script-source.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { editOfFlags, readEdits } from "../../scripts/edit-input.ts";
import type { GivenEdit } from "../../scripts/edit-input.ts";
import { checkFlag, checkOptions, checkSchema } from "./check-choice.ts";
import { editAnswer, editText } from "./edit-answer.ts";
import type { EditAnswer } from "./edit-answer.ts";
import { editScriptsAsync } from "../../scripts/edit-scripts.ts";
import { editInEditorAsync } from "./edit-in-editor.ts";
import { checkReplace, replaceFields, replaceInScriptsAsync } from "../../scripts/replace-scripts.ts";
import agentDescription from "./script-edit.md" with { type: "text" };

const input = defineSchema((z) =>
  z.strictObject({
    edits: z
      .array(
        z.strictObject({
          path: z.string().min(1, "a path is needed").describe("Path or id of the script"),
          old: z.string().optional(),
          new: z.string().optional(),
          all: z.boolean().optional().describe("Replace every old"),
          startLine: z.int().min(1, "lines count from 1").optional(),
          endLine: z.int().min(0).optional().describe("Default startLine; one less inserts before it"),
          source: z.string().optional(),
          hash: z.string().optional(),
        }),
      )
      .default([])
      .describe("In any order"),
    replace: z.strictObject(replaceFields(z)).optional().describe("Instead of edits: in all scripts"),
    check: checkSchema(z),
    dryRun: z.boolean().default(false).describe("Only show what would change"),
    path: z.string().min(1, "a path is needed").optional().describe("Path or id of the script"),
    old: z.string().optional().describe("Text to replace; it must occur once"),
    new: z.string().optional().describe("The new text"),
    all: z.boolean().optional().describe("Replace every occurrence of the text"),
    lines: z.string().optional().describe("Lines to replace, such as 10:20"),
    insert: z
      .int("expected the number of a line")
      .min(1, "lines count from 1")
      .optional()
      .describe("Put the new text before this line; one after the last line is the end"),
    file: z
      .string()
      .min(1, "a file name is empty")
      .optional()
      .describe("File with the whole new source; - is stdin"),
    hash: z
      .string()
      .optional()
      .describe("Refuse unless the source still has this hash, which script read shows"),
  }),
);
type Input = OutputOf<typeof input>;

export const command = defineCommand({
  name: "script edit",
  toolName: "edit_script",
  summary: "Change a script's source",
  description:
    "Replaces a text, lines or all of a script's source, or inserts lines, through the script editor, as one undo step, and shows what changed. Without flags it opens the source in $VISUAL or $EDITOR.",
  agentDescription,
  group: "Scripts",
  examples: [
    { command: "sb script edit ServerScriptService.Main", note: "in your text editor" },
    { command: "sb script edit ServerScriptService.Main --old 'wait(' --new 'task.wait(' --all", note: "" },
    { command: "sb script edit ServerScriptService.Main --lines 3:4 --new 'return 1'", note: "" },
    {
      command: "sb script edit ServerScriptService.Main --insert 1 --new='--!strict'",
      note: "a new first line",
    },
    { command: "sb script edit ServerScriptService.Main --file main.luau --check", note: "" },
  ],
  toolGroups: ["script"],
  surfaces: ["cli", "terminal", "mcp"],
  ...patchingCommand,
  readOnlyInput: { dryRun: true },
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output: editAnswer,
  personalInput: ["path", "old", "new", "all", "lines", "insert", "file", "hash"],
  cli: {
    positionals: [{ key: "path", label: "PATH", required: true }],
    flags: flagsOf(input, {
      old: { kind: "string", label: "TEXT" },
      new: { kind: "string", label: "TEXT", mayBeEmpty: true },
      all: "boolean",
      lines: { kind: "string", label: "A:B" },
      insert: { kind: "number", label: "LINE" },
      file: { kind: "string", label: "FILE" },
      hash: { kind: "string", label: "HASH" },
      check: checkFlag,
      dryRun: "boolean",
    }),
    conflicts: [
      ...["old", "new", "all", "lines", "insert"].map((flag) => ({
        flags: ["file", flag],
        message: `Cannot use --file and --${flag} together.`,
        hint: "--file replaces the whole source.",
      })),
      {
        flags: ["old", "lines"],
        message: "Cannot use --old and --lines together.",
        hint: "--old replaces a text, --lines replaces whole lines.",
      },
      ...["old", "all", "lines"].map((flag) => ({
        flags: ["insert", flag],
        message: `Cannot use --insert and --${flag} together.`,
        hint: "--insert replaces nothing.",
      })),
    ],
  },
  failed: ({ ok }) => !ok,
  format: (answer, style) => editText(answer, style),
  async prepareAsync(given, context) {
    const { check, dryRun, replace } = given;
    if (replace !== undefined) {
      if (given.edits.length > 0)
        throw invalidInput("edits does not go with replace.", "Make two calls, or leave one out.");
      checkReplace(replace);
      return (opened) => replaceInScriptsAsync(opened, replace, { ...checkOptions(check, opened), dryRun });
    }
    const edits = await givenEditsAsync(given, context);
    if (edits === undefined) return (opened) => editByHandAsync(opened, given);
    const read = readEdits(edits);
    return (opened) => editScriptsAsync(opened, read, { ...checkOptions(check, opened), dryRun });
  },
});

/** Undefined where a person is to write the new source. Throws INVALID_INPUT. */
async function givenEditsAsync(
  { edits, path, file, ...flags }: Input,
  { readStdinAsync }: CommandContext,
): Promise<readonly GivenEdit[] | undefined> {
  if (path === undefined) {
    if (edits.length > 0) return edits;
    throw invalidInput("edits is empty.", "Name at least one edit, with the path of its script.");
  }
  const source = file === undefined ? undefined : await fileTextAsync(file, readStdinAsync);
  const { old, new: text, all, lines, insert, hash } = flags;
  const edit = editOfFlags({ path, old, new: text, all, lines, insert, hash, source });
  return edit === undefined ? undefined : [edit];
}

async function fileTextAsync(
  file: string,
  readStdinAsync: CommandContext["readStdinAsync"],
): Promise<string> {
  return file === "-" ? decodeSource(await readStdinAsync(), "stdin") : readSourceFileAsync(file);
}

async function editByHandAsync(
  context: SessionCommandContext,
  { path = "", hash, check, dryRun }: Input,
): Promise<EditAnswer> {
  return editInEditorAsync(context, { path, hash }, (edit) =>
    editScriptsAsync(context, readEdits([edit]), { ...checkOptions(check, context), dryRun }),
  );
}
