/**
 * Makes the plan of a sync: compares what files, Studio and the base hold, and gives each difference a verdict. It reads
 * and writes nothing.
 */
import type { SyncbackRules } from "../../roblox/rojo/project-rules.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import type { CommittedFile, PropertyChoice } from "../types.ts";
import type { AspectOptions } from "./aspects.ts";
import { entriesOf } from "./entries.ts";
import { ItemPaths } from "./item-path.ts";
import { Limits, PACKAGE_FOLDERS } from "./limits.ts";
import { makeItems } from "./make-items.ts";
import { holdMassRemoval, type RemovalWishes } from "./mass-removal.ts";
import { Normalizer } from "./normalize.ts";
import { ItemIds, type SyncPlan } from "./plan-state.ts";
import { settle } from "./settle.ts";

export type { SyncPlan } from "./plan-state.ts";

export interface PlanInput extends RemovalWishes {
  readonly files: RojoNode;
  /** What Studio or a place file holds of the Instances that the files describe, and all that is below them. */
  readonly studio: RojoNode;
  /** What both held after the last sync. Its `studioId`s must be those of the same session, or be left out. */
  readonly base?: RojoNode | undefined;
  readonly schema: FileSchema;
  /** The project's folder, absolute. */
  readonly folder: string;
  /** Without it: what files state, and for scripts also what changed in Studio. */
  readonly properties?: PropertyChoice | undefined;
  readonly rules?: SyncbackRules | undefined;
  /** What git has committed of the files, by absolute path. */
  readonly git?: ReadonlyMap<string, CommittedFile> | undefined;
  readonly packageFolders?: readonly string[] | undefined;
}

export function planOf(input: PlanInput): SyncPlan {
  const normalizer = new Normalizer(input.schema);
  const { files, studio, base, rules } = input;
  const entries = entriesOf({ files, studio, ...(base === undefined ? {} : { base }) }, normalizer);
  const options: AspectOptions = {
    normalizer,
    entries,
    properties: input.properties,
    ignoreReferents: rules?.ignoreReferents === true,
  };
  const limits = new Limits(normalizer, rules, input.folder, input.packageFolders ?? PACKAGE_FOLDERS);
  const state = {
    entries,
    options,
    limits,
    paths: new ItemPaths(),
    folder: input.folder,
    ids: new ItemIds(entries),
    entryOf: new Map(),
    rulings: new Map(),
  };
  const items = makeItems(state, { limits, git: input.git ?? new Map() });
  // A parent comes before what is below it, because its path is the beginning of theirs.
  items.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
  const plan: SyncPlan = {
    items,
    get pairs() {
      return entries.pairs;
    },
    state,
  };
  settle(plan);
  holdMassRemoval(plan, input);
  return plan;
}
