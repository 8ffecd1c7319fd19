/** src/cli/overview.json: what `sb --help` lists, so that it need not load the definition of each command. */
import { listedCommands } from "../../src/command-kit/words/command-help.ts";
import { commands } from "../../src/commands/index.ts";

const all = await commands.allAsync();

export function overview(): string {
  const lines = listedCommands(all).map(({ name, group, summary }) => ({ name, group, summary }));
  return `${JSON.stringify(lines, null, 2)}\n`;
}
