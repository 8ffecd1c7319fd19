/**
 * Reads the part of a place that a project is about, as the tree that is compared with the files. What was read once is
 * asked again only where Studio says that it has changed.
 */
import type { TreeSource } from "../../tree/read-tree.ts";
import { eachItemAsync, eachReplyAsync, readTreeAsync, refreshTreeAsync } from "../../tree/read-tree.ts";
import type { InstanceNode, InstanceTree } from "../../tree/instance-tree.ts";
import { invalidInput } from "../../protocol/messages.ts";
import type { SerializedValue } from "../../protocol/values.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { propertyOfWire } from "../../roblox/wire-values.ts";
import type { ByteString } from "../../util/bytes.ts";
import { type Content, ContentReader } from "./content-reader.ts";
import type { ExactProperties } from "./push-values.ts";
import { locateAsync, type ScopedInstance } from "./scope.ts";
import { DATA_MODEL, StudioTree } from "./studio-tree.ts";

export class StudioReader {
  readonly #source: TreeSource;
  readonly schema: FileSchema;
  #tree: InstanceTree | undefined;
  /** Of `#tree`. */
  #roots: readonly string[] = [];
  readonly #contents = new Map<number, Content>();
  readonly #contentReader: ContentReader;
  readonly #made: StudioTree;
  #foreseen: Promise<void> | undefined;
  /** What has changed and was not read yet. */
  readonly #unread = new Set<number>();
  /** Of the last tree that was given. */
  readonly #shapes = new Map<number, Shape>();
  /** Instances that may have changed since then. */
  readonly #unshaped = new Set<InstanceNode>();

  constructor(source: TreeSource, schema: FileSchema) {
    this.#source = source;
    this.schema = schema;
    this.#contentReader = new ContentReader(schema);
    this.#made = new StudioTree(schema, this.#contents);
  }

  get mark(): string | undefined {
    return this.#tree?.mark;
  }

  /** What was written is read again, also where no event tells of it. */
  doubt(studioIds: readonly number[]): void {
    for (const id of studioIds) this.#unread.add(id);
  }

