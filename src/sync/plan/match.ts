/**
 * Which nodes of two trees of a sync are the same Instance: by Studio's numbers, a place's UniqueIds and the ids of files,
 * then by names and classes, and among equal names by what they contain. It never guesses between candidates of different
 * content.
 */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { pairSurely } from "../../tree/match/equal-names.ts";
import { FlatTree } from "../../tree/match/flat-tree.ts";
import { type KnownPairs, type Matching, matchTrees, type MoveRules } from "../../tree/match/match-trees.ts";
import { alikeSources } from "./alike-sources.ts";
import { ContentNumbers } from "./content.ts";
import { identityPairs } from "./identities.ts";
import { isSameAtOnce } from "./at-once.ts";
import { isSameAttribute, type Normalizer } from "./normalize.ts";

export type NodeTree = FlatTree<RojoNode>;
export type NodeMatching = Matching<RojoNode>;

export interface MatchOptions extends KnownPairs {
  /** Whether a subtree that both trees have once counts as moved or renamed. */
  readonly findsMoves?: boolean;
}

export const nodeTree = (root: RojoNode): NodeTree =>
  new FlatTree(root, ({ references }, targets) => {
    if (references.size > 0) for (const target of references.values()) targets.add(target);
  });

export function matchNodes(
  left: NodeTree,
  right: NodeTree,
  normalizer: Normalizer,
  { findsMoves = false, ...known }: MatchOptions = {},
): NodeMatching {
  let kept: ContentNumbers | undefined;
  const meaning = { normalizer, knowsDefaults: false };
  const contents = () => (kept ??= new ContentNumbers(normalizer, left, right, true));
  return matchTrees(
    left,
    right,
    {
      identityPairs,
      namesBelow: (parent) => namesBelow(parent, normalizer),
      isSameAtOnce: (one, other) => isSameAtOnce(one, other, false, meaning),
      pairEqualNames: (lefts, rights) =>
        pairSurely(lefts, rights, {
          body: (node) => contents().body(node),
          parts: [(node) => contents().own(node), (node) => wholesOf(node, contents()).sort(byNumber).join()],
          cost: (one, other) => costBetween(one, other, normalizer, contents()),
        }),
      changesClass: true,
      ...(findsMoves ? { moves: moveRules(left, right, normalizer) } : {}),
    },
    known,
  );
}

/** A service is known by its class, because its name can be changed. */
function namesBelow({ className }: RojoNode, { schema }: Normalizer): (child: RojoNode) => string {
  return className === "DataModel"
    ? (child) => (schema.isService(child.className) ? child.className : child.name)
    : nameOf;
}

const nameOf = ({ name }: RojoNode): string => name;
const byNumber = (one: number, other: number): number => one - other;

const wholesOf = ({ children }: RojoNode, contents: ContentNumbers): number[] =>
  children.map((child) => contents.whole(child));

/** The number of aspects in which two nodes of one class differ, and of children that only one of them has. */
function costBetween(
  left: RojoNode,
  right: RojoNode,
  normalizer: Normalizer,
  contents: ContentNumbers,
): number {
  const [one, other] = [normalizer.view(left), normalizer.view(right)];
  let cost = one.source === other.source ? 0 : 1;
  for (const [key, { name, value }] of one.properties) {
    const twin = other.properties.get(key)?.value ?? normalizer.default(left.className, name);
    if (twin === undefined || !normalizer.isSame(left.className, name, value, twin)) cost++;
  }
  for (const name of new Set([...one.attributes.keys(), ...other.attributes.keys()]))
    if (!isSameAttribute(one.attributes.get(name), other.attributes.get(name))) cost++;
  cost += countOfUnlike([...(one.tags ?? [])], [...(other.tags ?? [])]);
  return cost + countOfUnlike(wholesOf(left, contents), wholesOf(right, contents));
}

function countOfUnlike<Item>(lefts: readonly Item[], rights: readonly Item[]): number {
  const counts = new Map<Item, number>();
  for (const item of lefts) counts.set(item, (counts.get(item) ?? 0) + 1);
  for (const item of rights) counts.set(item, (counts.get(item) ?? 0) - 1);
  return [...counts.values()].reduce((sum, count) => sum + Math.abs(count), 0);
}

function moveRules(left: NodeTree, right: NodeTree, normalizer: Normalizer): MoveRules<RojoNode> {
  return {
    bodies: () => {
      const contents = new ContentNumbers(normalizer, left, right, false);
      return (node) => contents.body(node);
    },
    saysEnough: (node) => hasSource(node) || countOf(node) >= ENOUGH_INSTANCES,
    changedPairs: alikeSources,
  };
}

/** So many Instances in one subtree are not alike by chance. */
const ENOUGH_INSTANCES = 3;

function hasSource({ properties, children }: RojoNode): boolean {
  const source = properties.get("Source")?.value;
  return (typeof source === "string" && source.trim() !== "") || children.some(hasSource);
}

const countOf = ({ children }: RojoNode): number =>
  children.reduce((count, child) => count + countOf(child), 1);
