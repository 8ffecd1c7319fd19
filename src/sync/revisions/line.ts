/**
 * The revisions of a project as one line: the newest as a tree, and the steps that lead back. Tells what an item held at a
 * revision and after it. It reads and writes nothing.
 */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { isSameItem, itemsOf, treeOf } from "./held-items.ts";
import { type HeldItem, NO_REVISION, type ItemAspects, type Step } from "./revision.ts";

/** Where a revision is in its line: 0 for the oldest that is kept. */
export type Position = number;

export class RevisionLine {
  /** The newest revision. */
  readonly name: string;
  readonly root: RojoNode;
  /** The oldest first; each begins where the one before it ends. */
  readonly steps: readonly Step[];
  readonly #positions = new Map<string, Position>();
  #items: ReadonlyMap<number, HeldItem> | undefined;
  #byPath: ReadonlyMap<string, ReadonlySet<number>> | undefined;

  /** `steps` that lead to no kept revision are left out. */
  constructor(name: string, root: RojoNode, steps: readonly Step[] = []) {
    this.name = name;
    this.root = root;
    this.steps = chainTo(name, steps);
    const [first] = this.steps;
    if (first !== undefined) this.#positions.set(first.after, 0);
    this.steps.forEach(({ revision }, index) => this.#positions.set(revision, index + 1));
    this.#positions.set(name, this.steps.length);
  }

  /** The line with a step whose changes `root` has taken over. What was found out about its items serves on. */
  withStep(step: Step): RevisionLine {
    const line = new RevisionLine(step.revision, this.root, [...this.steps, step]);
    line.#items = this.items;
    return line;
  }

  /** Undefined for a revision that is not kept. */
  position(name: string | undefined): Position | undefined {
    return name === undefined ? undefined : this.#positions.get(name);
  }

  /** The revision from which the plan of another one was made; undefined for none that is kept. */
  baseOf(position: Position): Position | undefined {
    const step = this.steps[position - 1];
    const base = step?.base ?? step?.after;
    return base === NO_REVISION ? undefined : this.position(base);
  }

  /** The same, or one before it, of which it is sure that it reached its place. */
  sureBaseOf(position: Position): Position | undefined {
    let base = this.baseOf(position);
    while (base !== undefined && !this.isSure(base)) base = this.baseOf(base);
    return base;
  }

  nameAt(position: Position): string {
    return this.steps[position - 1]?.revision ?? this.steps[0]?.after ?? this.name;
  }

  /** Whether what a revision was to push is there; the newest one says so itself. */
  isSure(position: Position): boolean {
    return this.steps[position]?.isAfterUnsure !== true;
  }

  get last(): Position {
    return this.steps.length;
  }

  /** The items of the newest revision. */
  get items(): ReadonlyMap<number, HeldItem> {
    return (this.#items ??= itemsOf(this.root));
  }

  treeAt(position: Position): RojoNode {
    return position === this.last ? this.root : treeOf(this.itemsAt(position));
  }

  itemsAt(position: Position): ReadonlyMap<number, HeldItem> {
    if (position === this.last) return this.items;
    const items = new Map(this.items);
    for (const { was } of this.steps.slice(position).toReversed())
      for (const [item, held] of was)
        if (held === undefined) items.delete(item);
        else items.set(item, held);
    return items;
  }

  /** What an item held at revisions after `position`, the oldest first; undefined where it did not exist. */
  heldAfter(item: number, position: Position): readonly (HeldItem | undefined)[] {
    if (position >= this.last) return [];
    const earlier = this.steps
      .slice(position + 1)
      .flatMap(({ was }) => (was.has(item) ? [was.get(item)] : []));
    return [...earlier, this.items.get(item)];
  }

  /** What an item held at any revision that is kept. */
  heldEver(item: number): readonly (HeldItem | undefined)[] {
    const earlier = this.steps.flatMap(({ was }) => (was.has(item) ? [was.get(item)] : []));
    return [...earlier, this.items.get(item)];
  }

  /** The items that are at a path now, or that were there when they last existed. `path`: see `pathKey`. */
  itemsAtPath(path: string): ReadonlySet<number> {
    return (this.#byPath ??= this.#pathsOfAll()).get(path) ?? NO_ITEMS;
  }

  #pathsOfAll(): ReadonlyMap<string, ReadonlySet<number>> {
    const last = new Map(this.items);
    for (const { was } of this.steps.toReversed())
      for (const [item, held] of was) if (held !== undefined && !last.has(item)) last.set(item, held);
    const found = new Map<string, Set<number>>();
    const keys = new Map<number, string>();
    const keyOf = (item: number, depth = 0): string => {
      const known = keys.get(item);
      if (known !== undefined) return known;
      const held = last.get(item);
      const above = held?.parent;
      const key =
        held === undefined || above === undefined || depth > MAX_DEPTH
          ? ""
          : pathKey(keyOf(above, depth + 1), held.node.name);
      keys.set(item, key);
      return key;
    };
    for (const item of last.keys()) {
      const key = keyOf(item);
      const others = found.get(key);
      if (others === undefined) found.set(key, new Set([item]));
      else others.add(item);
    }
    return found;
  }

  /** The highest number that an item of the line has. */
  get highestItem(): number {
    let highest = 0;
    for (const item of this.items.keys()) highest = Math.max(highest, item);
    for (const { was } of this.steps) for (const item of was.keys()) highest = Math.max(highest, item);
    return highest;
  }
}

const NO_ITEMS: ReadonlySet<number> = new Set();
/** No tree is as deep; what was moved back and forth may lead in a circle. */
const MAX_DEPTH = 1_000;

/** Names an Instance by the names above it; the top is "". */
export const pathKey = (above: string, name: string): string => `${above}\0${name}`;

/** The steps that lead to a revision without a gap. */
function chainTo(name: string, steps: readonly Step[]): readonly Step[] {
  const byRevision = new Map(steps.map((step) => [step.revision, step]));
  const chain: Step[] = [];
  for (let step = byRevision.get(name); step !== undefined; step = byRevision.get(step.after)) {
    chain.push(step);
    byRevision.delete(step.revision);
  }
  return chain.reverse();
}

/** What must be kept so that the way from `next` back to `line` is known. Both trees have numbers. */
export function changesBetween(
  before: ReadonlyMap<number, HeldItem>,
  next: ReadonlyMap<number, HeldItem>,
): Map<number, HeldItem | undefined> {
  const was = new Map<number, HeldItem | undefined>();
  for (const [item, held] of before) {
    const now = next.get(item);
    if (now === undefined || !isSameItem(held, now)) was.set(item, held);
  }
  for (const item of next.keys()) if (!before.has(item)) was.set(item, undefined);
  return was;
}

/** Two steps as one, so that the revision between them is no longer kept. `first` is the earlier one. */
export function joinedSteps(first: Step, second: Step): Step {
  const { isAfterUnsure: _, base: from, ...joined } = second;
  const base = from === undefined || from === first.revision ? first.base : from;
  return {
    ...joined,
    ...(base === undefined ? {} : { base }),
    ...(first.isAfterUnsure === true ? { isAfterUnsure: true } : {}),
    after: first.after,
    was: new Map([...second.was, ...first.was]),
    pushed: joinedAspects(first.pushed, second.pushed),
    pulled: joinedAspects(first.pulled, second.pulled),
  };
}

function joinedAspects(first: ItemAspects, second: ItemAspects): ItemAspects {
  const joined = new Map(first);
  for (const [item, aspects] of second) joined.set(item, [...(joined.get(item) ?? []), ...aspects]);
  return joined;
}
