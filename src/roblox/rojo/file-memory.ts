/**
 * What was read of model files, so that a later reading of the same project takes only those apart that have changed. Most of
 * the time of a reading goes into them. A file counts as the same if it has the same bytes, because sync trusts no times. The
 * first reading keeps nothing, because most processes read a project once, and the copies take 20 MB for 60,000 Instances.
 */
import type { FileSchema } from "../schema.ts";
import type { RojoNode } from "./node.ts";

interface Remembered {
  readonly bytes: Uint8Array;
  readonly schema: FileSchema;
  readonly root: RojoNode;
  readonly problems: readonly string[];
}

/** What a reader makes of the bytes of one file. It adds to the problems. */
type Make = (problems: string[]) => Promise<RojoNode | undefined>;

const FIRST_KEPT = 2;

export class FileMemory {
  #before = new Map<string, Remembered>();
  #now = new Map<string, Remembered>();
  #readings = 0;

  /** Whether the next reading meets the values of this one again. */
  get isKeeping(): boolean {
    return this.#readings >= FIRST_KEPT;
  }

  /** Forgets the files that the last reading has not met. */
  beginReading(): void {
    this.#readings += 1;
    this.#before = this.#now;
    this.#now = new Map();
  }

  /** The tree that the file stands for, of nodes of its own; their values are shared and stay as they are. */
  async nodeAsync(
    path: string,
    bytes: Uint8Array,
    schema: FileSchema,
    make: Make,
  ): Promise<Pick<Remembered, "problems"> & { readonly root: RojoNode | undefined }> {
    const known = this.#now.get(path) ?? this.#before.get(path);
    if (known !== undefined && known.schema === schema && Buffer.compare(known.bytes, bytes) === 0) {
      this.#now.set(path, known);
      return { root: copyOf(known.root), problems: known.problems };
    }
    const problems: string[] = [];
    const root = await make(problems);
    if (root === undefined || !this.isKeeping) return { root, problems };
    this.#now.set(path, { bytes, schema, root, problems });
    return { root: copyOf(root), problems };
  }
}

/** The reader of the project goes on with these nodes, and changes the values of the root alone. */
function copyOf(root: RojoNode): RojoNode {
  const copies = new Map<RojoNode, RojoNode>();
  const referring: RojoNode[] = [];
  const copied = (node: RojoNode): RojoNode => {
    const { name, className, properties, attributes, children } = node;
    const copy: RojoNode = {
      name,
      className,
      properties: node === root ? new Map(properties) : properties,
      attributes: node === root ? new Map(attributes) : attributes,
      references: new Map(),
      children: [],
    };
    if (node.id !== undefined) copy.id = node.id;
    copies.set(node, copy);
    if (node.references.size > 0) referring.push(node);
    for (const child of children) copy.children.push(copied(child));
    return copy;
  };
  const copy = copied(root);
  for (const node of referring)
    for (const [name, target] of node.references) {
      const twin = copies.get(target);
      if (twin !== undefined) copies.get(node)?.references.set(name, twin);
    }
  return copy;
}
