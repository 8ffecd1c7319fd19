/**
 * Finds out which nodes of two trees are the same Instance. What has an identity is recognised wherever it is; the rest by
 * its name and class below the same parent, and among equal names by what it contains. It never guesses between
 * candidates of different content.
 */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { alikeSources } from "./alike-sources.ts";
import { ContentNumbers } from "./content.ts";
import { pairEqualNames } from "./equal-names.ts";
import { type FlatTree, NO_NODE } from "./flat-tree.ts";
import { identityPairs } from "./identities.ts";
import { isSameAtOnce, isSameAttribute, type Normalizer } from "./normalize.ts";

export interface Matching {
  /** For each node of the left tree its number in the right one, or NO_NODE. */
  readonly rights: Int32Array;
  /** The reverse. */
  readonly lefts: Int32Array;
  /** Nodes of both trees that could be each other in more than one way. */
  readonly ambiguous: ReadonlySet<RojoNode>;
}

export interface MatchOptions {
  /** Pairs that are known already, as `Matching.rights` has them. */
  readonly known?: Int32Array;
  /** Nodes that have a partner in another tree, and get none here unless it is known: those that are not NO_NODE. */
  readonly takenLefts?: Int32Array;
  readonly takenRights?: Int32Array;
  /** Whether a subtree that both trees have once counts as moved or renamed. */
  readonly findsMoves?: boolean;
}

/** The roots are always a pair. */
export function matchTrees(
  left: FlatTree,
  right: FlatTree,
  normalizer: Normalizer,
  options: MatchOptions = {},
): Matching {
  return new TreeMatcher(left, right, normalizer, options).match();
}

class TreeMatcher {
  readonly #left: FlatTree;
  readonly #right: FlatTree;
  readonly #normalizer: Normalizer;
  readonly #options: MatchOptions;
  readonly #rights: Int32Array;
  readonly #lefts: Int32Array;
  readonly #ambiguous = new Set<RojoNode>();
  readonly #queue: number[] = [];
  #contents: ContentNumbers | undefined;

  constructor(left: FlatTree, right: FlatTree, normalizer: Normalizer, options: MatchOptions) {
    this.#left = left;
    this.#right = right;
    this.#normalizer = normalizer;
    this.#options = options;
    this.#rights = new Int32Array(left.size).fill(NO_NODE);
    this.#lefts = new Int32Array(right.size).fill(NO_NODE);
  }

