/** The three trees as one list: each entry is one Instance with what the files, Studio and the base hold of it. */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { NO_NODE } from "../../tree/match/flat-tree.ts";
import { matchNodes, type NodeMatching, nodeTree, type NodeTree } from "./match.ts";
import type { Normalizer } from "./normalize.ts";

export interface Entry {
  readonly file: RojoNode | undefined;
  readonly studio: RojoNode | undefined;
  readonly base: RojoNode | undefined;
  /** Where the Instance is on each side. Undefined for the root, and where the side does not have it. */
  readonly fileParent: Entry | undefined;
  readonly studioParent: Entry | undefined;
  readonly baseParent: Entry | undefined;
}

export interface Trees {
  readonly files: RojoNode;
  readonly studio: RojoNode;
  readonly base?: RojoNode;
}

/** Entries of the nodes of each tree, in its order. */
type EntryLists = Readonly<Record<"file" | "studio" | "base", Draft[]>>;
type Draft = { -readonly [Key in keyof Entry]: Entry[Key] };

export class Entries {
  readonly root: Entry;
  /** Parents before their children in each tree. */
  readonly all: readonly Entry[];
  /** Nodes that could belong together in more than one way. */
  readonly ambiguous: ReadonlySet<RojoNode>;
  readonly #targets = new Map<RojoNode, Entry>();
  #byNode: Map<RojoNode, Entry> | undefined;
  #pairs: Map<RojoNode, RojoNode> | undefined;

  constructor(
    root: Entry,
    all: readonly Entry[],
    ambiguous: ReadonlySet<RojoNode>,
    targets: ReadonlySet<RojoNode>,
  ) {
    this.root = root;
    this.all = all;
    this.ambiguous = ambiguous;
    if (targets.size === 0) return;
    for (const entry of all)
      for (const node of [entry.file, entry.studio, entry.base])
        if (node !== undefined && targets.has(node)) this.#targets.set(node, entry);
  }

  /** Undefined for a node that is in none of the trees. */
  readonly of = (node: RojoNode): Entry | undefined => this.#targets.get(node) ?? this.#allByNode().get(node);

  /** The files' node and Studio's. */
  get pairs(): ReadonlyMap<RojoNode, RojoNode> {
    if (this.#pairs === undefined) {
      this.#pairs = new Map();
      for (const { file, studio } of this.all)
        if (file !== undefined && studio !== undefined) this.#pairs.set(file, studio);
    }
    return this.#pairs;
  }

  /** Most plans ask for few nodes that nothing refers to, or for none. */
  #allByNode(): ReadonlyMap<RojoNode, Entry> {
    if (this.#byNode === undefined) {
      this.#byNode = new Map();
      for (const entry of this.all)
        for (const node of [entry.file, entry.studio, entry.base])
          if (node !== undefined) this.#byNode.set(node, entry);
    }
    return this.#byNode;
  }
}

export function entriesOf(trees: Trees, normalizer: Normalizer): Entries {
  const [files, studio] = [nodeTree(trees.files), nodeTree(trees.studio)];
  const base = trees.base === undefined ? undefined : nodeTree(trees.base);
  const inFiles = base && matchNodes(base, files, normalizer, { findsMoves: true });
  const inStudio = base && matchNodes(base, studio, normalizer, { findsMoves: true });
  const both = matchSides(files, studio, normalizer, inFiles, inStudio);
  const lists: EntryLists = { file: [], studio: [], base: [] };
  const all: Draft[] = [];
  const add = (file: number, twin: number, before: number): void => {
    const entry: Draft = {
      file: files.nodes[file],
      studio: studio.nodes[twin],
      base: base?.nodes[before],
      fileParent: undefined,
      studioParent: undefined,
      baseParent: undefined,
    };
    if (file !== NO_NODE) lists.file[file] = entry;
    if (twin !== NO_NODE) lists.studio[twin] = entry;
    if (before !== NO_NODE) lists.base[before] = entry;
    all.push(entry);
  };
  for (let index = 0; index < (base?.size ?? 0); index++)
    add(inFiles?.rights[index] ?? NO_NODE, inStudio?.rights[index] ?? NO_NODE, index);
  for (let index = 0; index < files.size; index++)
    if (lists.file[index] === undefined) add(index, both.rights[index] ?? NO_NODE, NO_NODE);
  for (let index = 0; index < studio.size; index++)
    if (lists.studio[index] === undefined) add(NO_NODE, index, NO_NODE);
  linkParents(files, lists.file, "fileParent");
  linkParents(studio, lists.studio, "studioParent");
  if (base !== undefined) linkParents(base, lists.base, "baseParent");
  const ambiguous = new Set(
    [both, inFiles, inStudio].flatMap((matching) => [...(matching?.ambiguous ?? [])]),
  );
  const targets = new Set([files, studio, base].flatMap((tree) => [...(tree?.targets ?? [])]));
  const [root] = all;
  if (root === undefined) throw new Error("each tree has a root");
  return new Entries(root, all, ambiguous, targets);
}

/** What the base knows on both sides is known here; what it knows on one side only has no partner on the other. */
function matchSides(
  files: NodeTree,
  studio: NodeTree,
  normalizer: Normalizer,
  inFiles: NodeMatching | undefined,
  inStudio: NodeMatching | undefined,
): NodeMatching {
  if (inFiles === undefined || inStudio === undefined) return matchNodes(files, studio, normalizer);
  const known = inFiles.lefts.map((before) =>
    before === NO_NODE ? NO_NODE : (inStudio.rights[before] ?? NO_NODE),
  );
  if (!inFiles.lefts.includes(NO_NODE) || !inStudio.lefts.includes(NO_NODE))
    return { rights: known, lefts: new Int32Array(), ambiguous: new Set() };
  return matchNodes(files, studio, normalizer, {
    known,
    takenLefts: inFiles.lefts,
    takenRights: inStudio.lefts,
  });
}

function linkParents(
  { parents }: NodeTree,
  list: readonly Draft[],
  key: "fileParent" | "studioParent" | "baseParent",
): void {
  for (let index = 1; index < list.length; index++) {
    const entry = list[index];
    if (entry !== undefined) entry[key] = list[parents[index] ?? NO_NODE];
  }
}
