/** Applies choices to a plan: overrides that came with the call, and what a person chose for an item. */
import type { AspectChange, Direction, Override, OverrideAnswer, PlanItem, Reason } from "../types.ts";
import { unexpectedValues } from "./aspect-json.ts";
import { type Difference, isPair } from "./aspects.ts";
import { contentHash } from "./content-hash.ts";
import { type Side, subtreeOn } from "./edited.ts";
import type { Entry } from "./entries.ts";
import { holdLargePlan, type HoldWishes } from "./holds.ts";
import type { Limits } from "./limits.ts";
import { makeAddItems, makeItem, type PlanState, type SyncPlan } from "./plan-state.ts";
import { selectedItems } from "./selected.ts";
import { settle } from "./settle.ts";
import { settleSharedFiles } from "./shared-files.ts";
import type { Ruling } from "./verdicts.ts";

export interface OverrideReply {
  readonly index: number;
  readonly answer: OverrideAnswer;
  /** The hash or the values that were found instead of those that the override states. */
  readonly found?: unknown;
  /** Why a choice is not possible, in a sentence. */
  readonly detail?: string;
}

export interface Choices extends HoldWishes {
  readonly overrides: readonly Override[];
  /** Answers what is open because nothing tells which side is newer. */
  readonly preferred?: PreferredSide | undefined;
}

export type PreferredSide = "files" | "studio";

/** Changes the plan; one answer for each override, in order. May be called again with further choices. */
export function resolve(plan: SyncPlan, { overrides, preferred, ...wishes }: Choices): OverrideReply[] {
  const tried = overrides.map((override, index) => ({ override, ...new Choice(plan, override).make(index) }));
  if (preferred !== undefined) prefer(plan, preferred);
  settle(plan);
  settleSharedFiles(plan);
  holdLargePlan(plan, wishes);
  return tried.map(({ override, reply, entries }) => {
    if (reply.answer !== "applied") return reply;
    const isMeant = (item: PlanItem) => {
      const entry = plan.state.entryOf.get(item);
      const { verdict } = plan.state.rulings.get(item) ?? {};
      return entry !== undefined && entries.has(entry) && verdict === override.direction;
    };
    const meant = plan.items.filter(isMeant);
    const held = meant.filter((item) => (item.proposed ?? item.verdict) !== override.direction);
    const [first] = held;
    if (first === undefined || (entries.size > 1 && held.length < meant.length)) return reply;
    return {
      index: reply.index,
      answer: "not_applicable",
      ...(first.detail === undefined ? {} : { detail: first.detail }),
    };
  });
}

interface Tried {
  readonly reply: OverrideReply;
  /** What was chosen. */
  readonly entries: ReadonlySet<Entry>;
}

class Choice {
  readonly #plan: SyncPlan;
  readonly #state: PlanState;
  readonly #override: Override;

  constructor(plan: SyncPlan, override: Override) {
    this.#plan = plan;
    this.#state = plan.state;
    this.#override = override;
  }