  /** A property that is not what was read before has no exact value that could be expected. */
  async exactPropertiesAsync(studioIds: readonly number[]): Promise<ExactProperties> {
    const exact = new Map<number, { readonly [name: string]: SerializedValue }>();
    await eachItemAsync(this.#source, studioIds, ["properties"], ({ id, className, properties = {} }) => {
      const known = this.#contents.get(id)?.properties;
      const isKnown = ([name, wire]: [string, SerializedValue]) =>
        Bun.deepEquals(propertyOfWire(this.schema, className, name, wire), known?.get(name));
      exact.set(id, Object.fromEntries(Object.entries(properties).filter(isKnown)));
    });
    return exact;
  }

  /** Begins to read what a tree of the files is likely to be about. Only the first reading takes long. */
  foresee(likely: Promise<RojoNode | undefined>): void {
    // What goes wrong here goes wrong again when the files' tree is known, and is told then.
    if (this.#tree === undefined) this.#foreseen ??= this.#foreseeAsync(likely).catch(() => undefined);
  }

  async #foreseeAsync(likely: Promise<RojoNode | undefined>): Promise<void> {
    const files = await likely;
    if (files === undefined) return;
    await this.#readTreeAsync(wholeIn(await locateAsync(this.#source, files)));
    await this.#readContentsAsync(this.#unread);
  }

  /** Throws INVALID_INPUT for a project that is no place. */
  async readAsync(files: RojoNode): Promise<RojoNode> {
    if (files.className !== DATA_MODEL)
      throw invalidInput(
        "The project is a model, but Studio has a place open.",
        "Say which Instance it becomes: --into ReplicatedStorage.MyLibrary. Or name a place project, whose root is a DataModel.",
      );
    await this.#foreseen;
    const scope = await locateAsync(this.#source, files);
    const tree = await this.#readTreeAsync(wholeIn(scope));
    const alone = aloneIn(scope).map(({ id }) => id);
    // No event tells that the contents of a table have changed.
    for (const { id, className } of tree.byId.values())
      if (className === "LocalizationTable") this.#unread.add(id);
    for (const id of alone) this.#unread.add(id);
    await this.#readContentsAsync(this.#unread);
    for (const id of this.#contents.keys())
      if (!tree.byId.has(id) && !alone.includes(id)) this.#contents.delete(id);
    this.#keepShapes(tree);
    return this.#made.build(files.name, scope, tree);
  }

  /**
   * The scripts whose sources may have changed since the last reading, with their sources. Undefined where anything else
   * has changed; `readAsync` then gives all of it.
   */
  async changedSourcesAsync(): Promise<ReadonlyMap<number, ByteString> | undefined> {
    const tree = this.#tree;
    if (tree === undefined) return undefined;
    const changed = await this.#refreshAsync(tree);
    const isSameShape = (instance: InstanceNode) =>
      Bun.deepEquals(this.#shapes.get(instance.id), shapeOf(instance));
    if (tree.byId.size !== this.#shapes.size || !changed.every(isSameShape)) return undefined;
    const before = new Map(changed.map(({ id }) => [id, this.#contents.get(id)]));
    await this.#readContentsAsync(this.#unread);
    const sources = new Map<number, ByteString>();
    for (const [id, earlier] of before) {
      const now = this.#contents.get(id);
      if (!Bun.deepEquals(withoutSource(earlier), withoutSource(now))) return undefined;
      const source = now?.properties.get("Source")?.value;
      if (typeof source === "string") sources.set(id, source);
    }
    return sources;
  }

  /**
   * The first reading begins to watch the place, so that later ones give only what has changed since. What changes while
   * this reads is given again by the next reading.
   */
  async #readTreeAsync(whole: readonly ScopedInstance[]): Promise<InstanceTree> {
    const roots = whole.map(({ id }) => `@${id}`);
    if (this.#tree !== undefined && Bun.deepEquals(this.#roots, roots)) {
      await this.#refreshAsync(this.#tree);
      return this.#tree;
    }
    this.#roots = roots;
    this.#tree = await readTreeAsync(this.#source, this.#options);
    this.#doubtAll(this.#tree.byId.values());
    return this.#tree;
  }

  async #refreshAsync(tree: InstanceTree): Promise<readonly InstanceNode[]> {
    const changed = await refreshTreeAsync(this.#source, this.#options, tree);
    this.#doubtAll(changed);
    return changed;
  }

  #doubtAll(instances: Iterable<InstanceNode>): void {
    for (const instance of instances) {
      this.#unread.add(instance.id);
      this.#unshaped.add(instance);
    }
  }

  #keepShapes({ byId }: InstanceTree): void {
    for (const instance of this.#unshaped)
      if (byId.has(instance.id)) this.#shapes.set(instance.id, shapeOf(instance));
    this.#unshaped.clear();
    if (this.#shapes.size === byId.size) return;
    for (const id of this.#shapes.keys()) if (!byId.has(id)) this.#shapes.delete(id);
  }

  get #options() {
    return { roots: this.#roots, watch: true, hashes: false };
  }

  async #readContentsAsync(ids: ReadonlySet<number>): Promise<void> {
    const aspects = ["properties", "custom", "attributes", "tags", "source"] as const;
    await eachReplyAsync(this.#source, [...ids], aspects, (reply) => {
      for (const [id, content] of this.#contentReader.read(reply)) this.#contents.set(id, content);
    });
    this.#unread.clear();
  }
}

/** Where an Instance stands, and what it is called. */
interface Shape {
  readonly name: string;
  readonly className: string;
  readonly parent: number;
}

const shapeOf = ({ name, className, parent }: InstanceNode): Shape => ({
  name,
  className,
  parent: parent?.id ?? 0,
});

function withoutSource(content: Content | undefined): Content | undefined {
  if (content === undefined) return undefined;
  const properties = new Map(content.properties);
  properties.delete("Source");
  return { ...content, properties };
}

const wholeIn = (scope: readonly ScopedInstance[]): ScopedInstance[] =>
  scope.flatMap((each) => (each.isWhole ? [each] : wholeIn(each.children)));
const aloneIn = (scope: readonly ScopedInstance[]): ScopedInstance[] =>
  scope.flatMap((each) => (each.isWhole ? [] : [each, ...aloneIn(each.children)]));
