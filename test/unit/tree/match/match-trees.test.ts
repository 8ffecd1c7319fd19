/** The one matcher of trees: what is sure by itself, and what only the rules of its caller decide. */
import { expect, test } from "bun:test";
import { pairByOrder, pairSurely } from "../../../../src/tree/match/equal-names.ts";
import { FlatTree, NO_NODE } from "../../../../src/tree/match/flat-tree.ts";
import { type MatchRules, matchTrees } from "../../../../src/tree/match/match-trees.ts";

interface Node {
  readonly name: string;
  readonly className: string;
  readonly children: readonly Node[];
  /** What it holds. */
  readonly value: number;
  readonly id?: number;
}

const node = (name: string, value = 0, facts: Partial<Node> = {}): Node => ({
  name,
  className: "Part",
  children: [],
  value,
  ...facts,
});

const body = ({ value }: Node): number => value;

const rules: MatchRules<Node> = {
  identityPairs: (lefts, rights) =>
    lefts.flatMap(({ id }, left) => {
      const right = id === undefined ? -1 : rights.findIndex((other) => other.id === id);
      return right < 0 ? [] : [[left, right] as const];
    }),
  namesBelow: () => (child) => child.name,
  isSameAtOnce: (left, right) => left.value === right.value,
  pairEqualNames: (lefts, rights) =>
    pairSurely(lefts, rights, {
      body,
      parts: [],
      cost: (left, right) => Math.min(1, Math.abs(left.value - right.value)),
    }),
  changesClass: true,
};

const treeOf = (children: readonly Node[]) => new FlatTree(node("root", 0, { children }), () => {});

/** For each child of the left root the position among those of the right one; -1 for none. */
function matched(lefts: readonly Node[], rights: readonly Node[], own: Partial<MatchRules<Node>> = {}) {
  const { rights: found, ambiguous } = matchTrees(treeOf(lefts), treeOf(rights), { ...rules, ...own });
  const positions = [...found.slice(1, 1 + lefts.length)].map((at) => (at === NO_NODE ? -1 : at - 1));
  return { positions, ambiguous: [...ambiguous].map(({ value }) => value).sort() };
}

test("an identity counts before names and places", () => {
  const lefts = [node("A", 1, { id: 7 }), node("B", 2)];
  expect(matched(lefts, [node("B", 2), node("C", 9, { id: 7 })]).positions).toEqual([1, 0]);
});

test("among equal names nothing is guessed, unless the rules let the order decide", () => {
  const lefts = [node("A", 1), node("A", 2)];
  const rights = [node("A", 3), node("A", 4)];
  expect(matched(lefts, rights)).toEqual({ positions: [-1, -1], ambiguous: [1, 2, 3, 4] });
  const pairEqualNames: MatchRules<Node>["pairEqualNames"] = (ones, others) =>
    pairByOrder(ones, others, [body]);
  expect(matched(lefts, rights, { pairEqualNames })).toEqual({ positions: [0, 1], ambiguous: [] });
  // What is equal comes first, so that one more child is one difference.
  expect(matched([node("A", 5), ...lefts], lefts, { pairEqualNames }).positions).toEqual([-1, 0, 1]);
});

test("the only one left of a name may be of another class, where the rules say so", () => {
  const lefts = [node("A", 1)];
  const rights = [node("A", 1, { className: "Folder" })];
  expect(matched(lefts, rights).positions).toEqual([0]);
  expect(matched(lefts, rights, { changesClass: false }).positions).toEqual([-1]);
});

test("what moved is recognised by what it holds, if both trees have it once and the rules look for it", () => {
  const moved = node("A", 5);
  const lefts = [moved, node("Box", 1)];
  const rights = [node("Box", 1, { children: [node("New", 5)] })];
  const moves = { bodies: () => body, saysEnough: () => true, changedPairs: () => [] };
  expect(matched(lefts, rights).positions).toEqual([-1, 0]);
  const { rights: found } = matchTrees(treeOf(lefts), treeOf(rights), { ...rules, moves });
  expect([...found]).toEqual([0, 2, 1]);
});