  make(index: number): Tried {
    const reply = (answer: OverrideAnswer, found?: unknown, detail?: string): OverrideReply => ({
      index,
      answer,
      ...(found === undefined ? {} : { found }),
      ...(detail === undefined ? {} : { detail }),
    });
    const { items, isFolder } = selectedItems(this.#plan, this.#override.to);
    const entries = new Set(items.flatMap((item) => this.#state.entryOf.get(item) ?? []));
    const [entry] = entries;
    const without = (...words: Parameters<typeof reply>) => ({
      reply: reply(...words),
      entries: new Set<Entry>(),
    });
    const { to } = this.#override;
    if (entry === undefined)
      return this.#isKnown()
        ? without("not_applicable", undefined, `the plan changes nothing of ${to}`)
        : without("unknown_id", undefined, `the plan has no change of ${to}`);
    if (isFolder) return this.#makeAll(entries, reply);
    if (entries.size > 1)
      return without(
        "invalid",
        items.map(({ id }) => id),
        "several Instances fit; use one of their ids",
      );
    const mismatch = this.#mismatch(entry);
    if (mismatch !== undefined) return without(mismatch.answer, mismatch.found);
    const obstacle = this.#applyTo(entry);
    return {
      reply: reply(obstacle === undefined ? "applied" : "not_applicable", undefined, obstacle),
      entries,
    };
  }

  /** Each Instance is decided as if it had been named alone. */
  #makeAll(
    entries: ReadonlySet<Entry>,
    reply: (answer: OverrideAnswer, found?: unknown, detail?: string) => OverrideReply,
  ): Tried {
    const { studioHash, fileHash, expectedProperties } = this.#override;
    if ((studioHash ?? fileHash ?? expectedProperties) !== undefined)
      return {
        reply: reply("invalid", undefined, "hashes and expected properties are those of one Instance"),
        entries: new Set(),
      };
    const left = [...entries].flatMap((entry) => this.#applyTo(entry) ?? []);
    const [first] = left;
    if (first === undefined) return { reply: reply("applied"), entries };
    if (left.length === entries.size) return { reply: reply("not_applicable", undefined, first), entries };
    const detail = `${left.length} of ${entries.size} were left as they are: ${first}`;
    return { reply: reply("applied", undefined, detail), entries };
  }

  /** What the plan has decided about other properties of the Instance stays, where something else is open. */
  #applyTo(entry: Entry): string | undefined {
    const items = this.#plan.items.filter((item) => this.#state.entryOf.get(item) === entry);
    // A choice above it has decided it already.
    if (items.length === 0) return undefined;
    const open = items.filter((item) => this.#state.rulings.get(item)?.verdict === "unresolved");
    return this.#apply(entry, open.length > 0 ? open : items);
  }

  /** Whether it names an Instance of the plan that does not differ. */
  #isKnown(): boolean {
    const { to } = this.#override;
    const { entries, paths } = this.#state;
    const name = to.replace(/^game\./, "");
    return entries.all.some(
      (entry) =>
        entry.studio !== undefined && (to === `@${entry.studio.studioId}` || paths.of(entry) === name),
    );
  }

  #mismatch(entry: Entry): Pick<OverrideReply, "answer" | "found"> | undefined {
    const { studioHash, fileHash, expectedProperties } = this.#override;
    const hashes = [
      [studioHash, entry.studio],
      [fileHash, entry.file],
    ] as const;
    for (const [expected, node] of hashes) {
      if (expected === undefined) continue;
      const found = node === undefined ? "" : contentHash(node, this.#state.options.normalizer);
      if (expected.toLowerCase() !== found) return { answer: "hash_mismatch", found };
    }
    const found = unexpectedValues(this.#state, entry, expectedProperties ?? {});
    return found === undefined ? undefined : { answer: "property_mismatch", found };
  }

  /** Leaves items as they are where the choice is not possible for them. */
  decide(entry: Entry, items: readonly PlanItem[]): void {
    this.#apply(entry, items);
  }

  /** Why the choice is not possible; undefined once it is made. */
  #apply(entry: Entry, items: readonly PlanItem[]): string | undefined {
    const { direction } = this.#override;
    if (direction === "skip") return this.#rule(items, { verdict: "skip" });
    if (direction === "merge") {
      const mergeable = items.filter(({ merged }) => merged !== undefined);
      return mergeable.length === 0
        ? "there is no merge without conflicts"
        : this.#rule(mergeable, { verdict: "merge" });
    }
    if (!isPair(entry)) return this.#chooseExistence(entry, direction);
    const obstacle = items
      .map((item) => this.#obstacle(entry, item, direction))
      .find((found) => found !== undefined);
    return obstacle ?? this.#rule(items, { verdict: direction, reason: REASONS[direction] });
  }

  #rule(items: readonly PlanItem[], ruling: Ruling): undefined {
    for (const item of items) {
      const { merged } = item;
      this.#state.chosen.add(item);
      this.#state.rulings.set(item, merged === undefined ? ruling : { ...ruling, merged });
    }
  }

  #obstacle(entry: Entry, item: PlanItem, direction: Direction): string | undefined {
    const { limits } = this.#state;
    for (const difference of item.aspects) {
      const { obstacle, isOfClass }: Partial<Difference> = difference;
      const limit =
        isOfClass === true ? limits.classChange(entry) : pulledLimit(limits, entry, difference, direction);
      if (obstacle !== undefined) return obstacle;
      if (limit !== undefined) return limit === "unlisted" ? "the project leaves it out" : limit.detail;
    }
    return undefined;
  }

  /** One side alone has the Instance: it is added to the other, or removed from this one. */
  #chooseExistence(entry: Entry, direction: Direction): string | undefined {
    const side: Side = entry.file === undefined ? "studio" : "file";
    const subtree = subtreeOn(entry, side, this.#state.entries).filter((below) => !isPair(below));
    const isAddition = direction === (side === "file" ? "push" : "pull");
    const { limits } = this.#state;
    const isPushed = direction === "pull" ? limits.onlyPushed(entry) : undefined;
    const limit = isPushed ?? (isAddition ? undefined : limits.removal(entry));
    if (limit !== undefined) return limit === "unlisted" ? "the project leaves it out" : limit.detail;
    const ruling: Ruling = { verdict: direction, reason: REASONS[direction] };
    const made = isAddition
      ? subtree.flatMap((below) => makeAddItems(this.#state, below, side, ruling))
      : [makeItem(this.#state, entry, { change: "remove", aspects: [], ruling })];
    for (const item of made) this.#state.chosen.add(item);
    this.#replace(new Set(subtree), made);
    return undefined;
  }

  /** The items of Instances give way to others, at the place of the first. */
  #replace(entries: ReadonlySet<Entry>, made: readonly PlanItem[]): void {
    const { items } = this.#plan;
    const { entryOf } = this.#state;
    const isOld = (item: PlanItem) => {
      const entry = entryOf.get(item);
      return entry !== undefined && entries.has(entry);
    };
    // Where a choice cannot be applied, what was open stays open.
    const opened = new Map(items.filter(isOld).map((item) => [entryOf.get(item), item.openedAs]));
    const [root] = opened.values();
    for (const item of made) Object.assign(item, { openedAs: opened.get(entryOf.get(item)) ?? root });
    const at = items.findIndex(isOld);
    const kept = items.filter((item) => !isOld(item));
    items.splice(0, items.length, ...kept.slice(0, at), ...made, ...kept.slice(at));
  }
}

/** What is open for want of a base. What a person or both sides have changed on purpose is not. */
const WITHOUT_BASE = new Set<Reason | undefined>([
  "no_base",
  "studio_older",
  "git_elsewhere",
  "foreign_place",
]);

/** Nothing is removed: what only the other side has stays there. */
function prefer(plan: SyncPlan, preferred: PreferredSide): void {
  const { rulings, entryOf, chosen } = plan.state;
  const direction = preferred === "files" ? "push" : "pull";
  const own: Side = preferred === "files" ? "file" : "studio";
  for (const item of [...plan.items]) {
    const { verdict, reason } = rulings.get(item) ?? {};
    const entry = entryOf.get(item);
    const isAsked = verdict === "unresolved" && WITHOUT_BASE.has(reason) && !chosen.has(item);
    // A choice about a parent has replaced the item.
    if (!isAsked || entry === undefined || !plan.items.includes(item)) continue;
    const to = entry[own] === undefined ? "skip" : direction;
    new Choice(plan, { to: item.id, direction: to }).decide(entry, [item]);
  }
}

const pulledLimit = (limits: Limits, entry: Entry, difference: AspectChange, direction: Direction) =>
  direction === "pull" ? limits.pulled(entry, difference) : undefined;

const REASONS = { push: "file_changed", pull: "studio_changed" } as const;
