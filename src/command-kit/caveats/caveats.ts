/** Tells at the end of a command what a headless Studio has done otherwise than Roblox Studio meanwhile, to people and to programs. */
import { countedAsync } from "../../output/counted.ts";
import {
  type CaveatFields,
  type Counted,
  difference,
  hasCaveats,
  NOTHING_COUNTED,
} from "../../protocol/caveats.ts";
import type { CommandContext, SessionCommandContext } from "../context.ts";

/** Adds to the result of `runAsync` what was counted meanwhile, and tells it to people. */
export async function withCaveatsAsync<Result extends object>(
  context: SessionCommandContext,
  isQuiet: boolean,
  runAsync: () => Promise<Result>,
): Promise<Result & CaveatFields> {
  if (isQuiet) return runAsync();
  // A Studio of the command's own counts for this command alone. The question to another one is sent before the script is.
  const before = context.ownStudio === undefined ? countedAsync(context) : Promise.resolve(NOTHING_COUNTED);
  const result = await runAsync();
  const counted = difference(await countedAsync(context), await before);
  return { ...result, ...(await tellCaveatsAsync(counted, context)) };
}

/** Shows a line to people, if there is something to tell; gives the fields for programs. */
export async function tellCaveatsAsync(
  counted: Counted,
  context: Pick<CommandContext, "emit" | "catalog">,
): Promise<CaveatFields> {
  const fields = await caveatFieldsAsync(counted, context);
  if (hasCaveats(fields)) context.emit((await import("../../output/caveat-remark.ts")).caveatRemark(fields));
  return fields;
}

/** The fields, with the cures that this `sb` has. Their code is loaded only where there is something to tell. */
export async function caveatFieldsAsync(
  counted: Counted,
  { catalog }: Pick<CommandContext, "catalog">,
): Promise<CaveatFields> {
  if (counted.neverFires.length === 0 && counted.approximated.length === 0) return {};
  return (await import("./cures.ts")).withCuresAsync(counted, catalog);
}
