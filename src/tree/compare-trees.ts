/** Compares two trees: which Instances only one of them has, which have moved, and which values differ. */
import type { WireChange } from "../protocol/fields/changes.ts";
import { inOrder } from "../protocol/values.ts";
import type { SerializedValue } from "../protocol/values.ts";
import { withDescendants } from "./instance-tree.ts";
import type { InstanceNode, InstanceTree } from "./instance-tree.ts";
import { matchInstances } from "./match-instances.ts";
import type { Pairs } from "./match-instances.ts";
import { pathsOf } from "./node-path.ts";
import type { Item } from "./read-tree.ts";
import type { TreeSide, Values } from "./tree-side.ts";

/** What always differs between two contexts and tells nothing about a place. */
export interface Ignored {
  /** An Instance that is left out with all below it; `side` says of which tree it is. */
  subtree(node: InstanceNode, side: "a" | "b"): boolean;
  property(name: string, pair: readonly [Item, Item]): boolean;
  readonly sources: boolean;
}

export const nothingIgnored: Ignored = { subtree: () => false, property: () => false, sources: false };

/** One Instance that differs. */
export interface Difference {
  readonly change: WireChange["change"];
  readonly a?: InstanceNode;
  readonly b?: InstanceNode;
  readonly itemA?: Item;
  readonly itemB?: Item;
  /** Names of what differs; of an added Instance, of all that it is made of. */
  readonly properties: readonly string[];
  readonly references: readonly string[];
  readonly attributes: readonly string[];
  readonly hasOtherTags: boolean;
  readonly hasOtherSource: boolean;
  readonly isRenamed: boolean;
  readonly isMoved: boolean;
}

export interface Comparison {
  readonly a: TreeSide;
  readonly b: TreeSide;
  readonly pairs: Pairs;
  /**
   * In the order of the trees, those of `a` before what only `b` has. Of what only one tree has, the outermost Instances
   * stand for all below them.
   */
  readonly differences: readonly Difference[];
}

type Pair = readonly [InstanceNode, InstanceNode];

interface Partners {
  readonly pairs: Pairs;
  /** The same by their numbers. */
  readonly partners: ReadonlyMap<number, number>;
  readonly trees: { readonly a: InstanceTree; readonly b: InstanceTree };
}

export async function compareTreesAsync(
  a: TreeSide,
  b: TreeSide,
  ignored: Ignored = nothingIgnored,
): Promise<Comparison> {
  const pairs = matchInstances(a.tree, b.tree);
  const matched: Partners = {
    pairs,
    partners: new Map([...pairs].map(([one, other]) => [one.id, other.id])),
    trees: { a: a.tree, b: b.tree },
  };
  const taken = new Set(pairs.values());
  const removed = outermost(
    a.tree.roots,
    (node) => ignored.subtree(node, "a"),
    (node) => pairs.has(node),
  );
  const added = outermost(
    b.tree.roots,
    (node) => ignored.subtree(node, "b"),
    (node) => taken.has(node),
  );
  const suspects = [...seenPairs(a, b, pairs, ignored)].filter((pair) => mayDiffer(pair, matched, ignored));
  const itemsA = await a.itemsAsync([...suspects.map(([one]) => one.id), ...removed.map(({ id }) => id)]);
  const itemsB = await b.itemsAsync([...suspects.map(([, other]) => other.id), ...added.map(({ id }) => id)]);
  const changed = suspects.flatMap(([one, other]) => {
    const items = [itemsA.get(one.id), itemsB.get(other.id)] as const;
    return pairDifference([one, other], items, matched, ignored) ?? [];
  });
  const differences = [
    ...removed.map((node): Difference => ({ ...only(itemsA.get(node.id)), change: "removed", a: node })),
    ...changed,
    ...added.map((node): Difference => ({ ...only(itemsB.get(node.id)), change: "added", b: node })),
  ];
  return { a, b, pairs, differences };
}

/** Instances without a pair whose parents have one. */
function outermost(
  roots: readonly InstanceNode[],
  isIgnored: (node: InstanceNode) => boolean,
  hasPair: (node: InstanceNode) => boolean,
): readonly InstanceNode[] {
  const found: InstanceNode[] = [];
  const waiting = [...roots].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isIgnored(node)) continue;
    if (!hasPair(node)) found.push(node);
    else waiting.push(...node.children.toReversed());
  }
  return found;
}

