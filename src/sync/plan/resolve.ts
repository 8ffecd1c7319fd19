/** Applies choices to a plan: overrides that came with the call, and what a person chose for an item. */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { AspectChange, Direction, Override, OverrideAnswer, PlanItem } from "../types.ts";
import { type Difference, isPair } from "./aspects.ts";
import { contentHash } from "./content-hash.ts";
import { type Side, subtreeOn } from "./edited.ts";
import type { Entry } from "./entries.ts";
import { valueJson } from "./json-value.ts";
import { holdMassRemoval, type RemovalWishes } from "./mass-removal.ts";
import type { Limits } from "./limits.ts";
import { makeAddItems, makeItem, type PlanState, type SyncPlan } from "./plan-state.ts";
import { settle } from "./settle.ts";
import type { Ruling } from "./verdicts.ts";

export interface OverrideReply {
  readonly index: number;
  readonly answer: OverrideAnswer;
  /** The hash or the values that were found instead of those that the override states. */
  readonly found?: unknown;
  /** Why a choice is not possible, in a sentence. */
  readonly detail?: string;
}

export interface Choices extends RemovalWishes {
  readonly overrides: readonly Override[];
}

/** Changes the plan; one answer for each override, in order. May be called again with further choices. */
export function resolve(plan: SyncPlan, { overrides, ...removals }: Choices): OverrideReply[] {
  const tried = overrides.map((override, index) => ({ override, ...new Choice(plan, override).make(index) }));
  settle(plan);
  holdMassRemoval(plan, removals);
  return tried.map(({ override, reply, entry }) => {
    if (reply.answer !== "applied" || entry === undefined) return reply;
    const held = plan.items.find((item) => {
      const isMeant =
        plan.state.entryOf.get(item) === entry &&
        plan.state.rulings.get(item)?.verdict === override.direction;
      return isMeant && (item.proposed ?? item.verdict) !== override.direction;
    });
    if (held === undefined) return reply;
    return {
      index: reply.index,
      answer: "not_applicable",
      ...(held.detail === undefined ? {} : { detail: held.detail }),
    };
  });
}

interface Tried {
  readonly reply: OverrideReply;
  readonly entry?: Entry;
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
    const items = this.#items();
    const entries = new Set(items.map((item) => this.#state.entryOf.get(item)));
    const [entry] = entries;
    const { to } = this.#override;
    if (entry === undefined)
      return {
        reply: this.#isKnown()
          ? reply("not_applicable", undefined, `the plan changes nothing of ${to}`)
          : reply("unknown_id", undefined, `the plan has no change of ${to}`),
      };
    if (entries.size > 1)
      return {
        reply: reply(
          "invalid",
          items.map(({ id }) => id),
          "several Instances fit; use one of their ids",
        ),
      };
    const mismatch = this.#mismatch(entry);
    if (mismatch !== undefined) return { reply: reply(mismatch.answer, mismatch.found) };
    // What the plan has decided about other properties of the Instance stays, where something else is open.
    const open = items.filter((item) => this.#state.rulings.get(item)?.verdict === "unresolved");
    const obstacle = this.#apply(entry, open.length > 0 ? open : items);
    return {
      reply: reply(obstacle === undefined ? "applied" : "not_applicable", undefined, obstacle),
      entry,
    };
  }

  #items(): PlanItem[] {
    const { to } = this.#override;
    const path = to.replaceAll("\\", "/").replace(/^\.\//, "");
    const { items } = this.#plan;
    const byId = items.filter((item) => item.id === to);
    if (byId.length > 0) return byId;
    const byPath = items.filter((item) => item.path === to.replace(/^game\./, ""));
    return byPath.length > 0 ? byPath : items.filter(({ fsPath }) => fsPath !== undefined && fsPath === path);
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
    const found = otherProperties(entry.studio, expectedProperties ?? {}, this.#state);
    return found === undefined ? undefined : { answer: "property_mismatch", found };
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
    const limit = isAddition ? undefined : this.#state.limits.removal(entry);
    if (limit !== undefined) return limit === "unlisted" ? "the project leaves it out" : limit.detail;
    const ruling: Ruling = { verdict: direction, reason: REASONS[direction] };
    const made = isAddition
      ? subtree.flatMap((below) => makeAddItems(this.#state, below, side, ruling))
      : [makeItem(this.#state, entry, { change: "remove", aspects: [], ruling })];
    this.#replace(new Set(subtree), made);
    return undefined;
  }

  /** The items of Instances give way to others, at the place of the first. */
  #replace(entries: ReadonlySet<Entry>, made: readonly PlanItem[]): void {
    const { items } = this.#plan;
    const isOld = (item: PlanItem) => {
      const entry = this.#state.entryOf.get(item);
      return entry !== undefined && entries.has(entry);
    };
    const at = items.findIndex(isOld);
    const kept = items.filter((item) => !isOld(item));
    items.splice(0, items.length, ...kept.slice(0, at), ...made, ...kept.slice(at));
  }
}

const pulledLimit = (limits: Limits, entry: Entry, difference: AspectChange, direction: Direction) =>
  direction === "pull" ? limits.pulled(entry, difference) : undefined;

const REASONS = { push: "file_changed", pull: "studio_changed" } as const;

/** The values that are not as expected; undefined where all are. */
function otherProperties(
  node: RojoNode | undefined,
  expected: Readonly<Record<string, unknown>>,
  { options: { normalizer } }: PlanState,
): Record<string, unknown> | undefined {
  const view = node === undefined ? undefined : normalizer.view(node);
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(expected)) {
    const key = node === undefined ? name : (normalizer.property(node.className, name)?.key ?? name);
    const held = view?.properties.get(key)?.value ?? (node && normalizer.default(node.className, name));
    const json = name === "Source" ? (view?.source ?? null) : held === undefined ? null : valueJson(held);
    if (!Bun.deepEquals(json, value)) found[name] = json;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}
