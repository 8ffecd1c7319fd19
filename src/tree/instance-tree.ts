/** The Instances of a session as a tree, which is joined from the pages of `readTree` and brought up to date by later ones. */
import type { ActionResult } from "../protocol/actions.ts";

/** An Instance without its values, which `readItemsAsync` gives. */
export interface InstanceNode {
  readonly id: number;
  name: string;
  className: string;
  parent: InstanceNode | undefined;
  /** In Studio's order, as far as it is known: what moved since the first reading is behind its siblings. */
  children: InstanceNode[];
  /** Of its properties, attributes and tags; empty for an Instance that is like a new one. */
  hash: string;
  /** Of a script whose source can be read: the SHA-1 of its source as a git blob. */
  sourceHash: string | undefined;
  /** The script editor shows something else than what is saved; `sourceHash` is of what it shows. */
  isDraft: boolean;
  /** Numbers of the Instances that its properties refer to, by the names of the properties. */
  references: ReadonlyMap<string, number>;
}

export interface InstanceTree {
  roots: InstanceNode[];
  readonly byId: Map<number, InstanceNode>;
  /** Numbers of another generation mean other Instances. */
  generation: string;
  /** Of the roots, by their numbers: `game.Workspace`. */
  readonly rootPaths: Map<number, string>;
  /** Names the moment of the reading, if the place is watched since. */
  mark: string | undefined;
}

export type TreePage = ActionResult<"readTree">;

interface Row {
  readonly id: number;
  readonly parent: number;
  readonly name: string;
  readonly className: string;
  readonly hash: string;
}

const noReferences: ReadonlyMap<string, number> = new Map();

export function emptyTree(): InstanceTree {
  return { roots: [], byId: new Map(), generation: "", rootPaths: new Map(), mark: undefined };
}

/** Joins the pages of one reading into a tree. Rows whose parent is not in the tree are left out. */
export function joinPages(pages: readonly TreePage[]): InstanceTree {
  const tree = emptyTree();
  updateTree(tree, pages);
  return tree;
}

/** Brings a tree up to date with the pages of a reading of what has changed. Gives the Instances that they name. */
export function updateTree(tree: InstanceTree, pages: readonly TreePage[]): readonly InstanceNode[] {
  const rows = pages.flatMap((page) => {
    const list = rowsOf(page);
    for (const row of list) takeFacts(tree, row);
    takeSources(tree, page, list);
    takeReferences(tree, page, list);
    return list;
  });
  for (const row of rows) place(tree, row);
  const rootRows = rows.filter(({ parent }) => parent === 0);
  const paths = pages.flatMap(({ rootPaths }) => rootPaths);
  for (const [index, { id }] of rootRows.entries()) tree.rootPaths.set(id, paths[index] ?? "");
  for (const page of pages) for (const id of page.removed) remove(tree, id);
  // What hangs on an Instance that no row named was read while it left the tree.
  for (const { id } of rows) if (!isInTree(tree, id)) tree.byId.delete(id);
  tree.mark = pages.at(-1)?.mark;
  tree.generation = pages.at(-1)?.generation ?? tree.generation;
  return rows.flatMap(({ id }) => tree.byId.get(id) ?? []);
}

const columnOf = (text: string): readonly string[] => (text === "" ? [] : text.split(","));

function rowsOf({ ids, parents, names, classes, classNames, hashes }: TreePage): readonly Row[] {
  const columns = { parents: columnOf(parents), classes: columnOf(classes), hashes: columnOf(hashes) };
  const nameColumn = names.split("\n");
  return columnOf(ids).map((id, index) => ({
    id: Number(id),
    parent: Number(columns.parents[index]),
    name: unescaped(nameColumn[index] ?? ""),
    className: classNames[Number(columns.classes[index])] ?? "",
    hash: columns.hashes[index] ?? "",
  }));
}

function unescaped(name: string): string {
  return name.includes("\\") ? name.replace(/\\(.)/g, (_, mark) => (mark === "n" ? "\n" : mark)) : name;
}

function takeFacts({ byId }: InstanceTree, { id, name, className, hash }: Row): void {
  const known = byId.get(id);
  const facts = { name, className, hash, sourceHash: undefined, isDraft: false, references: noReferences };
  if (known === undefined) byId.set(id, { id, parent: undefined, children: [], ...facts });
  else Object.assign(known, facts);
}

function takeSources(tree: InstanceTree, { scripts, sourceHashes, drafts }: TreePage, rows: readonly Row[]) {
  const nodeAt = (row: number) => tree.byId.get(rows[row]?.id ?? 0);
  for (const [index, row] of scripts.entries()) {
    const node = nodeAt(row);
    if (node !== undefined) node.sourceHash = sourceHashes[index];
  }
  for (const row of drafts) {
    const node = nodeAt(row);
    if (node !== undefined) node.isDraft = true;
  }
}

function takeReferences(tree: InstanceTree, page: TreePage, rows: readonly Row[]): void {
  const found = new Map<number, Map<string, number>>();
  for (const [index, row] of page.referrers.entries()) {
    const of = found.get(row) ?? new Map<string, number>();
    found.set(row, of);
    of.set(page.referenceNames[index] ?? "", page.referenceTargets[index] ?? 0);
  }
  for (const [row, references] of found) {
    const node = tree.byId.get(rows[row]?.id ?? 0);
    if (node !== undefined) node.references = references;
  }
}

function place(tree: InstanceTree, { id, parent }: Row): void {
  const node = tree.byId.get(id);
  if (node === undefined) return;
  const above = tree.byId.get(parent);
  if (parent === 0) {
    if (!tree.roots.includes(node)) tree.roots.push(node);
  } else if (node.parent !== above || above === undefined) {
    detach(node);
    node.parent = above;
    above?.children.push(node);
  }
}

function detach(node: InstanceNode): void {
  const siblings = node.parent?.children;
  const index = siblings?.indexOf(node) ?? -1;
  if (index >= 0) siblings?.splice(index, 1);
  node.parent = undefined;
}

/** An Instance that left takes with it what still hangs on it. */
function remove(tree: InstanceTree, id: number): void {
  const node = tree.byId.get(id);
  if (node === undefined) return;
  detach(node);
  tree.roots = tree.roots.filter((root) => root !== node);
  for (const each of withDescendants(node)) tree.byId.delete(each.id);
}

function isInTree({ byId, roots }: InstanceTree, id: number): boolean {
  const node = byId.get(id);
  return node !== undefined && (node.parent !== undefined || roots.includes(node));
}

/** The Instance and all below it, a parent before its children. */
export function* withDescendants(node: InstanceNode): Generator<InstanceNode> {
  const waiting = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    waiting.push(...next.children.toReversed());
  }
}
