/** The citty tree: one sub-command per definition. Words are checked by `parse-words.ts`, because citty lets too much pass. */
import { defineCommand, runCommand } from "citty";
import type { Command } from "../command/definition.ts";

/** Runs what `words` ask of `command` and gives its exit code. */
export async function runInTreeAsync(
  commands: readonly Command[],
  command: Command,
  words: readonly string[],
  executeAsync: (command: Command, words: readonly string[]) => Promise<number>,
): Promise<number> {
  let exitCode = 0;
  // Without a prototype, so that `toString` is no sub-command.
  const subCommands = Object.assign(
    Object.create(null),
    Object.fromEntries(
      commands.map((each) => [
        each.name,
        () =>
          defineCommand({
            meta: { name: each.name, description: each.summary },
            run: async () => {
              exitCode = await executeAsync(each, words);
            },
          }),
      ]),
    ),
  );
  const root = defineCommand({ meta: { name: "sb" }, subCommands });
  await runCommand(root, { rawArgs: [command.name] });
  return exitCode;
}
