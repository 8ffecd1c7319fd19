/** Lists the tools that a project adds to `sb mcp`, with what is wrong with them. */
import type { ProjectToolList } from "../command-kit/surfaces/project-tools.ts";
import { readProjectAsync } from "./project-file.ts";

export async function listProjectToolsAsync(folder: string): Promise<ProjectToolList> {
  const { file = null, entries, problems } = await readProjectAsync(folder);
  return {
    file,
    tools: entries.map(({ name, kind, title, description, template, readOnly }) => ({
      name,
      kind,
      title,
      description,
      template: template.shown,
      readOnly,
    })),
    problems: [...problems],
  };
}
