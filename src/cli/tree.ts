/** The commands as citty's tree: each definition is loaded when citty comes to its command, and citty reads its arguments. */
import { defineCommand, runCommand } from "citty";
import type { SubCommandsDef } from "citty";
import type { Catalog } from "../command-kit/catalog.ts";
import type { CheckedWords } from "../command-kit/words/check-words.ts";
import { cittyArgsOf, fieldsOf } from "../command-kit/words/parse-words.ts";
import type { ParsedWords } from "../command-kit/words/parse-words.ts";

type Run = (parsed: ParsedWords) => Promise<number>;

/** `commandName`: one of the catalog, `checked`: the words behind it. Gives the exit code. */
export async function runInTreeAsync(
  catalog: Catalog,
  commandName: string,
  checked: CheckedWords,
  runAsync: Run,
): Promise<number> {
  let exitCode = 0;
  // citty looks names up with `in`; without a prototype, `toString` is no command.
  const subCommands: SubCommandsDef = Object.create(null);
  // Commands of two words stand beside those of one, because citty runs a parent after its sub-command.
  for (const name of catalog.names)
    subCommands[name] = async () => {
      const command = await catalog.findAsync(name);
      if (command === undefined) return {};
      return defineCommand({
        meta: { name, description: command.summary },
        args: cittyArgsOf(command, checked),
        run: async ({ args }) => {
          exitCode = await runAsync(fieldsOf(command, checked, args));
        },
      });
    };
  await runCommand(defineCommand({ meta: { name: "sb" }, subCommands }), {
    rawArgs: [commandName, ...checked.words],
  });
  return exitCode;
}
