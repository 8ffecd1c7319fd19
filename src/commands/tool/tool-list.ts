/** `sb tool list`: the tools that the project file adds to `sb mcp`, and what is wrong with it. */
import { findProjectFileAsync, type FoundProjectFile } from "../../project/find-project-file.ts";
import { unknownKeysIn } from "../../project/project-settings.ts";
import { remark } from "../../output/remark.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { Style } from "../../util/style.ts";
import { textTable } from "../../util/text-table.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { projectToolsSchema } from "../../command-kit/surfaces/project-tools.ts";
import type { ProjectToolList } from "../../command-kit/surfaces/project-tools.ts";

export const command = defineCommand({
  name: "tool list",
  summary: "List the tools of this project",
  description:
    "Shows the tools that sb.config.json in this folder, or in the nearest folder above it, adds to `sb mcp`. It also shows entries that cannot be served, with their position.",
  group: "Bridge",
  examples: [{ command: "sb tool list", note: "" }],
  surfaces: ["cli"],
  target: "none",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input: defineSchema((z) => z.strictObject({})),
  output: projectToolsSchema,
  cli: {},
  format: listText,
  failed: ({ problems }) => problems.length > 0,
  async handler(_input, context) {
    const found = await findProjectFileAsync(process.cwd());
    for (const text of found === undefined ? [] : unknownKeysOf(found))
      context.emit(remark(`Warning: ${text}`, "yellow"));
    const { listProjectToolsAsync } = await import("../../templates/list-tools.ts");
    return listProjectToolsAsync(process.cwd());
  },
});

/** None of a file that cannot be read, which is a problem of its own. */
function unknownKeysOf(found: FoundProjectFile): readonly string[] {
  try {
    return unknownKeysIn(found);
  } catch {
    return [];
  }
}

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
