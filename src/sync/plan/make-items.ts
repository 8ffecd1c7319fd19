/** Turns what is known about each Instance into the items of a plan. */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { PlanItem } from "../types.ts";
import {
  aspectKey,
  choiceFor,
  type AspectOptions,
  type Difference,
  isDoubtfulReference,
  isPair,
  type PairEntry,
  statesAll,
} from "./aspects.ts";
import { differencesOf } from "./differences.ts";
import { isEdited, parentOn, type Side, subtreeOn } from "./edited.ts";
import type { Entry } from "./entries.ts";
import { isSameAtOnce } from "./at-once.ts";
import { isScript, type Normalizer } from "./normalize.ts";
import { putsBack, removesEdited } from "./one-way.ts";
import { makeAddItems, makeItem, type PlanState } from "./plan-state.ts";
import { isInstanceOf } from "./later-values.ts";
import type { Lineage } from "../revisions/lineage.ts";
import { EXISTENCE } from "../revisions/revision.ts";
import {
  isTakenBack,
  type JudgeOptions,
  olderScript,
  olderThanFiles,
  type Ruling,
  rulingOn,
  openRuling,
} from "./verdicts.ts";

export function makeItems(state: PlanState, judge: JudgeOptions): PlanItem[] {
  const maker = new ItemMaker(state, judge);
  const items: PlanItem[] = [];
  for (const entry of state.entries.all) for (const item of maker.itemsOf(entry)) items.push(item);
  return items;
}

class ItemMaker {
  readonly #state: PlanState;
  readonly #judge: JudgeOptions;
  readonly #covered = new Map<Entry, boolean>();
  readonly #unlisted = new Map<Entry, boolean>();

  constructor(state: PlanState, judge: JudgeOptions) {
    this.#state = state;
    this.#judge = judge;
  }

