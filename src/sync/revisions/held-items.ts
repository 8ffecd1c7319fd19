/** Trees of a line of revisions as items: taken apart, put together, and compared. */
import type { FileValue } from "../../roblox/model.ts";
import { newNode, type RojoNode } from "../../roblox/rojo/node.ts";
import type { HeldItem } from "./revision.ts";

/** By the numbers of the items, parents before what is below them. Nodes without a number are left out. */
export function itemsOf(root: RojoNode): Map<number, HeldItem> {
  const items = new Map<number, HeldItem>();
  const add = (node: RojoNode, parent: number | undefined): void => {
    if (node.item !== undefined) items.set(node.item, { parent, node, references: referencesOf(node) });
    for (const child of node.children) add(child, node.item ?? parent);
  };
  add(root, undefined);
  return items;
}

const NO_REFERENCES: ReadonlyMap<string, number> = new Map();

function referencesOf({ references }: RojoNode): ReadonlyMap<string, number> {
  if (references.size === 0) return NO_REFERENCES;
  return new Map(
    [...references].flatMap(([name, { item }]): [string, number][] =>
      item === undefined ? [] : [[name, item]],
    ),
  );
}

/** The tree that items make. Its top is the item without a parent; an item whose parent is missing is left out. */
export function treeOf(items: ReadonlyMap<number, HeldItem>): RojoNode {
  const made = new Map<number, RojoNode>();
  for (const [item, { node }] of items) made.set(item, ownCopy(node));
  let root: RojoNode | undefined;
  for (const [item, { parent, references }] of items) {
    const node = made.get(item);
    if (node === undefined) continue;
    if (parent === undefined) root ??= node;
    else made.get(parent)?.children.push(node);
    for (const [name, to] of references) {
      const target = made.get(to);
      if (target !== undefined) node.references.set(name, target);
    }
  }
  return root ?? newNode("", "DataModel");
}

/** Without references and children, which lead to other nodes. */
export function ownCopy(node: RojoNode): RojoNode {
  const { name, className, properties, attributes, id, unsettled, studioOnly, item, leftOpen } = node;
  return {
    name,
    className,
    properties: new Map(properties),
    attributes: new Map(attributes),
    references: new Map(),
    children: [],
    ...(id === undefined ? {} : { id }),
    ...(unsettled === undefined ? {} : { unsettled: new Set(unsettled) }),
    ...(studioOnly === undefined ? {} : { studioOnly: new Map(studioOnly) }),
    ...(item === undefined ? {} : { item }),
    ...(leftOpen === undefined ? {} : { leftOpen: new Map(leftOpen) }),
  };
}

/** Whether two states of an item are the same. */
export function isSameItem(one: HeldItem, other: HeldItem): boolean {
  const [left, right] = [one.node, other.node];
  return (
    one.parent === other.parent &&
    left.name === right.name &&
    left.className === right.className &&
    left.id === right.id &&
    isSameMap(left.properties, right.properties, isSameValue) &&
    isSameMap(left.attributes, right.attributes, isSameValue) &&
    isSameMap(one.references, other.references, Object.is) &&
    isSameMap(left.studioOnly, right.studioOnly, isSameValue) &&
    (left.studioOnly === undefined) === (right.studioOnly === undefined) &&
    isSameMap(left.leftOpen, right.leftOpen, Object.is) &&
    isSameSet(left.unsettled, right.unsettled)
  );
}

function isSameMap<Value>(
  one: ReadonlyMap<string, Value> | undefined,
  other: ReadonlyMap<string, Value> | undefined,
  isSame: (left: Value, right: Value) => boolean,
): boolean {
  if (one === other) return true;
  if ((one?.size ?? 0) !== (other?.size ?? 0)) return false;
  for (const [name, value] of one ?? []) {
    const twin = other?.get(name);
    if (twin === undefined || !isSame(value, twin)) return false;
  }
  return true;
}

function isSameSet(one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): boolean {
  if ((one?.size ?? 0) !== (other?.size ?? 0)) return false;
  for (const each of one ?? []) if (other?.has(each) !== true) return false;
  return true;
}

/** Texts and flags are compared at once, because most values are such. */
function isSameValue(one: FileValue, other: FileValue): boolean {
  if (one === other) return true;
  if (one.type !== other.type) return false;
  return typeof one.value === "object" ? Bun.deepEquals(one, other) : Object.is(one.value, other.value);
}
