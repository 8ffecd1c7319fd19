/** `sb edit FILE` and studio_edit: a list of operations on Instances, done as a whole and as one undo step. */
import { defineSchema } from "../../protocol/schema.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineCommand } from "../../command/definition.ts";
import { flagFor } from "../../command/words/spelling.ts";
import { editFailed, editOutput, editPlaceAsync, editText } from "./edit-place.ts";
import { checkedOperations, readOperationsAsync } from "./operations-file.ts";
import agentDescription from "./edit.md" with { type: "text" };

/** The forms of operations, in fewer bytes than a schema of them takes. */
const OPERATIONS =
  "In order: {op: create, className, parent, name?, properties?, attributes?, tags?, children?, as?}, {op: set, path, properties?, attributes?}, {op: delete, path}, {op: move, path, parent}, {op: rename, path, name}, {op: clone, path, parent?, name?, as?}, {op: tag, path, add?, remove?}; all but create take expect: {className?, name?, parent?, properties?, attributes?}";

const input = defineSchema((z) =>
  z.strictObject({
    file: z
      .string()
      .min(1, "the file name is empty")
      .optional()
      .describe("JSON file of operations, - for stdin"),
    operations: z.array(z.record(z.string(), z.unknown())).optional().describe(OPERATIONS),
    dryRun: z.boolean().default(false).describe("Check everything and change nothing"),
  }),
);

export const command = defineCommand({
  name: "edit",
  summary: "Create, change and remove Instances",
  description:
    'Does a list of operations on Instances: create, set, delete, move, rename, clone and tag. All are done or none, and they are one undo step. The file is JSON, comments allowed: [{ "op": "create", "className": "Part", "parent": "Workspace", "properties": { "Size": [4, 1, 4], "Color": "#ff8800" } }]. See docs/studio-tools.md.',
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb edit map.json", note: "" },
    { command: "sb edit map.json --dry-run", note: "check it first" },
    { command: `echo '[{"op":"delete","path":"Workspace.Old"}]' | sb edit -`, note: "from stdin" },
  ],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "applyPatch",
  defaultContext: "edit",
  onlyLooks: ({ dryRun }) => dryRun === true,
  readOnlyInput: { dryRun: true },
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output: editOutput,
  personalInput: ["file"],
  cli: {
    positionals: [{ key: "file", label: "FILE" }],
    flags: [flagFor(input, "dryRun", { name: "dry-run", kind: "boolean" })],
  },
  failed: editFailed,
  format: editText,
  async prepareAsync({ file = "-", operations: given, dryRun }, context) {
    const operations =
      given === undefined ? await readOperationsAsync(file, context) : checkedOperations(given, "operations");
    if (operations.length === 0)
      throw invalidInput(
        "There are no operations.",
        'An operation is { "op": "delete", "path": "Workspace.Old" }.',
      );
    return (session) => editPlaceAsync({ operations, dryRun }, session);
  },
});
