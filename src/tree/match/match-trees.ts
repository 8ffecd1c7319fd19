/**
 * Finds out which nodes of two trees are the same Instance. What has an identity is recognised wherever it is; the rest by
 * its name and class below the same parent, and among equal names as the rules say. The rules know what nodes hold, so that
 * trees of files, of Studio and of checkpoints are matched alike.
 */
import type { GroupPairs } from "./equal-names.ts";
import { type FlatTree, NO_NODE, type TreeNode } from "./flat-tree.ts";

export interface Matching<Node> {
  /** For each node of the left tree its number in the right one, or NO_NODE. */
  readonly rights: Int32Array;
  /** The reverse. */
  readonly lefts: Int32Array;
  /** Nodes of both trees that could be each other in more than one way. */
  readonly ambiguous: ReadonlySet<Node>;
}

/** What counts as the same Instance. */
export interface MatchRules<Node> {
  /** Pairs of positions that are proven to be one Instance, the surest first. */
  identityPairs(lefts: readonly Node[], rights: readonly Node[]): Iterable<readonly [number, number]>;
  /** By what the children of a node are told apart. */
  namesBelow(parent: Node): (child: Node) => string;
  /** Whether two nodes hold the same at first sight, apart from their children. */
  isSameAtOnce(left: Node, right: Node): boolean;
  /** Pairs several siblings of one name and class. */
  pairEqualNames(lefts: readonly Node[], rights: readonly Node[]): GroupPairs<Node>;
  /** Whether the only one left of a name on either side is the same Instance, although it is of another class. */
  readonly changesClass: boolean;
  /** How what was moved or renamed is recognised; without it, nothing is. */
  readonly moves?: MoveRules<Node>;
}

export interface MoveRules<Node> {
  /** Gives equal numbers to nodes that hold the same, with all below them and apart from their own names. */
  bodies(): (node: Node) => number;
  /** Whether a subtree says so much that it is not like another one by chance. */
  saysEnough(node: Node): boolean;
  /** Pairs what was moved or renamed and changed at once. */
  changedPairs(lefts: readonly Node[], rights: readonly Node[]): Iterable<readonly [Node, Node]>;
}

export interface KnownPairs {
  /** Pairs that are known already, as `Matching.rights` has them. */
  readonly known?: Int32Array;
  /** Nodes that have a partner in another tree, and get none here unless it is known: those that are not NO_NODE. */
  readonly takenLefts?: Int32Array;
  readonly takenRights?: Int32Array;
}

/** The roots are always a pair. */
export function matchTrees<Node extends TreeNode<Node>>(
  left: FlatTree<Node>,
  right: FlatTree<Node>,
  rules: MatchRules<Node>,
  known: KnownPairs = {},
): Matching<Node> {
  return new TreeMatcher(left, right, rules, known).match();
}

class TreeMatcher<Node extends TreeNode<Node>> {
  readonly #left: FlatTree<Node>;
  readonly #right: FlatTree<Node>;
  readonly #rules: MatchRules<Node>;
  readonly #known: KnownPairs;
  readonly #rights: Int32Array;
  readonly #lefts: Int32Array;
  readonly #ambiguous = new Set<Node>();
  readonly #queue: number[] = [];

  constructor(left: FlatTree<Node>, right: FlatTree<Node>, rules: MatchRules<Node>, known: KnownPairs) {
    this.#left = left;
    this.#right = right;
    this.#rules = rules;
    this.#known = known;
    this.#rights = new Int32Array(left.size).fill(NO_NODE);
    this.#lefts = new Int32Array(right.size).fill(NO_NODE);
  }

