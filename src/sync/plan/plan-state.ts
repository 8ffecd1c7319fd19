/** A plan together with what it was made from, which choices and the next base need. */
import type { AspectChange, Plan, PlanItem, Reason } from "../types.ts";
import { type AspectOptions, aspectsOfAdded, isDoubtfulReference } from "./aspects.ts";
import type { Entries, Entry } from "./entries.ts";
import type { ItemPaths } from "./item-path.ts";
import type { Limits } from "./limits.ts";
import type { Side } from "./edited.ts";
import { shown } from "./project-paths.ts";
import type { Lineage } from "../revisions/lineage.ts";
import type { Ruling } from "./verdicts.ts";

export interface SyncPlan extends Plan {
  readonly state: PlanState;
  /** How many changes in Studio no file takes over, because the files do not state what was changed. It takes a look at all of the project. */
  readonly leftOut: number;
}

export interface PlanState {
  readonly entries: Entries;
  readonly options: AspectOptions;
  readonly limits: Limits;
  readonly paths: ItemPaths;
  /** The project's folder, absolute. */
  readonly folder: string;
  readonly ids: ItemIds;
  readonly entryOf: Map<PlanItem, Entry>;
  /** What was decided about each item alone, by the plan or by a choice, before items are fitted together. */
  readonly rulings: Map<PlanItem, Ruling>;
  /** What an override or a person has decided. */
  readonly chosen: Set<PlanItem>;
  /** Pushes that follow from pulls into a file that makes several Instances. */
  readonly mirrored: Set<PlanItem>;
  /** What is known of earlier syncs of this place. */
  readonly lineage: Lineage | undefined;
}

/** Ids of Instances: Studio's numbers, and numbers above them for those that have none. */
export class ItemIds {
  readonly #given = new Map<Entry, string>();
  #last: number;

  constructor(entries: Entries) {
    this.#last = entries.all.reduce((highest, { studio }) => Math.max(highest, studio?.studioId ?? 0), 0);
  }

  of(entry: Entry): string {
    const known = this.#given.get(entry);
    if (known !== undefined) return known;
    const id = `@${entry.studio?.studioId ?? ++this.#last}`;
    this.#given.set(entry, id);
    return id;
  }
}

type ItemFacts = Pick<PlanItem, "change" | "aspects"> & { readonly ruling: Ruling };

/** The item is part of no plan yet. */
export function makeItem(state: PlanState, entry: Entry, { change, aspects, ruling }: ItemFacts): PlanItem {
  const { file, studio, base } = entry;
  const path = file?.file ?? file?.origin?.init ?? file?.origin?.path;
  const { verdict, reason, detail, merged } = ruling;
  const item: PlanItem = {
    id: state.ids.of(entry),
    path: state.paths.of(entry),
    ...(path === undefined ? {} : { fsPath: shown(state.folder, path) }),
    className: (studio ?? file ?? base)?.className ?? "",
    change,
    verdict,
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
    ...(file === undefined ? {} : { file }),
    ...(studio === undefined ? {} : { studio }),
    ...(base === undefined ? {} : { base }),
    aspects,
    ...(merged === undefined ? {} : { merged }),
    ...(verdict === "unresolved" && reason !== undefined ? { openedAs: reason } : {}),
  };
  state.entryOf.set(item, entry);
  state.rulings.set(item, ruling);
  return item;
}

/** Gives the other side an Instance that only `side` has; references that may have to wait are items of their own. */
export function makeAddItems(state: PlanState, entry: Entry, side: Side, ruling: Ruling): PlanItem[] {
  const node = entry[side];
  const aspects = node === undefined ? [] : aspectsOfAdded(node, side, state.options);
  const isDoubtful = (aspect: AspectChange) => isDoubtfulReference(aspect, state.entries);
  return [
    makeItem(state, entry, {
      change: "add",
      aspects: aspects.filter((aspect) => !isDoubtful(aspect)),
      ruling,
    }),
    ...aspects
      .filter(isDoubtful)
      .map((aspect) => makeItem(state, entry, { change: "edit", aspects: [aspect], ruling })),
  ];
}

/** What waits because a plan is large, and how much it is. */
export interface Hold {
  readonly reason: Extract<Reason, "mass_removal" | "many_overwrites">;
  readonly items: readonly PlanItem[];
  readonly count: number;
  readonly detail: string;
}