/** In the order of `a`, without what is ignored in either tree. */
function* seenPairs(a: TreeSide, b: TreeSide, pairs: Pairs, ignored: Ignored): Generator<Pair> {
  const leftOut = new Set<InstanceNode>();
  for (const root of b.tree.roots)
    for (const node of withDescendants(root))
      if (ignored.subtree(node, "b") || (node.parent !== undefined && leftOut.has(node.parent)))
        leftOut.add(node);
  const waiting = [...a.tree.roots].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (ignored.subtree(node, "a")) continue;
    waiting.push(...node.children.toReversed());
    const other = pairs.get(node);
    if (other !== undefined && !leftOut.has(other)) yield [node, other];
  }
}

function mayDiffer([one, other]: Pair, matched: Partners, { sources }: Ignored): boolean {
  return (
    one.hash !== other.hash ||
    one.name !== other.name ||
    isMoved(one, other, matched) ||
    (!sources && one.sourceHash !== other.sourceHash) ||
    otherReferences(one, other, matched).length > 0
  );
}

function isMoved(one: InstanceNode, other: InstanceNode, { pairs }: Partners): boolean {
  return one.parent !== undefined && other.parent !== undefined && pairs.get(one.parent) !== other.parent;
}

/** Names of the properties that refer to different Instances. What is not in a tree counts as nothing. */
function otherReferences(one: InstanceNode, other: InstanceNode, { partners, trees }: Partners): string[] {
  if (one.references.size === 0 && other.references.size === 0) return [];
  const names = new Set([...one.references.keys(), ...other.references.keys()]);
  return [...names].filter((name) => {
    const left = trees.a.byId.get(one.references.get(name) ?? 0);
    const right = trees.b.byId.get(other.references.get(name) ?? 0);
    if (left === undefined || right === undefined) return left?.id !== right?.id;
    return partners.get(left.id) !== right.id;
  });
}

function only(item: Item | undefined) {
  return {
    ...(item === undefined ? {} : { itemA: item, itemB: item }),
    properties: Object.keys(item?.properties ?? {}),
    references: [],
    attributes: Object.keys(item?.attributes ?? {}),
    hasOtherTags: (item?.tags ?? []).length > 0,
    hasOtherSource: (item?.source ?? "") !== "",
    isRenamed: false,
    isMoved: false,
  };
}

function pairDifference(
  [one, other]: Pair,
  [itemA, itemB]: readonly [Item | undefined, Item | undefined],
  matched: Partners,
  ignored: Ignored,
): Difference | undefined {
  if (itemA === undefined || itemB === undefined) return undefined;
  const references = otherReferences(one, other, matched);
  const isReference = (name: string) => one.references.has(name) || other.references.has(name);
  const properties = otherValues(itemA.properties, itemB.properties).filter(
    (name) => !isReference(name) && !ignored.property(name, [itemA, itemB]),
  );
  const attributes = otherValues(itemA.attributes, itemB.attributes);
  const hasOtherTags = !isSame((itemA.tags ?? []).toSorted(), (itemB.tags ?? []).toSorted());
  const hasOtherSource = !ignored.sources && one.sourceHash !== other.sourceHash;
  const moved = isMoved(one, other, matched);
  const isRenamed = one.name !== other.name;
  const count = properties.length + references.length + attributes.length;
  if (count === 0 && !hasOtherTags && !hasOtherSource && !moved && !isRenamed) return undefined;
  return {
    change: moved ? "moved" : "changed",
    a: one,
    b: other,
    itemA,
    itemB,
    properties,
    references,
    attributes,
    hasOtherTags,
    hasOtherSource,
    isRenamed,
    isMoved: moved,
  };
}

function otherValues(a: Values = {}, b: Values = {}): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((name) => !isSame(a[name], b[name]));
}

function isSame(a: unknown, b: unknown): boolean {
  return Bun.deepEquals(a, b);
}

