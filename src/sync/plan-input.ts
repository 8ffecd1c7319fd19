/** What a plan is made from, as one look at both sides gives it. */
import type { FileSchema } from "../roblox/schema.ts";
import type { PlanInput } from "./plan/plan.ts";
import { memoryOf } from "./reading-memory.ts";
import type { Sides } from "./read-sides.ts";
import type { Counterpart, PropertyChoice } from "./types.ts";

export interface PlanWishes {
  readonly properties: PropertyChoice | undefined;
  /** What the project's settings leave out. */
  readonly skips?: readonly string[] | undefined;
  /** Folders and globs whose files go to Studio, and take nothing from it. */
  readonly oneWay?: readonly string[] | undefined;
}

export function planInput(
  { project, studio, lineage }: Pick<Sides, "project" | "studio" | "lineage">,
  { properties, skips, oneWay }: PlanWishes,
  counterpart: Pick<Counterpart, "isWritable">,
  schema: FileSchema,
): PlanInput {
  const { root, folder, rules } = project.tree;
  const { files, alike } = memoryOf(counterpart);
  return {
    files: root,
    studio,
    base: lineage?.base,
    lineage,
    schema,
    folder,
    properties,
    rules: rules.syncback,
    isForScripts: counterpart.isWritable,
    skips,
    oneWay,
    alike: files.isKeeping ? alike : undefined,
  };
}
