/** One of two trees that are compared: the Instances of a session, or of a checkpoint. */
import type { SessionContext } from "../protocol/fields/contexts.ts";
import type { SerializedValue } from "../protocol/values.ts";
import { emptyTree } from "./instance-tree.ts";
import type { InstanceNode, InstanceTree } from "./instance-tree.ts";
import { readItemsAsync, readTreeAsync, type TreeOptions } from "./read-tree.ts";
import type { Aspect, Item, TreeSource } from "./read-tree.ts";

export type Values = { readonly [name: string]: SerializedValue };

export interface TreeSide {
  readonly tree: InstanceTree;
  readonly context: SessionContext;
  /** Its numbers are ids of a session that callers can reach. Those of a file or a checkpoint would name other Instances. */
  readonly hasIds: boolean;
  /** What the Instances are made of, by their numbers. */
  itemsAsync(ids: readonly number[]): Promise<ReadonlyMap<number, Item>>;
  /** The properties of a new Instance of the class of `node`. */
  defaultsAsync(nodes: readonly InstanceNode[]): Promise<ReadonlyMap<string, Values>>;
}

export const allAspects: readonly Aspect[] = ["properties", "attributes", "tags", "source"];

/** Reads the tree at once, and what its Instances are made of when it is asked for. */
export async function sessionSideAsync(
  source: TreeSource,
  context: SessionContext,
  options: TreeOptions = {},
): Promise<TreeSide> {
  const tree = await readTreeAsync(source, options);
  return {
    tree,
    context,
    hasIds: true,
    itemsAsync: (ids) => readItemsAsync(source, ids, allAspects),
    defaultsAsync: (nodes) => readDefaultsAsync(source, nodes),
  };
}

/** One Instance of each class stands for its class. */
export async function readDefaultsAsync(
  source: TreeSource,
  nodes: readonly InstanceNode[],
): Promise<ReadonlyMap<string, Values>> {
  const ofClass = new Map(nodes.map((node) => [node.className, node.id]));
  const items = await readItemsAsync(source, [...ofClass.values()], ["defaults"]);
  return new Map([...items.values()].map(({ className, defaults = {} }) => [className, defaults]));
}

/** Of a place that does not have the root. */
export const emptySide: TreeSide = {
  tree: emptyTree(),
  context: "edit",
  hasIds: false,
  itemsAsync: async () => new Map(),
  defaultsAsync: async () => new Map(),
};