/** As results show them, from `a` to `b`. */
export async function changesAsync(
  { a, b }: Pick<Comparison, "a" | "b">,
  differences: readonly Difference[],
): Promise<readonly WireChange[]> {
  const lists = { a: pathsOf(a.tree), b: pathsOf(b.tree) };
  const changed = differences.filter(({ a: one, b: other }) => one !== undefined && other !== undefined);
  const defaults = await b.defaultsAsync(changed.flatMap(({ b: node }) => node ?? []));
  return differences.map((difference) => {
    const node = difference.b ?? difference.a;
    if (node === undefined) throw new Error("A difference is of no Instance.");
    const usual = defaults.get(node.className) ?? {};
    const path = difference.b === undefined ? lists.a(node) : lists.b(node);
    return {
      path,
      className: node.className,
      ...idOf(difference, a, b),
      change: difference.change,
      ...partsOf(difference, usual, { a, b, ...{ pathA: lists.a, pathB: lists.b } }),
    };
  });
}

/** Of the second side where that has ids, else of the first. */
function idOf(difference: Pick<Difference, "a" | "b">, a: TreeSide, b: TreeSide): { readonly id?: string } {
  if (difference.b === undefined) return {};
  if (b.hasIds) return { id: `@${difference.b.id}` };
  return a.hasIds && difference.a !== undefined ? { id: `@${difference.a.id}` } : {};
}

interface Naming {
  readonly a: TreeSide;
  readonly b: TreeSide;
  readonly pathA: (node: InstanceNode) => string;
  readonly pathB: (node: InstanceNode) => string;
}

function partsOf(
  { change, a, b, itemA, itemB, ...names }: Difference,
  usual: Values,
  naming: Naming,
): Omit<WireChange, "path" | "className" | "id" | "change"> {
  const before = change === "added" ? undefined : itemA;
  const after = change === "removed" ? undefined : itemB;
  const isPair = a !== undefined && b !== undefined;
  const pairOf = (name: string, of: "properties" | "attributes") => {
    const usually = isPair && of === "properties" ? usual[name] : undefined;
    return changePair(before?.[of]?.[name] ?? usually, after?.[of]?.[name] ?? usually);
  };
  const properties = Object.fromEntries(names.properties.map((name) => [name, pairOf(name, "properties")]));
  for (const name of names.references)
    properties[name] = changePair(
      targetOf(a, name, naming.a, naming.pathA),
      targetOf(b, name, naming.b, naming.pathB),
    );
  if (names.isRenamed) properties["Name"] = { before: a?.name ?? "", after: b?.name ?? "" };
  if (names.isMoved)
    properties["Parent"] = {
      before: a?.parent === undefined ? "" : naming.pathA(a.parent),
      after: b?.parent === undefined ? "" : naming.pathB(b.parent),
    };
  const attributes = Object.fromEntries(names.attributes.map((name) => [name, pairOf(name, "attributes")]));
  return {
    properties,
    ...(names.attributes.length === 0 ? {} : { attributes }),
    ...(names.hasOtherTags ? { tags: { before: before?.tags ?? [], after: after?.tags ?? [] } } : {}),
    ...(names.hasOtherSource
      ? { source: { before: sourceOf(before) ?? "", after: sourceOf(after) ?? "" } }
      : {}),
  };
}

function changePair(
  before: SerializedValue | undefined,
  after: SerializedValue | undefined,
): WireChange["properties"][string] {
  return {
    ...(before === undefined ? {} : { before: inOrder(before) }),
    ...(after === undefined ? {} : { after: inOrder(after) }),
  };
}

function targetOf(
  node: InstanceNode | undefined,
  name: string,
  { tree, hasIds }: TreeSide,
  pathOf: (node: InstanceNode) => string,
): SerializedValue {
  const id = node?.references.get(name);
  const target = id === undefined ? undefined : tree.byId.get(id);
  if (id === undefined) return { type: "nil" };
  return {
    type: "Instance",
    className: target?.className ?? "",
    path: target === undefined ? "" : pathOf(target),
    ...(hasIds ? { id: `@${id}` } : {}),
  };
}

/** Of a script. Bytes that are not valid UTF-8 are replaced for people. */
function sourceOf(item: Item | undefined): string | undefined {
  if (item?.base64 !== undefined) return Buffer.from(item.base64, "base64").toString();
  return item?.source;
}
