/**
 * Reads the part of a place that a project is about, as the tree that is compared with the files. What was read once is
 * asked again only where Studio says that it has changed.
 */
import type { TreeSource } from "../../tree/read-tree.ts";
import { eachItemAsync, eachReplyAsync, readTreeAsync, refreshTreeAsync } from "../../tree/read-tree.ts";
import type { InstanceNode, InstanceTree } from "../../tree/instance-tree.ts";
import { invalidInput } from "../../protocol/messages.ts";
import type { SerializedValue } from "../../protocol/values.ts";
import { newNode, type RojoNode } from "../../roblox/rojo/node.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { propertyOfWire } from "../../roblox/wire-values.ts";
import type { ByteString } from "../../util/bytes.ts";
import { type Content, ContentReader, NO_VALUES } from "./content-reader.ts";
import type { ExactProperties } from "./push-values.ts";
import { locateAsync, type ScopedInstance } from "./scope.ts";

const DATA_MODEL = "DataModel";
const NO_TARGETS: Map<string, RojoNode> = new Map();

export class StudioReader {
  readonly #source: TreeSource;
  readonly schema: FileSchema;
  #tree: InstanceTree | undefined;
  /** Of `#tree`. */
  #roots: readonly string[] = [];
  readonly #contents = new Map<number, Content>();
  readonly #contentReader: ContentReader;
  /** What has changed and was not read yet. */
  readonly #unread = new Set<number>();
  /** Of the last tree that was given. */
  #shapes: ReadonlyMap<number, Shape> = new Map();

  constructor(source: TreeSource, schema: FileSchema) {
    this.#source = source;
    this.schema = schema;
    this.#contentReader = new ContentReader(schema);
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

  /** Throws INVALID_INPUT for a project that is no place. */
  async readAsync(files: RojoNode): Promise<RojoNode> {
    if (files.className !== DATA_MODEL)
      throw invalidInput(
        "The project is a model, but Studio has a place open.",
        "Name a place project, whose root is a DataModel, or a model file with --from.",
      );
    const scope = await locateAsync(this.#source, files);
    const tree = await this.#readTreeAsync(wholeIn(scope));
    const alone = aloneIn(scope).map(({ id }) => id);
    const silent = [...tree.byId.values()].filter(({ className }) => className === "LocalizationTable");
    // No event tells that the contents of a table have changed.
    await this.#readContentsAsync(new Set([...this.#unread, ...alone, ...silent.map(({ id }) => id)]));
    for (const id of this.#contents.keys())
      if (!tree.byId.has(id) && !alone.includes(id)) this.#contents.delete(id);
    this.#shapes = new Map([...tree.byId.values()].map((instance) => [instance.id, shapeOf(instance)]));
    return new TreeBuilder(this.schema, tree, this.#contents).build(files.name, scope);
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
    for (const id of this.#tree.byId.keys()) this.#unread.add(id);
    return this.#tree;
  }

  async #refreshAsync(tree: InstanceTree): Promise<readonly InstanceNode[]> {
    const changed = await refreshTreeAsync(this.#source, this.#options, tree);
    for (const { id } of changed) this.#unread.add(id);
    return changed;
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

/** Makes nodes of what was read. */
class TreeBuilder {
  readonly #schema: FileSchema;
  readonly #tree: InstanceTree;
  readonly #contents: ReadonlyMap<number, Content>;
  readonly #nodes = new Map<number, RojoNode>();

  constructor(schema: FileSchema, tree: InstanceTree, contents: ReadonlyMap<number, Content>) {
    this.#schema = schema;
    this.#tree = tree;
    this.#contents = contents;
  }

  build(name: string, scope: readonly ScopedInstance[]): RojoNode {
    const root = newNode(name, DATA_MODEL);
    root.children.push(...scope.flatMap((each) => this.#scoped(each)));
    for (const id of this.#nodes.keys())
      for (const [property, target] of this.#contents.get(id)?.references ?? [])
        this.#refer(id, property, target);
    return root;
  }

  #scoped(scoped: ScopedInstance): RojoNode[] {
    const { id, name, className, isWhole, children } = scoped;
    const instance = this.#tree.byId.get(id);
    if (isWhole) return instance === undefined ? [] : [this.#whole(instance)];
    const node = this.#node(id, name, className);
    node.children.push(...children.flatMap((child) => this.#scoped(child)));
    return [node];
  }

  #whole(instance: InstanceNode): RojoNode {
    const node = this.#node(instance.id, instance.name, instance.className);
    for (const child of instance.children) node.children.push(this.#whole(child));
    return node;
  }

  #node(id: number, name: string, className: string): RojoNode {
    const content = this.#contents.get(id);
    const node: RojoNode = {
      name,
      className,
      // Plans only read them, so they need not be copied for each reading, and what is empty is shared.
      properties: content?.properties ?? NO_VALUES,
      attributes: content?.attributes ?? NO_VALUES,
      references: content === undefined || content.references.size === 0 ? NO_TARGETS : new Map(),
      children: [],
      studioId: id,
      ...(content?.isDraft === true ? { isDraft: true } : {}),
    };
    this.#nodes.set(id, node);
    return node;
  }

  /** A reference that leads out of the project's part of the place is none that files could state. */
  #refer(id: number, property: string, target: number): void {
    const [from, to] = [this.#nodes.get(id), this.#nodes.get(target)];
    if (from === undefined || to === undefined) return;
    if (this.#schema.property(from.className, property) !== undefined) from.references.set(property, to);
  }
}
