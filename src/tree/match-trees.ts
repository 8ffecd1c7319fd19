/**
 * Finds out which Instances of two trees are one. Numbers decide where both trees are of one life of a plugin; otherwise
 * place, name and class do. Several children of one name and class are matched by how alike they are, else by their
 * order, so that one new child among them is one difference and not many.
 */
import type { InstanceNode, InstanceTree } from "./instance-tree.ts";

export type Pairs = ReadonlyMap<InstanceNode, InstanceNode>;

/** From Instances of `a` to those of `b`; an Instance without a pair is in one of the trees alone. */
export function matchTrees(a: InstanceTree, b: InstanceTree): Pairs {
  const matching = new Matching();
  if (a.generation !== "" && a.generation === b.generation) matching.pairByNumber(a, b);
  matching.pairChildren(a.roots, b.roots);
  // The queue grows while it is worked off.
  for (const [one, other] of matching.queue) matching.pairChildren(one.children, other.children);
  return matching.pairs;
}

class Matching {
  readonly pairs = new Map<InstanceNode, InstanceNode>();
  readonly queue: (readonly [InstanceNode, InstanceNode])[] = [];
  readonly #taken = new Set<InstanceNode>();
  readonly #likeness = new Map<InstanceNode, string>();

  pairByNumber(a: InstanceTree, b: InstanceTree): void {
    for (const [id, one] of a.byId) {
      const other = b.byId.get(id);
      if (other?.className === one.className) this.#pair(one, other);
    }
  }

  pairChildren(ofA: readonly InstanceNode[], ofB: readonly InstanceNode[]): void {
    const groups = groupsOf(ofB.filter((node) => !this.#taken.has(node)));
    const open = groupsOf(ofA.filter((node) => !this.pairs.has(node)));
    for (const [key, ones] of open) this.#pairGroup(ones, groups.get(key) ?? []);
  }

  /** Equal subtrees first, then equal Instances, then the others in their order. */
  #pairGroup(ones: readonly InstanceNode[], others: readonly InstanceNode[]): void {
    if (ones.length > 1 || others.length > 1) {
      this.#pairAlike(ones, others, (node) => this.#likenessOf(node));
      this.#pairAlike(ones, others, ownLikeness);
    }
    const left = others.filter((node) => !this.#taken.has(node));
    for (const one of ones) {
      const other = this.pairs.has(one) ? undefined : left.shift();
      if (other !== undefined) this.#pair(one, other);
    }
  }

  #pairAlike(
    ones: readonly InstanceNode[],
    others: readonly InstanceNode[],
    keyOf: (node: InstanceNode) => string,
  ): void {
    const byKey = new Map<string, InstanceNode[]>();
    for (const other of others) {
      if (this.#taken.has(other)) continue;
      const key = keyOf(other);
      byKey.set(key, [...(byKey.get(key) ?? []), other]);
    }
    for (const one of ones) {
      const other = this.pairs.has(one) ? undefined : byKey.get(keyOf(one))?.shift();
      if (other !== undefined) this.#pair(one, other);
    }
  }

  #pair(one: InstanceNode, other: InstanceNode): void {
    this.pairs.set(one, other);
    this.#taken.add(other);
    this.queue.push([one, other]);
  }

  /** Of an Instance with all that is below it. */
  #likenessOf(node: InstanceNode): string {
    const known = this.#likeness.get(node);
    if (known !== undefined) return known;
    const below = node.children.map((child) => this.#likenessOf(child));
    const text = [node.name, node.className, ownLikeness(node), ...below].join("\0");
    const likeness = Bun.hash(text).toString(36);
    this.#likeness.set(node, likeness);
    return likeness;
  }
}

const ownLikeness = ({ hash, sourceHash = "" }: InstanceNode): string => `${hash}/${sourceHash}`;

function groupsOf(nodes: readonly InstanceNode[]): ReadonlyMap<string, InstanceNode[]> {
  const groups = new Map<string, InstanceNode[]>();
  for (const node of nodes) {
    const key = `${node.className}\0${node.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [node]);
    else group.push(node);
  }
  return groups;
}
