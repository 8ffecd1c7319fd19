/**
 * Which Instances of two trees that Studio has given are one. Numbers decide where both trees are of one life of a plugin;
 * otherwise place, name and class do. Several children of one name and class are matched by how alike they are, else by
 * their order, so that one new child among them is one difference and not many.
 */
import type { InstanceNode, InstanceTree } from "./instance-tree.ts";
import { pairByOrder } from "./match/equal-names.ts";
import { FlatTree, type TreeNode } from "./match/flat-tree.ts";
import { matchTrees } from "./match/match-trees.ts";

export type Pairs = ReadonlyMap<InstanceNode, InstanceNode>;

/** From Instances of `a` to those of `b`; an Instance without a pair is in one of the trees alone. */
export function matchInstances(a: InstanceTree, b: InstanceTree): Pairs {
  const [left, right] = [flatTreeOf(a), flatTreeOf(b)];
  const areOfOneLife = a.generation !== "" && a.generation === b.generation;
  const likeness = new Map<MatchNode, string>();
  const { rights } = matchTrees(left, right, {
    identityPairs: (lefts, others) => (areOfOneLife ? numberPairs(lefts, others) : []),
    namesBelow: () => keyOf,
    isSameAtOnce: (one, other) => keyOf(one) === keyOf(other) && ownLikeness(one) === ownLikeness(other),
    // Equal subtrees first, then equal Instances, then the others in their order.
    pairEqualNames: (lefts, others) =>
      pairByOrder(lefts, others, [(node) => likenessOf(node, likeness), ownLikeness]),
    changesClass: false,
  });
  const pairs = new Map<InstanceNode, InstanceNode>();
  rights.forEach((at, index) => {
    const [one, other] = [left.nodes[index], right.nodes[at]];
    if (one !== undefined && other !== undefined && isInstance(one) && isInstance(other))
      pairs.set(one, other);
  });
  return pairs;
}

/** An Instance, or what stands above the roots of a tree. */
type MatchNode = InstanceNode | Above;

interface Above extends TreeNode<InstanceNode> {
  readonly id?: undefined;
}

const isInstance = (node: MatchNode): node is InstanceNode => node.id !== undefined;

const flatTreeOf = ({ roots }: InstanceTree): FlatTree<MatchNode> =>
  new FlatTree<MatchNode>({ name: "", className: "", children: roots }, () => {});

const keyOf = ({ className, name }: MatchNode): string => `${className}\0${name}`;

function* numberPairs(
  lefts: readonly MatchNode[],
  rights: readonly MatchNode[],
): Generator<readonly [number, number]> {
  const positions = new Map(rights.map(({ id }, index) => [id, index]));
  for (const [left, { id, className }] of lefts.entries()) {
    const right = id === undefined ? undefined : positions.get(id);
    if (right !== undefined && rights[right]?.className === className) yield [left, right];
  }
}

const ownLikeness = (node: MatchNode): string =>
  isInstance(node) ? `${node.hash}/${node.sourceHash ?? ""}` : "";

/** Of an Instance with all that is below it. */
function likenessOf(node: MatchNode, known: Map<MatchNode, string>): string {
  const found = known.get(node);
  if (found !== undefined) return found;
  const below = node.children.map((child) => likenessOf(child, known));
  const text = [node.name, node.className, ownLikeness(node), ...below].join("\0");
  const likeness = Bun.hash(text).toString(36);
  known.set(node, likeness);
  return likeness;
}
