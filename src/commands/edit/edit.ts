/** `sb edit FILE` and studio_edit: a list of operations on Instances, done as a whole and as one undo step. */
import { defineSchema } from "../../protocol/schema.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineEdit, dryRunField } from "./define-edit.ts";
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
    dryRun: dryRunField(z),
  }),
);

export const command = defineEdit({
  name: "edit",
  summary: "Create, change and remove Instances",
  description:
    'Runs a list of operations on Instances: create, set, delete, move, rename, clone and tag. All of them are done or none, and they are one undo step. The file is JSON, comments allowed: [{ "op": "create", "className": "Part", "parent": "Workspace", "properties": { "Size": [4, 1, 4], "Color": "#ff8800" } }]. `sb help studio-tools` tells more.',
  agentDescription,
  examples: [
    { command: "sb edit map.json", note: "" },
    { command: "sb edit map.json --dry-run", note: "check it first" },
    { command: `echo '[{"op":"delete","path":"Workspace.Old"}]' | sb edit -`, note: "from stdin" },
  ],
  toolGroups: ["edit"],
  surfaces: ["cli", "terminal", "mcp"],
  isDestructive: true,
  isIdempotent: false,
  input,
  readOnlyInput: { dryRun: true },
  personalInput: ["file"],
  positionals: [{ key: "file", label: "FILE" }],
  async operationsAsync({ file = "-", operations: given }, context) {
    const operations =
      given === undefined ? await readOperationsAsync(file, context) : checkedOperations(given, "operations");
    if (operations.length === 0)
      throw invalidInput(
        "There are no operations.",
        'An operation is { "op": "delete", "path": "Workspace.Old" }.',
      );
    return operations;
  },
});
