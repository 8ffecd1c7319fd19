/** Which commands and flags of this `sb` are a cure for what a headless Studio has done otherwise than Roblox Studio. */
import { loadNeverFiresAsync } from "../../headless/index.ts";
import type { ActionResult } from "../../protocol/actions.ts";
import type { CaveatFields } from "../../protocol/caveats.ts";
import type { CommandContext } from "../context.ts";
import type { CommandFacts } from "../facts.ts";
import { everySharedFlag } from "../words/shared-flags.ts";

/** A cure is a flag, or the first words of an example of a command: what this `sb` has not is no cure. */
function isThere(cure: string, commands: readonly CommandFacts[]): boolean {
  if (!cure.startsWith("--"))
    return commands.some(({ examples }) => examples.some(({ command }) => command.startsWith(cure)));
  const flags = [...everySharedFlag, ...commands.flatMap(({ cli }) => cli.flags ?? [])];
  return flags.some(({ name }) => `--${name}` === cure);
}

export async function withCuresAsync(
  { neverFires, approximated }: ActionResult<"queryCaveats">,
  catalog: CommandContext["catalog"],
): Promise<CaveatFields> {
  const [commands, curesOf] = await Promise.all([catalog.allAsync(), loadNeverFiresAsync()]);
  const rows = neverFires.map((row) => {
    const cures = (curesOf.get(row.event) ?? []).filter((cure) => isThere(cure, commands));
    return { ...row, ...(cures.length === 0 ? {} : { cure: cures.join(", ") }) };
  });
  return {
    ...(rows.length === 0 ? {} : { neverFires: rows }),
    ...(approximated.length === 0 ? {} : { approximated: [...approximated] }),
  };
}
