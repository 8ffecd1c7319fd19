/** What a plan is made from, as one look at both sides gives it. */
import type { FileSchema } from "../roblox/schema.ts";
import type { PlanInput } from "./plan/plan.ts";
import type { Sides } from "./read-sides.ts";
import type { PropertyChoice } from "./types.ts";

export function planInput(
  { project, studio, base }: Pick<Sides, "project" | "studio" | "base">,
  { properties }: { readonly properties: PropertyChoice | undefined },
  schema: FileSchema,
): PlanInput {
  const { root, folder, rules } = project.tree;
  return { files: root, studio, base: base?.root, schema, folder, properties, rules: rules.syncback };
}