  match(): Matching {
    this.#pair(0, 0);
    this.#options.known?.forEach((right, left) => {
      if (right !== NO_NODE) this.#pair(left, right);
    });
    for (const [left, right] of identityPairs(this.#left.nodes, this.#right.nodes))
      if (this.#isFreeLeft(left) && this.#isFreeRight(right)) this.#pair(left, right);
    this.#matchBelowPairs();
    if (this.#options.findsMoves === true) {
      this.#findMoves();
      this.#findChangedMoves();
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
    this.#rights[node] === NO_NODE && (this.#options.takenLefts?.[node] ?? NO_NODE) === NO_NODE;

  #isFreeRight = (node: number): boolean =>
    this.#lefts[node] === NO_NODE && (this.#options.takenRights?.[node] ?? NO_NODE) === NO_NODE;

  #matchChildren(left: number, right: number): void {
    const rights = this.#named(this.#right, right, this.#isFreeRight);
    if (rights.first.size === 0) return;
    const lefts = this.#named(this.#left, left, this.#isFreeLeft);
    for (const [name, one] of lefts.first) {
      const other = rights.first.get(name);
      if (other === undefined) continue;
      const [moreLefts, moreRights] = [lefts.others?.get(name), rights.others?.get(name)];
      if (moreLefts === undefined && moreRights === undefined) this.#pair(one, other);
      else this.#matchGroup([one, ...(moreLefts ?? [])], [other, ...(moreRights ?? [])]);
    }
  }

  /** The free children of a node by name. A service is known by its class, because its name can be changed. */
  #named(tree: FlatTree, parent: number, isFree: (node: number) => boolean): NamedNodes {
    const isPlace = tree.nodes[parent]?.className === "DataModel";
    const first = new Map<string, number>();
    let others: Map<string, number[]> | undefined;
    const end = tree.firstChild(parent) + tree.childCount(parent);
    for (let index = tree.firstChild(parent); index < end; index++) {
      const node = tree.nodes[index];
      if (node === undefined || !isFree(index)) continue;
      const isService = isPlace && this.#normalizer.schema.isService(node.className);
      const name = isService ? node.className : node.name;
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
    // The only one left of a name on either side has changed its class.
    if (left !== undefined && right !== undefined && openLefts.length === 1 && openRights.length === 1)
      this.#pair(left, right);
  }

  #isAmbiguous(tree: FlatTree, index: number): boolean {
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
    const group = pairEqualNames(
      [...leftNodes.keys()],
      [...rightNodes.keys()],
      this.#allContents(),
      this.#cost,
    );
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
    if (!isSameAtOnce(one, other, false)) return false;
    const [leftFirst, rightFirst] = [this.#left.firstChild(left), this.#right.firstChild(right)];
    return one.children.every((_, at) => this.#isAlike(leftFirst + at, rightFirst + at));
  }

  #allContents(): ContentNumbers {
    this.#contents ??= new ContentNumbers(this.#normalizer, this.#left, this.#right, true);
    return this.#contents;
  }

  /** The number of aspects in which two nodes of one class differ, and of children that only one of them has. */
  #cost = (left: RojoNode, right: RojoNode): number => {
    const [one, other] = [this.#normalizer.view(left), this.#normalizer.view(right)];
    let cost = one.source === other.source ? 0 : 1;
    for (const [key, { name, value }] of one.properties) {
      const twin = other.properties.get(key)?.value ?? this.#normalizer.default(left.className, name);
      if (twin === undefined || !this.#normalizer.isSame(left.className, name, value, twin)) cost++;
    }
    for (const name of new Set([...one.attributes.keys(), ...other.attributes.keys()]))
      if (!isSameAttribute(one.attributes.get(name), other.attributes.get(name))) cost++;
    cost += countOfUnlike([...(one.tags ?? [])], [...(other.tags ?? [])]);
    const contents = this.#allContents();
    const wholes = (node: RojoNode) => node.children.map((child) => contents.whole(child));
    return cost + countOfUnlike(wholes(left), wholes(right));
  };

  /** A subtree that says something and that each tree has once is the same one, wherever it is and whatever its name is. */
  #findMoves(): void {
    const lefts = freeNodes(this.#left, this.#isFreeLeft);
    const rights = lefts.length === 0 ? [] : freeNodes(this.#right, this.#isFreeRight);
    if (rights.length === 0) return;
    const contents = new ContentNumbers(this.#normalizer, this.#left, this.#right, false);
    const leftsByBody = byBody(this.#left, lefts, contents);
    const rightsByBody = byBody(this.#right, rights, contents);
    for (const [body, [left, secondLeft]] of leftsByBody) {
      const [right, secondRight] = rightsByBody.get(body) ?? [];
      if (left === undefined || right === undefined || secondLeft !== undefined || secondRight !== undefined)
        continue;
      if (this.#isFreeLeft(left) && this.#isFreeRight(right) && saysEnough(this.#left.nodes[left])) {
        this.#pair(left, right);
        this.#matchBelowPairs();
      }
    }
  }

  /** A script that was moved or renamed and changed at once is the same one where no other is as alike. */
  #findChangedMoves(): void {
    const lefts = nodesAt(this.#left, freeNodes(this.#left, this.#isFreeLeft));
    if (lefts.size === 0) return;
    const rights = nodesAt(this.#right, freeNodes(this.#right, this.#isFreeRight));
    for (const [one, other] of alikeSources([...lefts.keys()], [...rights.keys()])) {
      const [left, right] = [lefts.get(one) ?? NO_NODE, rights.get(other) ?? NO_NODE];
      if (!this.#isFreeLeft(left) || !this.#isFreeRight(right)) continue;
      this.#pair(left, right);
      this.#matchBelowPairs();
    }
  }
}

interface NamedNodes {
  readonly first: ReadonlyMap<string, number>;
  /** Those that share their name with an earlier one. */
  readonly others: ReadonlyMap<string, readonly number[]> | undefined;
}

function nodesAt({ nodes }: FlatTree, indices: readonly number[]): Map<RojoNode, number> {
  const found = new Map<RojoNode, number>();
  for (const index of indices) {
    const node = nodes[index];
    if (node !== undefined) found.set(node, index);
  }
  return found;
}

function countOfUnlike<Item>(lefts: readonly Item[], rights: readonly Item[]): number {
  const counts = new Map<Item, number>();
  for (const item of lefts) counts.set(item, (counts.get(item) ?? 0) + 1);
  for (const item of rights) counts.set(item, (counts.get(item) ?? 0) - 1);
  return [...counts.values()].reduce((sum, count) => sum + Math.abs(count), 0);
}

function byBody(
  { nodes }: FlatTree,
  indices: readonly number[],
  contents: ContentNumbers,
): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const index of indices) {
    const node = nodes[index];
    if (node === undefined) continue;
    const body = contents.body(node);
    const others = found.get(body);
    if (others === undefined) found.set(body, [index]);
    else others.push(index);
  }
  return found;
}

/** Parents before their children, so that a whole subtree is found before its parts. */
function freeNodes(tree: FlatTree, isFree: (node: number) => boolean): number[] {
  const found: number[] = [];
  for (let index = 0; index < tree.size; index++) if (isFree(index)) found.push(index);
  return found;
}

/** So many Instances in one subtree are not alike by chance. */
const ENOUGH_INSTANCES = 3;

function saysEnough(node: RojoNode | undefined): boolean {
  return node !== undefined && (hasSource(node) || countOf(node) >= ENOUGH_INSTANCES);
}

function hasSource({ properties, children }: RojoNode): boolean {
  const source = properties.get("Source")?.value;
  return (typeof source === "string" && source.trim() !== "") || children.some(hasSource);
}

const countOf = ({ children }: RojoNode): number =>
  children.reduce((count, child) => count + countOf(child), 1);
