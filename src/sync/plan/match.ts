/**
 * Finds out which nodes of two trees are the same Instance. What has an identity is recognised wherever it is; the rest by
 * its name and class below the same parent, and among equal names by what it contains. It never guesses between
 * candidates of different content.
 */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { ContentNumbers, eachNode, propertiesIn } from "./content.ts";
import { pairEqualNames } from "./equal-names.ts";
import { isSameAttribute, type Normalizer } from "./normalize.ts";

export interface Matching {
  /** The node of the right tree for each of the left one. */
  readonly pairs: ReadonlyMap<RojoNode, RojoNode>;
  /** Nodes of both trees that could be each other in more than one way. */
  readonly ambiguous: ReadonlySet<RojoNode>;
}

export interface MatchOptions {
  /** Pairs that are known already. */
  readonly known?: Iterable<readonly [left: RojoNode, right: RojoNode]>;
  /** Nodes that have a partner elsewhere, and get none here unless they are among `known`. */
  readonly taken?: { has(node: RojoNode): boolean };
  /** Whether a subtree that both trees have once counts as moved or renamed. */
  readonly findsMoves?: boolean;
}

/** The roots are always a pair. */
export function matchTrees(
  left: RojoNode,
  right: RojoNode,
  normalizer: Normalizer,
  options: MatchOptions = {},
): Matching {
  return new TreeMatcher(left, right, normalizer, options).match();
}

class TreeMatcher {
  readonly #left: RojoNode;
  readonly #right: RojoNode;
  readonly #normalizer: Normalizer;
  readonly #options: MatchOptions;
  readonly #pairs = new Map<RojoNode, RojoNode>();
  readonly #partnered = new Set<RojoNode>();
  readonly #ambiguous = new Set<RojoNode>();
  readonly #queue: RojoNode[] = [];
  #contents: ContentNumbers | undefined;

  constructor(left: RojoNode, right: RojoNode, normalizer: Normalizer, options: MatchOptions) {
    this.#left = left;
    this.#right = right;
    this.#normalizer = normalizer;
    this.#options = options;
  }

