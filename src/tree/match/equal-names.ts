/** Pairs siblings of one name and class by what they contain. */

export interface GroupPairs<Node> {
  readonly pairs: readonly (readonly [left: Node, right: Node])[];
  /** Of both sides: which of them belong together cannot be told. */
  readonly ambiguous: readonly Node[];
}

/** Above so many comparisons only what is equal in some part is paired. */
const MAX_COMPARISONS = 10_000;

type Key<Node> = (node: Node) => number | string;

export interface Likeness<Node> {
  /** Equal for nodes that hold the same, with all below them and apart from their own names. */
  readonly body: Key<Node>;
  /** Parts of a node, such as its own values or all its children: each is enough where it tells one from all others. */
  readonly parts: readonly Key<Node>[];
  /** How much differs between two nodes. */
  cost(left: Node, right: Node): number;
}

/** Pairs what is surely the same, and says where more than one way is left. It never guesses. */
export function pairSurely<Node>(
  lefts: readonly Node[],
  rights: readonly Node[],
  { body, parts, cost }: Likeness<Node>,
): GroupPairs<Node> {
  const group = new Group(lefts, rights);
  group.pairInOrder(body);
  if (group.count > MAX_COMPARISONS) for (const part of parts) group.pairUnique(part);
  if (group.count > 0 && group.count <= MAX_COMPARISONS) group.pairCheapest(body, cost);
  return { pairs: group.pairs, ambiguous: group.isOneSided ? [] : [...group.lefts, ...group.rights] };
}

/** Pairs equal nodes by one key after the other, the most telling first, and what is left by its order. */
export function pairByOrder<Node>(
  lefts: readonly Node[],
  rights: readonly Node[],
  keys: readonly Key<Node>[],
): GroupPairs<Node> {
  const group = new Group(lefts, rights);
  for (const key of [...keys, () => ""]) group.pairInOrder(key);
  return { pairs: group.pairs, ambiguous: [] };
}

class Group<Node> {
  readonly pairs: (readonly [Node, Node])[] = [];
  lefts: Node[];
  rights: Node[];

  constructor(lefts: readonly Node[], rights: readonly Node[]) {
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
  pairInOrder(key: Key<Node>): void {
    const waiting = bucketsOf(this.rights, key);
    const next = new Map<number | string, number>();
    this.#take(
      this.lefts.flatMap((left) => {
        const value = key(left);
        const at = next.get(value) ?? 0;
        const right = waiting.get(value)?.[at];
        next.set(value, at + 1);
        return right === undefined ? [] : [[left, right] as const];
      }),
    );
  }

  pairUnique(key: Key<Node>): void {
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
  pairCheapest(key: Key<Node>, cost: Likeness<Node>["cost"]): void {
    const costs = new Map(
      this.lefts.map((left) => [left, new Map(this.rights.map((right) => [right, cost(left, right)]))]),
    );
    const between = (left: Node, right: Node): number => costs.get(left)?.get(right) ?? Infinity;
    for (let found = true; found && this.count > 0;) {
      const bestRights = new Map(
        this.lefts.map((left) => [left, bestOf(this.rights, (right) => between(left, right), key)]),
      );
      const pairs = new Map<Node, Node>();
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

  #take(pairs: readonly (readonly [Node, Node])[]): void {
    const taken = new Set(pairs.flat());
    this.pairs.push(...pairs);
    this.lefts = this.lefts.filter((node) => !taken.has(node));
    this.rights = this.rights.filter((node) => !taken.has(node));
  }
}

/** The one with the lowest cost; undefined where candidates of different content share it. */
function bestOf<Node>(
  candidates: readonly Node[],
  cost: (node: Node) => number,
  key: Key<Node>,
): Node | undefined {
  const lowest = Math.min(...candidates.map(cost));
  const [best, ...others] = candidates.filter((candidate) => cost(candidate) === lowest);
  return best !== undefined && others.every((other) => key(other) === key(best)) ? best : undefined;
}

function bucketsOf<Node>(nodes: readonly Node[], key: Key<Node>): Map<number | string, Node[]> {
  const buckets = new Map<number | string, Node[]>();
  for (const node of nodes) {
    const value = key(node);
    const bucket = buckets.get(value);
    if (bucket === undefined) buckets.set(value, [node]);
    else bucket.push(node);
  }
  return buckets;
}
