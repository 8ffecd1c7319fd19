/**
 * Makes the plan of a sync: compares what files, Studio and the base hold, and gives each difference a verdict. It reads
 * and writes nothing.
 */
import type { SyncbackRules } from "../../roblox/rojo/project-rules.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import type { Lineage } from "../revisions/lineage.ts";
import type { PlanItem, PropertyChoice } from "../types.ts";
import { type AspectOptions, isPair } from "./aspects.ts";
import type { AlikeValues } from "./at-once.ts";
import { leftOutOf } from "./differences.ts";
import { type Entries, entriesOf } from "./entries.ts";
import { holdLargePlan, type HoldWishes } from "./holds.ts";
import { ItemPaths } from "./item-path.ts";
import { Limits } from "./limits.ts";
import { leaveOut } from "./leave-out.ts";
import { isEqualAtOnce, makeItems } from "./make-items.ts";
import { isScript, Normalizer } from "./normalize.ts";
import { OneWayFolders } from "./one-way.ts";
import { ItemIds, type PlanState, type SyncPlan } from "./plan-state.ts";
import { settle } from "./settle.ts";
import { settleSharedFiles } from "./shared-files.ts";
import type { GitOfScripts } from "./verdicts.ts";

export type { SyncPlan } from "./plan-state.ts";

export interface PlanInput extends HoldWishes {
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
  /** What is known of earlier syncs of this place; its base is `base`. */
  readonly lineage?: Lineage | undefined;
  /** An open Studio whose place names no revision that is kept: its scripts may be those of another project. */
  readonly isUnknownPlace?: boolean | undefined;
  /** The other side is a Studio, where only what scripts can write is written. */
  readonly isForScripts?: boolean | undefined;
  /** What git says of scripts, by their nodes. */
  readonly git?: GitOfScripts | undefined;
  /** Folders and globs whose files go to Studio, and take nothing from it. */
  readonly oneWay?: readonly string[] | undefined;
  /** What the project's settings leave out: Instances, files, folders and globs. */
  readonly skips?: readonly string[] | undefined;
  /** What earlier plans of the same two sides have found equal. */
  readonly alike?: AlikeValues | undefined;
}

export function planOf(input: PlanInput): SyncPlan {
  const normalizer = new Normalizer(input.schema);
  const { files, studio, base, rules } = input;
  const entries = entriesOf({ files, studio, ...(base === undefined ? {} : { base }) }, normalizer);
  const options: AspectOptions = {
    normalizer,
    meaning: { normalizer, knowsDefaults: true, alike: input.alike },
    entries,
    properties: input.properties,
    ignoreReferents: rules?.ignoreReferents === true,
    isForScripts: input.isForScripts === true,
  };
  const limits = new Limits(normalizer, rules, input.folder, new OneWayFolders(input.folder, input.oneWay));
  const state = {
    entries,
    options,
    limits,
    paths: new ItemPaths(),
    folder: input.folder,
    ids: new ItemIds(entries),
    entryOf: new Map(),
    rulings: new Map(),
    chosen: new Set<PlanItem>(),
    mirrored: new Set<PlanItem>(),
    lineage: input.lineage,
  };
  const { lineage, git = new Map() } = input;
  const isForeign = input.isUnknownPlace === true && isForeignPlace(entries);
  const items = makeItems(state, { limits, aspects: options, lineage, git, isForeign });
  // A parent comes before what is below it, because its path is the beginning of theirs.
  items.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
  const plan: SyncPlan = {
    items,
    get leftOut() {
      return leftOutIn(state);
    },
    get pairs() {
      return entries.pairs;
    },
    state,
  };
  leaveOut(plan, input.skips ?? []);
  settle(plan);
  settleSharedFiles(plan);
  holdLargePlan(plan, input);
  return plan;
}

/** How many changes in Studio no file takes over. What the project's rules ignore is not meant to be taken. */
function leftOutIn({ entries, options, limits }: PlanState): number {
  let count = 0;
  for (const entry of entries.all) {
    if (!isPair(entry) || isEqualAtOnce(entry, options) || limits.isIgnored(entry)) continue;
    const { className } = entry.file;
    count += leftOutOf(entry, options).filter((each) => !limits.isIgnoredProperty(className, each)).length;
  }
  return count;
}

/** Whether the project has scripts of its own, and the place has none of them. */
function isForeignPlace({ all }: Entries): boolean {
  const own = all.filter(({ file }) => file !== undefined && isScript(file.className));
  return own.length > 0 && own.every((entry) => !isPair(entry));
}