  match(): Matching {
    this.#pair(this.#left, this.#right);
    for (const [left, right] of this.#options.known ?? []) this.#pair(left, right);
    this.#matchBelowPairs();
    if (this.#options.findsMoves === true) this.#findMoves();
    return { pairs: this.#pairs, ambiguous: this.#ambiguous };
  }

  #pair(left: RojoNode, right: RojoNode): void {
    if (this.#pairs.has(left) || this.#partnered.has(right)) return;
    this.#pairs.set(left, right);
    this.#partnered.add(right);
    this.#queue.push(left);
  }

  #matchBelowPairs(): void {
    for (let left = this.#queue.pop(); left !== undefined; left = this.#queue.pop()) {
      const right = this.#pairs.get(left);
      if (right !== undefined && left.children.length > 0 && right.children.length > 0)
        this.#matchChildren(left, right);
    }
  }

  #isFree = (node: RojoNode): boolean =>
    !this.#pairs.has(node) && !this.#partnered.has(node) && this.#options.taken?.has(node) !== true;

  #matchChildren(left: RojoNode, right: RojoNode): void {
    const rights = firstByName(right.children.filter(this.#isFree), (node) => this.#nameIn(right, node));
    if (rights.first.size === 0) return;
    const lefts = firstByName(left.children.filter(this.#isFree), (node) => this.#nameIn(left, node));
    for (const [name, one] of lefts.first) {
      const other = rights.first.get(name);
      if (other === undefined) continue;
      const [moreLefts, moreRights] = [lefts.others.get(name) ?? [], rights.others.get(name) ?? []];
      if (moreLefts.length + moreRights.length === 0) this.#pair(one, other);
      else this.#matchGroup([one, ...moreLefts], [other, ...moreRights]);
    }
  }

  /** A service is known by its class, because its name can be changed. */
  #nameIn(parent: RojoNode, { name, className }: RojoNode): string {
    const isService = parent.className === "DataModel" && this.#normalizer.schema.isService(className);
    return isService ? className : name;
  }

  /** Children of one name. */
  #matchGroup(lefts: readonly RojoNode[], rights: readonly RojoNode[]): void {
    const classes = new Set(lefts.map(({ className }) => className));
    for (const className of classes) {
      const isOfClass = (node: RojoNode) => node.className === className;
      this.#matchEqual(lefts.filter(isOfClass), rights.filter(isOfClass));
    }
    const isOpen = (node: RojoNode) => this.#isFree(node) && !this.#ambiguous.has(node);
    const [openLefts, openRights] = [lefts.filter(isOpen), rights.filter(isOpen)];
    const [left, right] = [openLefts[0], openRights[0]];
    // The only one left of a name on either side has changed its class.
    if (left !== undefined && right !== undefined && openLefts.length === 1 && openRights.length === 1)
      this.#pair(left, right);
  }

  #matchEqual(lefts: readonly RojoNode[], rights: readonly RojoNode[]): void {
    const [left, right] = [lefts[0], rights[0]];
    if (left === undefined || right === undefined) return;
    if (lefts.length === 1 && rights.length === 1) return this.#pair(left, right);
    const { pairs, ambiguous } = pairEqualNames(lefts, rights, this.#allContents(), this.#cost);
    for (const [one, other] of pairs) this.#pair(one, other);
    for (const node of ambiguous) this.#ambiguous.add(node);
  }

  #allContents(): ContentNumbers {
    this.#contents ??= new ContentNumbers(this.#normalizer, propertiesIn(this.#left, this.#normalizer), [
      this.#left,
      this.#right,
    ]);
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
    const lefts = unpaired(this.#left, this.#isFree);
    const rights = lefts.length === 0 ? [] : unpaired(this.#right, this.#isFree);
    if (rights.length === 0) return;
    const contents = this.#allContents();
    const [leftsByBody, rightsByBody] = [byBody(lefts, contents), byBody(rights, contents)];
    for (const left of lefts) {
      const body = contents.body(left);
      const [right, second] = rightsByBody.get(body) ?? [];
      if (right === undefined || second !== undefined || leftsByBody.get(body)?.length !== 1) continue;
      if (!this.#isFree(left) || !this.#isFree(right) || !saysEnough(left)) continue;
      this.#ambiguous.delete(left);
      this.#ambiguous.delete(right);
      this.#pair(left, right);
      this.#matchBelowPairs();
    }
  }
}

interface NamedNodes {
  readonly first: ReadonlyMap<string, RojoNode>;
  /** Those that share their name with an earlier one. */
  readonly others: ReadonlyMap<string, RojoNode[]>;
}

function firstByName(nodes: readonly RojoNode[], nameOf: (node: RojoNode) => string): NamedNodes {
  const first = new Map<string, RojoNode>();
  const others = new Map<string, RojoNode[]>();
  for (const node of nodes) {
    const name = nameOf(node);
    if (!first.has(name)) first.set(name, node);
    else if (others.get(name)?.push(node) === undefined) others.set(name, [node]);
  }
  return { first, others };
}

function countOfUnlike<Item>(lefts: readonly Item[], rights: readonly Item[]): number {
  const counts = new Map<Item, number>();
  for (const item of lefts) counts.set(item, (counts.get(item) ?? 0) + 1);
  for (const item of rights) counts.set(item, (counts.get(item) ?? 0) - 1);
  return [...counts.values()].reduce((sum, count) => sum + Math.abs(count), 0);
}

function unpaired(root: RojoNode, isFree: (node: RojoNode) => boolean): RojoNode[] {
  const found: RojoNode[] = [];
  eachNode(root, (node) => {
    if (isFree(node)) found.push(node);
  });
  return found;
}

function byBody(nodes: readonly RojoNode[], contents: ContentNumbers): Map<number, RojoNode[]> {
  const found = new Map<number, RojoNode[]>();
  for (const node of nodes) {
    const body = contents.body(node);
    const others = found.get(body);
    if (others === undefined) found.set(body, [node]);
    else others.push(node);
  }
  return found;
}

/** So many Instances in one subtree are not alike by chance. */
const ENOUGH_INSTANCES = 3;

function saysEnough(node: RojoNode): boolean {
  let count = 0;
  let hasSource = false;
  eachNode(node, ({ properties }) => {
    count++;
    const source = properties.get("Source");
    hasSource ||= typeof source?.value === "string" && source.value.trim() !== "";
  });
  return hasSource || count >= ENOUGH_INSTANCES;
}
