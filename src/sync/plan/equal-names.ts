/** Pairs siblings of one name and class by what they contain, and says where that leaves more than one way. */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { ContentNumbers } from "./content.ts";

export interface GroupPairs {
  readonly pairs: (readonly [left: RojoNode, right: RojoNode])[];
  /** Of both sides: which of them belong together cannot be told. */
  readonly ambiguous: RojoNode[];
}

/** Above so many comparisons only what is equal in some part is paired. */
const MAX_COMPARISONS = 10_000;

/** How much differs between two nodes that have the same name and class. */
export type Cost = (left: RojoNode, right: RojoNode) => number;

export function pairEqualNames(
  lefts: readonly RojoNode[],
  rights: readonly RojoNode[],
  contents: ContentNumbers,
  cost: Cost,
): GroupPairs {
  const group = new Group(lefts, rights);
  group.pairInOrder((node) => contents.body(node));
  if (group.count > MAX_COMPARISONS) {
    group.pairUnique((node) => contents.own(node));
    group.pairUnique((node) =>
      node.children
        .map((child) => contents.whole(child))
        .sort((a, b) => a - b)
        .join(),
    );
  }
  if (group.count > 0 && group.count <= MAX_COMPARISONS)
    group.pairCheapest((node) => contents.body(node), cost);
  return { pairs: group.pairs, ambiguous: group.isOneSided ? [] : [...group.lefts, ...group.rights] };
}

type Key = (node: RojoNode) => number | string;

class Group {
  readonly pairs: (readonly [RojoNode, RojoNode])[] = [];
  lefts: RojoNode[];
  rights: RojoNode[];

  constructor(lefts: readonly RojoNode[], rights: readonly RojoNode[]) {
    this.lefts = [...lefts];
    this.rights = [...rights];
  }

  get count(): number {
    return this.lefts.length * this.rights.length;
  }

  get isOneSided(): boolean {
    return this.count === 0;
  }

  /** Nodes with the same key are interchangeable, so that their order decides. */
  pairInOrder(key: Key): void {
    const waiting = bucketsOf(this.rights, key);
    this.#take(
      this.lefts.flatMap((left) => {
        const right = waiting.get(key(left))?.shift();
        return right === undefined ? [] : [[left, right] as const];
      }),
    );
  }

  pairUnique(key: Key): void {
    const [lefts, rights] = [bucketsOf(this.lefts, key), bucketsOf(this.rights, key)];
    this.#take(
      [...lefts].flatMap(([value, [left, ...others]]) => {
        const [right, ...otherRights] = rights.get(value) ?? [];
        const isUnique = others.length === 0 && otherRights.length === 0;
        return left !== undefined && right !== undefined && isUnique ? [[left, right] as const] : [];
      }),
    );
  }

  /** Pairs what is each other's best, as long as there is a single best. */
  pairCheapest(key: Key, cost: Cost): void {
    const costs = new Map(
      this.lefts.map((left) => [left, new Map(this.rights.map((right) => [right, cost(left, right)]))]),
    );
    const between = (left: RojoNode, right: RojoNode): number => costs.get(left)?.get(right) ?? Infinity;
    for (let found = true; found && this.count > 0;) {
      const bestRights = new Map(
        this.lefts.map((left) => [left, bestOf(this.rights, (right) => between(left, right), key)]),
      );
      const pairs = new Map<RojoNode, RojoNode>();
      for (const right of this.rights) {
        const left = bestOf(this.lefts, (candidate) => between(candidate, right), key);
        const best = left === undefined ? undefined : bestRights.get(left);
        if (left !== undefined && best !== undefined && key(best) === key(right) && !pairs.has(left))
          pairs.set(left, right);
      }
      found = pairs.size > 0;
      this.#take([...pairs]);
    }
  }

  #take(pairs: readonly (readonly [RojoNode, RojoNode])[]): void {
    const taken = new Set(pairs.flat());
    this.pairs.push(...pairs);
    this.lefts = this.lefts.filter((node) => !taken.has(node));
    this.rights = this.rights.filter((node) => !taken.has(node));
  }
}

/** The one with the lowest cost; undefined where candidates of different content share it. */
function bestOf(
  candidates: readonly RojoNode[],
  cost: (node: RojoNode) => number,
  key: Key,
): RojoNode | undefined {
  const lowest = Math.min(...candidates.map(cost));
  const [best, ...others] = candidates.filter((candidate) => cost(candidate) === lowest);
  return best !== undefined && others.every((other) => key(other) === key(best)) ? best : undefined;
}

function bucketsOf(nodes: readonly RojoNode[], key: Key): Map<number | string, RojoNode[]> {
  const buckets = new Map<number | string, RojoNode[]>();
  for (const node of nodes) {
    const value = key(node);
    const bucket = buckets.get(value);
    if (bucket === undefined) buckets.set(value, [node]);
    else bucket.push(node);
  }
  return buckets;
}
