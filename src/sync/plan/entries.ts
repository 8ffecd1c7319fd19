/** The three trees as one list: each entry is one Instance with what the files, Studio and the base hold of it. */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { eachNode } from "./content.ts";
import { matchTrees } from "./match.ts";
import type { Normalizer } from "./normalize.ts";

export interface Entry {
  readonly file?: RojoNode;
  readonly studio?: RojoNode;
  readonly base?: RojoNode;
  /** Where the Instance is on each side. Undefined for the root, and where the side does not have it. */
  fileParent?: Entry;
  studioParent?: Entry;
  baseParent?: Entry;
}

export interface Entries {
  readonly root: Entry;
  /** Parents before their children. */
  readonly all: readonly Entry[];
  /** Undefined for a node that is in none of the trees. */
  readonly of: (node: RojoNode) => Entry | undefined;
  /** The files' node and Studio's. */
  readonly pairs: ReadonlyMap<RojoNode, RojoNode>;
  /** Nodes that could belong together in more than one way. */
  readonly ambiguous: ReadonlySet<RojoNode>;
}

export interface Trees {
  readonly files: RojoNode;
  readonly studio: RojoNode;
  readonly base?: RojoNode;
}

export function entriesOf({ files, studio, base }: Trees, normalizer: Normalizer): Entries {
  if (base === undefined) {
    const known = identityPairs(files, studio);
    const { pairs, ambiguous } = matchTrees(files, studio, normalizer, { known });
    return collectEntries({ files, studio }, new Map(), new Map(), pairs, ambiguous);
  }
  const inFiles = matchTrees(base, files, normalizer, {
    known: identityPairs(base, files),
    findsMoves: true,
  });
  const inStudio = matchTrees(base, studio, normalizer, {
    known: identityPairs(base, studio),
    findsMoves: true,
  });
  const known: [RojoNode, RojoNode][] = [];
  const taken = new Set<RojoNode>();
  for (const file of inFiles.pairs.values()) taken.add(file);
  for (const node of inStudio.pairs.values()) taken.add(node);
  for (const [node, file] of inFiles.pairs) {
    const twin = inStudio.pairs.get(node);
    if (twin !== undefined) known.push([file, twin]);
  }
  const both = matchTrees(files, studio, normalizer, { known, taken });
  const ambiguous = new Set([...inFiles.ambiguous, ...inStudio.ambiguous, ...both.ambiguous]);
  return collectEntries({ files, studio, base }, inFiles.pairs, inStudio.pairs, both.pairs, ambiguous);
}

/** What proves that two nodes are one Instance: Studio's number in this session, a place's UniqueId, an id in files. */
const IDENTITIES: readonly ((node: RojoNode) => string | undefined)[] = [
  ({ studioId }) => (studioId === undefined ? undefined : `@${studioId}`),
  ({ properties }) => uniqueIdIn(properties.get("UniqueId")?.value),
  ({ id }) => id,
];

/** An Instance without a UniqueId has one of zeros. */
const uniqueIdIn = (value: unknown): string | undefined =>
  typeof value === "string" && /[^\0]/.test(value) ? value : undefined;

function identityPairs(left: RojoNode, right: RojoNode): [RojoNode, RojoNode][] {
  return IDENTITIES.flatMap((identity) => {
    const lefts = byIdentity(left, identity);
    const rights = lefts.size === 0 ? lefts : byIdentity(right, identity);
    return [...lefts].flatMap(([id, one]): [RojoNode, RojoNode][] => {
      const other = rights.get(id);
      return one === undefined || other === undefined ? [] : [[one, other]];
    });
  });
}

/** Undefined for an identity that a copy shares, which therefore proves nothing. */
function byIdentity(
  root: RojoNode,
  identity: (node: RojoNode) => string | undefined,
): Map<string, RojoNode | undefined> {
  const found = new Map<string, RojoNode | undefined>();
  eachNode(root, (node) => {
    const id = identity(node);
    if (id !== undefined) found.set(id, found.has(id) ? undefined : node);
  });
  return found;
}

type Pairs = ReadonlyMap<RojoNode, RojoNode>;

function collectEntries(
  { files, studio, base }: Trees,
  inFiles: Pairs,
  inStudio: Pairs,
  pairs: Pairs,
  ambiguous: ReadonlySet<RojoNode>,
): Entries {
  const entries = new Map<RojoNode, Entry>();
  const all: Entry[] = [];
  const add = (parts: {
    file?: RojoNode | undefined;
    studio?: RojoNode | undefined;
    base?: RojoNode;
  }): Entry => {
    const entry: Entry = {
      ...(parts.file === undefined ? {} : { file: parts.file }),
      ...(parts.studio === undefined ? {} : { studio: parts.studio }),
      ...(parts.base === undefined ? {} : { base: parts.base }),
    };
    for (const node of [entry.file, entry.studio, entry.base])
      if (node !== undefined) entries.set(node, entry);
    all.push(entry);
    return entry;
  };
  const root = add({ file: files, studio, ...(base === undefined ? {} : { base }) });
  if (base !== undefined)
    eachNode(base, (node) => {
      if (!entries.has(node)) add({ file: inFiles.get(node), studio: inStudio.get(node), base: node });
    });
  eachNode(files, (file) => {
    if (!entries.has(file)) add({ file, studio: pairs.get(file) });
  });
  eachNode(studio, (node) => {
    if (!entries.has(node)) add({ studio: node });
  });
  const of = (node: RojoNode) => entries.get(node);
  linkParents(files, of, (entry, parent) => (entry.fileParent = parent));
  linkParents(studio, of, (entry, parent) => (entry.studioParent = parent));
  if (base !== undefined) linkParents(base, of, (entry, parent) => (entry.baseParent = parent));
  return { root, all, of, pairs, ambiguous };
}

function linkParents(
  node: RojoNode,
  of: (node: RojoNode) => Entry | undefined,
  link: (entry: Entry, parent: Entry) => void,
): void {
  const parent = of(node);
  for (const child of node.children) {
    const entry = of(child);
    if (entry !== undefined && parent !== undefined) link(entry, parent);
    linkParents(child, of, link);
  }
}
