/**
 * Fits the items of a plan together: what needs a parent waits for it, what would take an Instance along that is to stay
 * is not removed, and Instances are not moved into each other.
 */
import type { Direction, PlanItem } from "../types.ts";
import { isPair } from "./aspects.ts";
import { parentOn, type Side, subtreeOn } from "./edited.ts";
import type { Entry } from "./entries.ts";
import type { SyncPlan } from "./plan-state.ts";
import type { Ruling } from "./verdicts.ts";

/** Gives each item the verdict of its ruling, or what the other items leave of it. */
export function settle(plan: SyncPlan): void {
  const blocked = new Map<PlanItem, Ruling>();
  for (let found = true; found;) {
    const view = new Outcome(plan, blocked);
    found = false;
    for (const item of plan.items) {
      const ruling = blocked.has(item) ? undefined : view.obstacleTo(item);
      if (ruling === undefined) continue;
      blocked.set(item, ruling);
      found = true;
    }
  }
  for (const item of plan.items) {
    const ruling = blocked.get(item) ?? plan.state.rulings.get(item);
    if (ruling !== undefined) applyRuling(item, ruling);
  }
}

export function applyRuling(item: PlanItem, { verdict, reason, detail }: Ruling): void {
  item.verdict = verdict;
  if (reason === undefined) delete item.reason;
  else item.reason = reason;
  if (detail === undefined) delete item.detail;
  else item.detail = detail;
  delete item.proposed;
}

const sideOf = (direction: Direction): Side => (direction === "push" ? "studio" : "file");
const otherSide = (side: Side): Side => (side === "studio" ? "file" : "studio");

const isDirection = (verdict: string | undefined): verdict is Direction =>
  verdict === "push" || verdict === "pull";

/** What each side will hold once the items are applied that nothing blocks. */
class Outcome {
  readonly #plan: SyncPlan;
  /** Items that add, move or remove an Instance. */
  readonly #placing = new Map<Entry, PlanItem>();
  readonly #added = new Map<Entry, PlanItem>();
  readonly #moved: Readonly<Record<Side, Map<Entry, PlanItem>>> = { file: new Map(), studio: new Map() };
  readonly #removed: Readonly<Record<Side, Set<Entry>>> = { file: new Set(), studio: new Set() };
  readonly #exists: Readonly<Record<Side, Map<Entry, boolean | "asked">>> = {
    file: new Map(),
    studio: new Map(),
  };

  constructor(plan: SyncPlan, blocked: ReadonlyMap<PlanItem, Ruling>) {
    this.#plan = plan;
    for (const item of plan.items) {
      const verdict = plan.state.rulings.get(item)?.verdict;
      const entry = plan.state.entryOf.get(item);
      if (entry === undefined) continue;
      if (item.change !== "edit") this.#placing.set(entry, item);
      if (blocked.has(item)) continue;
      if (item.change === "add" && isDirection(verdict)) this.#added.set(entry, item);
      if (item.change === "remove" && isDirection(verdict)) this.#removed[sideOf(verdict)].add(entry);
      if (isMove(item) && isDirection(verdict)) this.#moved[sideOf(verdict)].set(entry, item);
    }
  }

  /** Why an item cannot be applied with the others; undefined where it can. */
  obstacleTo(item: PlanItem): Ruling | undefined {
    const { entryOf, rulings } = this.#plan.state;
    const [entry, verdict] = [entryOf.get(item), rulings.get(item)?.verdict];
    if (entry === undefined || !isDirection(verdict)) return undefined;
    const side = sideOf(verdict);
    if (item.change === "remove") return this.#keepsSomething(entry, side) ? staysForOthers : undefined;
    const needed = [...this.#targetsOf(item, side)];
    if (item.change === "edit" && !isPair(entry)) needed.push(entry);
    const parent = item.change === "add" || isMove(item) ? parentOn(entry, otherSide(side)) : undefined;
    if (parent !== undefined) needed.push(parent);
    const missing = needed.find((each) => !this.#willExist(each, side));
    return missing === undefined ? undefined : this.#waitingFor(missing, side);
  }

  /** The Instances to which an item makes its own refer. */
  #targetsOf({ aspects }: PlanItem, side: Side): Entry[] {
    return aspects.flatMap(({ aspect, file, studio }) => {
      const value = side === "studio" ? file : studio;
      if (aspect !== "reference" || value?.type !== "instance" || value.value === null) return [];
      return this.#plan.state.entries.of(value.value) ?? [];
    });
  }

  /** Whether a removal would take along what both sides still have. */
  #keepsSomething(entry: Entry, side: Side): boolean {
    return subtreeOn(entry, side, this.#plan.state.entries).some(
      (below) => isPair(below) && !this.#willExist(below, side),
    );
  }

  #willExist(entry: Entry, side: Side): boolean {
    const known = this.#exists[side].get(entry);
    // An Instance on its own way up would be moved into itself.
    if (known === "asked") return false;
    if (known !== undefined) return known;
    this.#exists[side].set(entry, "asked");
    const exists = this.#findOut(entry, side);
    this.#exists[side].set(entry, exists);
    return exists;
  }

  #findOut(entry: Entry, side: Side): boolean {
    if (entry === this.#plan.state.entries.root) return true;
    if (this.#removed[side].has(entry)) return false;
    const isThere = entry[side] !== undefined;
    if (!isThere && !this.#added.has(entry)) return false;
    const isMoved = !isThere || this.#moved[side].has(entry);
    const parent = parentOn(entry, isMoved ? otherSide(side) : side);
    return parent === undefined || this.#willExist(parent, side);
  }

  /** An Instance is missing on `side`: the item that needs it shares the fate of what would make it. */
  #waitingFor(missing: Entry, side: Side): Ruling {
    const { paths, rulings } = this.#plan.state;
    const path = paths.of(missing);
    const cause = this.#placingOf(missing);
    const ruling = cause === undefined ? undefined : rulings.get(cause);
    const where = side === "studio" ? "Studio" : "the files";
    if (ruling?.verdict === "skip" || ruling === undefined)
      return { verdict: "skip", reason: "refused", detail: `it needs ${path}, which is not in ${where}` };
    const conflict = cause?.change === "remove" ? "delete_vs_edit" : "both_changed";
    const reason = ruling.verdict === "unresolved" ? ruling.reason : undefined;
    return {
      verdict: "unresolved",
      reason: reason ?? conflict,
      detail: `it needs ${path}, which is not in ${where} unless that is chosen`,
    };
  }

  /** The item that decides where an Instance is: its own, or that of the nearest one above it. */
  #placingOf(entry: Entry): PlanItem | undefined {
    for (let at: Entry | undefined = entry; at !== undefined; at = at.studioParent ?? at.fileParent) {
      const item = this.#placing.get(at);
      if (item !== undefined) return item;
    }
    return undefined;
  }
}

const staysForOthers: Ruling = {
  verdict: "unresolved",
  reason: "delete_vs_edit",
  detail: "an Instance that stays would be removed with it",
};

const isMove = ({ change, aspects }: PlanItem): boolean =>
  change === "move" && aspects.some(({ aspect }) => aspect === "parent");