  itemsOf(entry: Entry): PlanItem[] {
    if (isPair(entry)) return isEqualAtOnce(entry, this.#state.options) ? NO_ITEMS : this.#edits(entry);
    const side = sideOf(entry);
    if (side === undefined || this.#isCovered(entry, side)) return [];
    return entry.base === undefined ? this.#addition(entry, side) : this.#removal(entry, side);
  }

  /** One item for each verdict and reason. */
  #edits(entry: PairEntry): PlanItem[] {
    const groups = new Map<string, { readonly ruling: Ruling; readonly aspects: Difference[] }>();
    for (const difference of differencesOf(entry, this.#state.options)) {
      const ruling = rulingOn(difference, entry, this.#judge);
      if (ruling === undefined) continue;
      // A source that can be merged is chosen apart from the rest.
      const isApart = ruling.merged !== undefined || isDoubtfulReference(difference, this.#state.entries);
      const key = [ruling.verdict, ruling.reason, ruling.detail, isApart && aspectKey(difference)].join(" ");
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { ruling, aspects: [difference] });
      else
        groups.set(key, { ruling: { ...group.ruling, ...ruling }, aspects: [...group.aspects, difference] });
    }
    return [...groups.values()].map(({ ruling, aspects }) => {
      const isMove = aspects.some(({ aspect }) => aspect === "name" || aspect === "parent");
      return makeItem(this.#state, entry, { change: isMove ? "move" : "edit", aspects, ruling });
    });
  }

  /** What no sync has seen before is added to the other side, whichever that is. */
  #addition(entry: Entry, side: Side): PlanItem[] {
    if (side === "studio" && this.#isUnlisted(entry))
      return this.#isLeftOver(entry)
        ? makeAddItems(this.#state, entry, side, this.#openRuling(entry, side) ?? olderThanFiles)
        : [];
    const limit = side === "studio" ? this.#state.limits.addedInStudio(entry) : undefined;
    const ruling: Ruling =
      typeof limit === "object"
        ? { verdict: "skip", ...limit }
        : this.#isAmbiguous(entry)
          ? ambiguous
          : (this.#openRuling(entry, side) ?? this.#additionRuling(entry, side));
    return makeAddItems(this.#state, entry, side, ruling);
  }

  #additionRuling(entry: Entry, side: Side): Ruling {
    return side === "file"
      ? { verdict: "push", reason: "file_changed" }
      : (olderScript(entry, this.#judge) ?? { verdict: "pull", reason: "studio_changed" });
  }

  /** What an earlier sync has left open, of an Instance that only `side` has. */
  #openRuling(entry: Entry, side: Side): Ruling | undefined {
    const { lineage } = this.#judge;
    // With its existence goes all that it has.
    const leftOpen = lineage?.leftOpen(entry, EXISTENCE) ?? lineage?.anyLeftOpen(entry);
    if (leftOpen === undefined) return undefined;
    return leftOpen === "studio_older" && side === "studio" ? olderThanFiles : openRuling(leftOpen);
  }

  /** `side` is the one that still has the Instance. */
  #removal(entry: Entry, side: Side): PlanItem[] {
    if (side === "file" && this.#isPutBack(entry)) return this.#puttingBack(entry);
    const ruling = this.#removalRuling(entry, side);
    return ruling === undefined
      ? []
      : [makeItem(this.#state, entry, { change: "remove", aspects: [], ruling })];
  }

  /** A script that the files of a one-way folder had once. That a sync was to remove it, or has brought it, is not known any more. */
  #isLeftOver(entry: Entry): boolean {
    const { limits, options } = this.#state;
    const { lineage } = this.#judge;
    const isOwn =
      limits.isOneWay(entry) && !limits.isIgnored(entry) && isScript(entry.studio?.className ?? "");
    return isOwn && lineage !== undefined && isInstanceOf(lineage.ever(entry), entry, options);
  }

  /** Studio has removed what only files may change. */
  #isPutBack(entry: Entry): boolean {
    const { limits } = this.#state;
    return (
      limits.isOneWay(entry) &&
      !limits.isIgnored(entry) &&
      !this.#isAmbiguous(entry) &&
      !isTakenBack(this.#openRuling(entry, "file")?.reason)
    );
  }

  #puttingBack(entry: Entry): PlanItem[] {
    const subtree = subtreeOn(entry, "file", this.#state.entries).filter((below) => !isPair(below));
    return subtree.flatMap((below) => {
      const open = this.#openRuling(below, "file");
      const ruling = open !== undefined && isTakenBack(open.reason) ? open : putsBack;
      return makeAddItems(this.#state, below, "file", ruling);
    });
  }

  #removalRuling(entry: Entry, side: Side): Ruling | undefined {
    const { limits, options, entries, paths } = this.#state;
    const limit = limits.removal(entry);
    if (limit === "unlisted" || (side === "file" && limits.isIgnored(entry))) return undefined;
    if (limit !== undefined) return { verdict: "skip", ...limit };
    if (this.#isAmbiguous(entry)) return ambiguous;
    const open = this.#openRuling(entry, side);
    const isOneWay = limits.isOneWay(entry);
    if (open !== undefined) return open;
    const { lineage } = this.#judge;
    // A later revision did not have it either, so that its absence in Studio may be no news.
    if (side === "file" && lineage?.later(entry).includes(undefined) === true)
      return openRuling("studio_older");
    const changed = subtreeOn(entry, side, entries).filter(
      (below) => !isPair(below) && isEdited(below, side, options),
    );
    const isOlder = (below: Entry) => side === "studio" && isOlderInstance(below, lineage, options);
    const edited = changed.find((below) => !isOlder(below));
    if (edited === undefined)
      return side === "file"
        ? { verdict: "pull", reason: "studio_changed" }
        : { verdict: "push", reason: changed.length > 0 ? "studio_older" : "file_changed" };
    if (isOneWay) return removesEdited(paths.of(edited));
    const [gone, kept] = side === "file" ? ["Studio", "the files"] : ["the files", "Studio"];
    return {
      verdict: "unresolved",
      reason: "delete_vs_edit",
      detail: `removed from ${gone}, but ${paths.of(edited)} was changed in ${kept}`,
    };
  }

  #isAmbiguous({ file, studio, base }: Entry): boolean {
    const { ambiguous: nodes } = this.#state.entries;
    return [file, studio, base].some((node) => node !== undefined && nodes.has(node));
  }

  /** Whether the Instance belongs to the subtree of a removal, which has one item for all of it. */
  #isCovered(entry: Entry, side: Side): boolean {
    const known = this.#covered.get(entry);
    if (known !== undefined) return known;
    const parent = parentOn(entry, side);
    const isAlone = parent !== undefined && !isPair(parent);
    const covered = isAlone && (parent.base !== undefined || this.#isCovered(parent, side));
    this.#covered.set(entry, covered);
    return covered;
  }

  #isUnlisted(entry: Entry): boolean {
    const known = this.#unlisted.get(entry);
    if (known !== undefined) return known;
    const parent = entry.studioParent;
    const isBelow =
      parent !== undefined && !isPair(parent) && parent.base === undefined && this.#isUnlisted(parent);
    const unlisted = isBelow || this.#state.limits.addedInStudio(entry) === "unlisted";
    this.#unlisted.set(entry, unlisted);
    return unlisted;
  }
}

/** Its source must say so, because a property that comes back may be what a person has made. */
function isOlderInstance(entry: Entry, lineage: Lineage | undefined, options: AspectOptions): boolean {
  if (lineage === undefined || !isInstanceOf(lineage.later(entry), entry, options)) return false;
  const [held, before] = [entry.studio, entry.base].map(
    (node) => node && options.normalizer.view(node).source,
  );
  return held !== before || isInstanceOf(lineage.unsure(entry), entry, options);
}

const NO_ITEMS: PlanItem[] = [];

const ambiguous: Ruling = {
  verdict: "unresolved",
  reason: "ambiguous_match",
  detail: "siblings of this name differ on both sides, and none is clearly the same Instance as another",
};
/** The only side that has the Instance; undefined where none has it any more. */
function sideOf({ file, studio }: Entry): Side | undefined {
  if (file !== undefined) return "file";
  return studio === undefined ? undefined : "studio";
}

/** True for most Instances of most places, so that a closer look is rare. */
export function isEqualAtOnce(
  entry: PairEntry,
  { properties, normalizer, meaning }: AspectOptions,
  how: "by name" | "by meaning" = "by meaning",
): boolean {
  const { file, studio, base } = entry;
  if (entry.fileParent !== entry.studioParent) return false;
  const known = base?.studioOnly;
  const isWhole = known !== undefined || statesAll(file) || choiceFor(entry, properties) !== "listed";
  if (known !== undefined && known.size > 0) return false;
  if (base !== undefined && !isWhole) {
    if (!statesNoMore(base, file, normalizer)) return false;
    if (base.references.size > 0 || base.attributes.size > file.attributes.size) return false;
  }
  return isSameAtOnce(file, studio, isWhole, how === "by name" ? undefined : meaning);
}

/** The base has the names of scripts, and files may have others. */
function statesNoMore(base: RojoNode, file: RojoNode, { schema }: Normalizer): boolean {
  const stated = file.properties;
  for (const name of base.properties.keys())
    if (!stated.has(name) && !stated.has(schema.fileName(base.className, name))) return false;
  return true;
}
