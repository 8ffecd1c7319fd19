/** `sb tool list`: the tools that the project file adds to `sb mcp`, and what is wrong with it. */
import { defineSchema } from "../../protocol/schema.ts";
import type { Style } from "../../util/style.ts";
import { textTable } from "../../util/text-table.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { defineCommand } from "../../command/definition.ts";
import type { OutputOf } from "../../protocol/schema.ts";

const projectToolsSchema = defineSchema((z) =>
  z.object({
    /** Null where no project file was found. */
    file: z.string().nullable(),
    tools: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(["command", "script"]),
        title: z.string(),
        description: z.string(),
        /** The words with every field in its canonical spelling. */
        template: z.string(),
        readOnly: z.boolean(),
      }),
    ),
    problems: z.array(
      z.object({
        file: z.string(),
        line: z.int(),
        column: z.int(),
        /** Within the file, as in `tools.format.command`. */
        path: z.string(),
        message: z.string(),
      }),
    ),
  }),
);
export type ProjectToolList = OutputOf<typeof projectToolsSchema>;

export const toolListCommand = defineCommand({
  name: "tool list",
  summary: "List the tools of this project",
  description:
    "Shows the tools that sb.config.json in this folder, or in the nearest folder above it, adds to `sb mcp`. Entries that cannot be served are told with their place.",
  group: "Bridge",
  examples: [{ command: "sb tool list", note: "" }],
  surfaces: ["cli"],
  target: "surface",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input: defineSchema((z) => z.strictObject({})),
  output: projectToolsSchema,
  cli: { connects: false },
  format: listText,
  handler: (_, { surfaces }) => surfaces.projectToolsAsync(process.cwd()),
});

function listText({ file, tools, problems }: ProjectToolList, style: Style): string {
  if (file === null) return "No sb.config.json in this folder or above it.";
  const lines = textTable(
    [
      { title: "NAME", value: ({ name }) => name },
      { title: "KIND", value: ({ kind }) => kind, dropRank: 1 },
      { title: "RUNS", value: ({ template }) => visibleOnOneLine(template), minWidth: 16 },
    ],
    tools,
    style.columns,
  );
  const faults = problems.map(
    (problem) =>
      `${style.yellow("problem:")} ${visibleOnOneLine(`${problem.file}:${problem.line}:${problem.column}: ${problem.path === "" ? "" : `${problem.path}: `}${problem.message}`)}`,
  );
  const head = tools.length === 0 ? ["No tools."] : lines;
  return [style.dim(visibleOnOneLine(file)), ...head, ...faults].join("\n");
}
