/** The tools that a project adds to `sb mcp`: command templates as tools, Luau script templates as commands. */
import type { Command } from "../../command-kit/definition.ts";
import type { Tool } from "../server/features.ts";
import { commandTool } from "./command-tool.ts";
import { readProjectAsync } from "../../templates/project-file.ts";
import type { ProjectProblem } from "../../templates/project-file.ts";
import { scriptCommand } from "../../templates/script-command.ts";

interface ProjectTools {
  /** Undefined where there is no project. */
  readonly file: string | undefined;
  readonly tools: readonly Tool[];
  /** Served under their own names, otherwise like every command on a session. */
  readonly commands: readonly Command[];
  readonly problems: readonly ProjectProblem[];
}

/** What the project file of `folder`, or of the nearest folder above it, adds. Never throws for what stands in it. */
export async function loadProjectToolsAsync(folder: string): Promise<ProjectTools> {
  const { file, entries, problems } = await readProjectAsync(folder);
  return {
    file,
    tools: entries.flatMap((entry) => (entry.kind === "command" ? [commandTool(entry.template, entry)] : [])),
    commands: entries.flatMap((entry) => (entry.kind === "script" ? [scriptCommand(entry)] : [])),
    problems,
  };
}

export { PROJECT_FILE } from "../../project/find-project-file.ts";
export { problemText } from "../../templates/project-file.ts";