  match(): Matching<Node> {
    this.#pair(0, 0);
    this.#known.known?.forEach((right, left) => {
      if (right !== NO_NODE) this.#pair(left, right);
    });
    for (const [left, right] of this.#rules.identityPairs(this.#left.nodes, this.#right.nodes))
      if (this.#isFreeLeft(left) && this.#isFreeRight(right)) this.#pair(left, right);
    this.#matchBelowPairs();
    const { moves } = this.#rules;
    if (moves !== undefined) {
      this.#findMoves(moves);
      this.#findChangedMoves(moves);
    }
    return { rights: this.#rights, lefts: this.#lefts, ambiguous: this.#ambiguous };
  }

  #pair(left: number, right: number): void {
    if (this.#rights[left] !== NO_NODE || this.#lefts[right] !== NO_NODE) return;
    this.#rights[left] = right;
    this.#lefts[right] = left;
    this.#queue.push(left);
  }

  #matchBelowPairs(): void {
    for (let left = this.#queue.pop(); left !== undefined; left = this.#queue.pop()) {
      const right = this.#rights[left] ?? NO_NODE;
      if (this.#left.childCount(left) > 0 && this.#right.childCount(right) > 0)
        this.#matchChildren(left, right);
    }
  }

  #isFreeLeft = (node: number): boolean =>
    this.#rights[node] === NO_NODE && (this.#known.takenLefts?.[node] ?? NO_NODE) === NO_NODE;

  #isFreeRight = (node: number): boolean =>
    this.#lefts[node] === NO_NODE && (this.#known.takenRights?.[node] ?? NO_NODE) === NO_NODE;

  #matchChildren(left: number, right: number): void {
    const lefts = this.#named(this.#left, left, this.#isFreeLeft);
    if (lefts.first.size === 0) return;
    const rights = this.#isInStep(left, right)
      ? shifted(lefts, this.#right.firstChild(right) - this.#left.firstChild(left))
      : this.#named(this.#right, right, this.#isFreeRight);
    for (const [name, one] of lefts.first) {
      const other = rights.first.get(name);
      if (other === undefined) continue;
      const [moreLefts, moreRights] = [lefts.others?.get(name), rights.others?.get(name)];
      if (moreLefts === undefined && moreRights === undefined) this.#pairSingle(one, other);
      else this.#matchGroup([one, ...(moreLefts ?? [])], [other, ...(moreRights ?? [])]);
    }
  }

  /** Whether the children of two nodes are free and have the same names in the same order, as most have. */
  #isInStep(left: number, right: number): boolean {
    const [above, twin] = [this.#left.nodes[left], this.#right.nodes[right]];
    if (above === undefined || twin === undefined || above.children.length !== twin.children.length)
      return false;
    const [leftName, rightName] = [this.#rules.namesBelow(above), this.#rules.namesBelow(twin)];
    const [firstLeft, firstRight] = [this.#left.firstChild(left), this.#right.firstChild(right)];
    return above.children.every((child, at) => {
      const other = twin.children[at];
      return (
        other !== undefined &&
        leftName(child) === rightName(other) &&
        this.#isFreeLeft(firstLeft + at) &&
        this.#isFreeRight(firstRight + at)
      );
    });
  }

  /** The only nodes of a name that are left on either side. */
  #pairSingle(left: number, right: number): void {
    const isOfClass = this.#left.nodes[left]?.className === this.#right.nodes[right]?.className;
    if (isOfClass || this.#rules.changesClass) this.#pair(left, right);
  }

  /** The free children of a node by name. */
  #named(tree: FlatTree<Node>, parent: number, isFree: (node: number) => boolean) {
    const first = new Map<string, number>();
    let others: Map<string, number[]> | undefined;
    const above = tree.nodes[parent];
    if (above === undefined) return { first, others };
    const nameOf = this.#rules.namesBelow(above);
    const end = tree.firstChild(parent) + tree.childCount(parent);
    for (let index = tree.firstChild(parent); index < end; index++) {
      const node = tree.nodes[index];
      if (node === undefined || !isFree(index)) continue;
      const name = nameOf(node);
      if (!first.has(name)) first.set(name, index);
      else if ((others ??= new Map()).get(name)?.push(index) === undefined) others.set(name, [index]);
    }
    return { first, others };
  }

  /** Children of one name. */
  #matchGroup(lefts: readonly number[], rights: readonly number[]): void {
    const classes = new Set(lefts.map((left) => this.#left.nodes[left]?.className));
    for (const className of classes)
      this.#matchEqual(
        lefts.filter((left) => this.#left.nodes[left]?.className === className),
        rights.filter((right) => this.#right.nodes[right]?.className === className),
      );
    const openLefts = lefts.filter((left) => this.#isFreeLeft(left) && !this.#isAmbiguous(this.#left, left));
    const openRights = rights.filter(
      (right) => this.#isFreeRight(right) && !this.#isAmbiguous(this.#right, right),
    );
    const [left, right] = [openLefts[0], openRights[0]];
    if (left !== undefined && right !== undefined && openLefts.length === 1 && openRights.length === 1)
      this.#pairSingle(left, right);
  }

  #isAmbiguous(tree: FlatTree<Node>, index: number): boolean {
    const node = tree.nodes[index];
    return node !== undefined && this.#ambiguous.has(node);
  }

  #matchEqual(lefts: readonly number[], rights: readonly number[]): void {
    const [left, right] = [lefts[0], rights[0]];
    if (left === undefined || right === undefined) return;
    if (lefts.length === 1 && rights.length === 1) return this.#pair(left, right);
    if (lefts.length === rights.length && lefts.every((one, at) => this.#isAlike(one, rights[at] ?? NO_NODE)))
      return lefts.forEach((one, at) => this.#pair(one, rights[at] ?? NO_NODE));
    const [leftNodes, rightNodes] = [nodesAt(this.#left, lefts), nodesAt(this.#right, rights)];
    const group = this.#rules.pairEqualNames([...leftNodes.keys()], [...rightNodes.keys()]);
    for (const [one, other] of group.pairs)
      this.#pair(leftNodes.get(one) ?? NO_NODE, rightNodes.get(other) ?? NO_NODE);
    for (const node of group.ambiguous) this.#ambiguous.add(node);
  }

  /** Whether two subtrees hold the same at first sight, as in a group that has not changed. */
  #isAlike(left: number, right: number): boolean {
    const [one, other] = [this.#left.nodes[left], this.#right.nodes[right]];
    if (one === undefined || other === undefined || one.children.length !== other.children.length)
      return false;
    // Nodes that others refer to are not interchangeable.
    if (this.#left.targets.has(one) || this.#right.targets.has(other)) return false;
    if (!this.#rules.isSameAtOnce(one, other)) return false;
    const [leftFirst, rightFirst] = [this.#left.firstChild(left), this.#right.firstChild(right)];
    return one.children.every((_, at) => this.#isAlike(leftFirst + at, rightFirst + at));
  }

  /** A subtree that says something and that each tree has once is the same one, wherever it is and whatever its name is. */
  #findMoves({ bodies, saysEnough }: MoveRules<Node>): void {
    const lefts = freeNodes(this.#left, this.#isFreeLeft);
    const rights = lefts.length === 0 ? [] : freeNodes(this.#right, this.#isFreeRight);
    if (rights.length === 0) return;
    const bodyOf = bodies();
    const leftsByBody = byBody(this.#left, lefts, bodyOf);
    const rightsByBody = byBody(this.#right, rights, bodyOf);
    for (const [body, [left, secondLeft]] of leftsByBody) {
      const [right, secondRight] = rightsByBody.get(body) ?? [];
      if (left === undefined || right === undefined || secondLeft !== undefined || secondRight !== undefined)
        continue;
      const node = this.#left.nodes[left];
      if (this.#isFreeLeft(left) && this.#isFreeRight(right) && node !== undefined && saysEnough(node)) {
        this.#pair(left, right);
        this.#matchBelowPairs();
      }
    }
  }

  /** What was moved or renamed and changed at once is the same one where no other is as alike. */
  #findChangedMoves({ changedPairs }: MoveRules<Node>): void {
    const lefts = nodesAt(this.#left, freeNodes(this.#left, this.#isFreeLeft));
    if (lefts.size === 0) return;
    const rights = nodesAt(this.#right, freeNodes(this.#right, this.#isFreeRight));
    for (const [one, other] of changedPairs([...lefts.keys()], [...rights.keys()])) {
      const [left, right] = [lefts.get(one) ?? NO_NODE, rights.get(other) ?? NO_NODE];
      if (!this.#isFreeLeft(left) || !this.#isFreeRight(right)) continue;
      this.#pair(left, right);
      this.#matchBelowPairs();
    }
  }
}

interface NamedNodes {
  readonly first: Pick<ReadonlyMap<string, number>, "get">;
  /** Those that share their name with an earlier one. */
  readonly others: Pick<ReadonlyMap<string, readonly number[]>, "get"> | undefined;
}

/** The same nodes in a tree where each has a number that is higher by `shift`. A map of its own would take twice as long. */
function shifted({ first, others }: NamedNodes, shift: number): NamedNodes {
  const more = (name: string) => others?.get(name)?.map((index) => index + shift);
  const single = (name: string) => {
    const index = first.get(name);
    return index === undefined ? undefined : index + shift;
  };
  return { first: { get: single }, others: others && { get: more } };
}

function nodesAt<Node extends TreeNode<Node>>(
  { nodes }: FlatTree<Node>,
  indices: readonly number[],
): Map<Node, number> {
  const found = new Map<Node, number>();
  for (const index of indices) {
    const node = nodes[index];
    if (node !== undefined) found.set(node, index);
  }
  return found;
}

function byBody<Node extends TreeNode<Node>>(
  { nodes }: FlatTree<Node>,
  indices: readonly number[],
  bodyOf: (node: Node) => number,
): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const index of indices) {
    const node = nodes[index];
    if (node === undefined) continue;
    const body = bodyOf(node);
    const others = found.get(body);
    if (others === undefined) found.set(body, [index]);
    else others.push(index);
  }
  return found;
}

/** Parents before their children, so that a whole subtree is found before its parts. */
function freeNodes<Node extends TreeNode<Node>>(
  tree: FlatTree<Node>,
  isFree: (node: number) => boolean,
): number[] {
  const found: number[] = [];
  for (let index = 0; index < tree.size; index++) if (isFree(index)) found.push(index);
  return found;
}
