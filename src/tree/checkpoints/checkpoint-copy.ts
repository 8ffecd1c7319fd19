/** The copy of a place that a checkpoint is: its tree, what each Instance is made of, and models of what scripts cannot make. */
import type { InstanceNode, InstanceTree } from "../instance-tree.ts";
import { MODEL_CLASSES } from "../change/model-classes.ts";
import { emptyTree, withDescendants } from "../instance-tree.ts";
import { readItemsAsync, readTreeAsync } from "../read-tree.ts";
import type { Item, TreeSource } from "../read-tree.ts";
import { allAspects, readDefaultsAsync } from "../tree-side.ts";
import type { TreeSide, Values } from "../tree-side.ts";

const EXPORTS_AT_ONCE = 8;

type StoredNode = readonly [
  id: number,
  parent: number,
  name: string,
  className: string,
  hash: string,
  sourceHash: string | null,
  isDraft: boolean,
  references: readonly (readonly [string, number])[],
];

/** As it is kept on disk. */
export interface PlaceCopy {
  readonly generation: string;
  readonly rootPaths: readonly (readonly [number, string])[];
  /** A parent before its children. */
  readonly nodes: readonly StoredNode[];
  readonly items: readonly Item[];
  readonly defaults: { readonly [className: string]: Values };
  /** Bytes of model files as Base64, by the number of the Instance that they bring back with all below it. */
  readonly models: readonly (readonly [number, string])[];
}

export async function takeCopyAsync(source: TreeSource): Promise<PlaceCopy> {
  const tree = await readTreeAsync(source);
  const nodes = tree.roots.flatMap((root) => [...withDescendants(root)]);
  const items = await readItemsAsync(
    source,
    nodes.filter(hasContent).map(({ id }) => id),
    allAspects,
  );
  return {
    generation: tree.generation,
    rootPaths: [...tree.rootPaths],
    nodes: nodes.map(storedNode),
    items: [...items.values()],
    defaults: Object.fromEntries(await readDefaultsAsync(source, nodes)),
    models: await takeModelsAsync(source, tree),
  };
}

const hasContent = ({ hash, sourceHash, references }: InstanceNode): boolean =>
  hash !== "" || sourceHash !== undefined || references.size > 0;

const storedNode = (node: InstanceNode): StoredNode => [
  node.id,
  node.parent?.id ?? 0,
  node.name,
  node.className,
  node.hash,
  node.sourceHash ?? null,
  node.isDraft,
  [...node.references],
];

async function takeModelsAsync(source: TreeSource, { roots }: InstanceTree) {
  const wanted = roots.flatMap((root) => [...outermostModels(root)]);
  const models: [number, string][] = [];
  const exportAsync = async () => {
    for (let node = wanted.pop(); node !== undefined; node = wanted.pop()) {
      // What Studio leaves out of files, because it is not Archivable, has no model.
      const reply = await source.callAsync("exportModel", { paths: [`@${node.id}`] }).catch(() => undefined);
      if (reply !== undefined) models.push([node.id, reply.model]);
    }
  };
  await Promise.all(Array.from({ length: EXPORTS_AT_ONCE }, exportAsync));
  return models;
}

function* outermostModels(node: InstanceNode): Generator<InstanceNode> {
  if (MODEL_CLASSES.has(node.className)) yield node;
  else for (const child of node.children) yield* outermostModels(child);
}

/** The copy as one side of a comparison. */
export function sideOfCopy(copy: PlaceCopy): TreeSide {
  const tree = treeOfCopy(copy);
  const items = new Map(copy.items.map((item) => [item.id, item]));
  return {
    tree,
    context: "edit",
    hasIds: false,
    itemsAsync: async (ids) => new Map(ids.map((id) => [id, items.get(id) ?? plainItem(tree, id)])),
    defaultsAsync: async () => new Map(Object.entries(copy.defaults)),
  };
}

/** Of an Instance that is like a new one. */
function plainItem({ byId }: InstanceTree, id: number): Item {
  return { id, className: byId.get(id)?.className ?? "", properties: {}, attributes: {}, tags: [] };
}

function treeOfCopy({ generation, rootPaths, nodes }: PlaceCopy): InstanceTree {
  const tree = { ...emptyTree(), generation, rootPaths: new Map(rootPaths) };
  for (const [id, parentId, name, className, hash, sourceHash, isDraft, references] of nodes) {
    const parent = tree.byId.get(parentId);
    const node: InstanceNode = {
      id,
      name,
      className,
      parent,
      children: [],
      hash,
      sourceHash: sourceHash ?? undefined,
      isDraft,
      references: new Map(references),
    };
    tree.byId.set(id, node);
    (parent?.children ?? tree.roots).push(node);
  }
  return tree;
}
