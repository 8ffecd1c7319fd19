/** What a plan is made from, as one look at both sides gives it. */
import type { FileSchema } from "../roblox/schema.ts";
import type { PlanInput } from "./plan/plan.ts";
import type { Sides } from "./read-sides.ts";
import type { Counterpart, PropertyChoice } from "./types.ts";

export function planInput(
  { project, studio, lineage }: Pick<Sides, "project" | "studio" | "lineage">,
  {
    properties,
    skips,
  }: { readonly properties: PropertyChoice | undefined; readonly skips?: readonly string[] | undefined },
  { isWritable }: Pick<Counterpart, "isWritable">,
  schema: FileSchema,
): PlanInput {
  const { root, folder, rules } = project.tree;
  return {
    files: root,
    studio,
    base: lineage?.base,
    lineage,
    schema,
    folder,
    properties,
    rules: rules.syncback,
    isForScripts: isWritable,
    skips,
  };
}
