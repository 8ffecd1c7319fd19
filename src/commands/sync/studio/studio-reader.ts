/**
 * Reads the part of a place that a project is about, as the tree that is compared with the files. What was read once is
 * asked again only where Studio's hash of it has changed.
 */
import type { Item, TreeSource } from "../../../command/tree/read-tree.ts";
import { readItemsAsync, readTreeAsync, refreshTreeAsync } from "../../../command/tree/read-tree.ts";
import type { InstanceNode, InstanceTree } from "../../../command/tree/instance-tree.ts";
import { invalidInput } from "../../../protocol/messages.ts";
import type { SerializedValue } from "../../../protocol/values.ts";
import { words } from "../../../protocol/words.ts";
import type { FileValue } from "../../../roblox/model.ts";
import { newNode, type RojoNode } from "../../../roblox/rojo/node.ts";
import type { FileSchema } from "../../../roblox/schema.ts";
import { attributeOfWire, propertyOfWire } from "../../../roblox/wire-values.ts";
import { byteStringOf, utf8ByteString } from "../../../util/bytes.ts";
import type { StudioState } from "./push-operations.ts";
import { locateAsync, type ScopedInstance } from "./scope.ts";

const DATA_MODEL = "DataModel";

/** What one Instance holds, apart from its place in the tree and its references. */
interface Content {
  /** Of the state that it was read from. */
  readonly hash: string;
  readonly properties: ReadonlyMap<string, FileValue>;
  /** The same, as the plugin gave them. */
  readonly wire: { readonly [name: string]: SerializedValue };
  readonly attributes: ReadonlyMap<string, FileValue>;
}

export class StudioReader implements StudioState {
  readonly #source: TreeSource;
  readonly schema: FileSchema;
  #tree: InstanceTree | undefined;
  /** The roots of `#tree`, as one text. */
  #roots = "";
  #generation = "";
  readonly #contents = new Map<number, Content>();

  constructor(source: TreeSource, schema: FileSchema) {
    this.#source = source;
    this.schema = schema;
  }

  get mark(): string | undefined {
    return this.#tree?.mark;
  }

  propertyOf(studioId: number, name: string): SerializedValue | undefined {
    const wire = this.#contents.get(studioId)?.wire ?? {};
    return Object.hasOwn(wire, name) ? wire[name] : undefined;
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
    const alone = aloneIn(scope);
    await this.#readContentsAsync(tree, alone);
    return new TreeBuilder(this.schema, tree, this.#contents).build(files.name, scope);
  }

  /** The first reading begins to watch the place, so that later ones ask only for what has changed since. */
  async #readTreeAsync(whole: readonly ScopedInstance[]): Promise<InstanceTree> {
    const roots = whole.map(({ id }) => `@${id}`);
    const options = { roots, watch: true };
    if (this.#tree !== undefined && this.#roots === roots.join()) {
      await refreshTreeAsync(this.#source, options, this.#tree);
    } else {
      this.#tree = await readTreeAsync(this.#source, options);
      this.#roots = roots.join();
    }
    if (this.#tree.generation !== this.#generation) this.#contents.clear();
    this.#generation = this.#tree.generation;
    return this.#tree;
  }

  async #readContentsAsync(tree: InstanceTree, alone: readonly ScopedInstance[]): Promise<void> {
    const wanted = new Map<number, string>();
    for (const node of tree.byId.values()) {
      const hash = hashOf(node);
      if (hash === EMPTY_HASH) this.#contents.delete(node.id);
      else if (this.#contents.get(node.id)?.hash !== hash) wanted.set(node.id, hash);
    }
    for (const { id } of alone) wanted.set(id, "");
    const aspects = ["properties", "attributes", "tags", "source"] as const;
    const items = await readItemsAsync(this.#source, [...wanted.keys()], aspects);
    for (const [id, hash] of wanted) {
      const item = items.get(id);
      if (item !== undefined) this.#contents.set(id, this.#contentOf(item, hash));
    }
    for (const id of this.#contents.keys())
      if (!tree.byId.has(id) && !wanted.has(id)) this.#contents.delete(id);
  }

  #contentOf(
    { className, properties = {}, attributes = {}, tags = [], source, base64 }: Item,
    hash: string,
  ): Content {
    const values = new Map<string, FileValue>();
    for (const [name, wire] of Object.entries(properties)) {
      const value = propertyOfWire(this.schema, className, name, wire);
      if (value !== undefined) values.set(name, value);
    }
    const text = source === undefined ? base64Text(base64) : utf8ByteString(source);
    if (text !== undefined) values.set("Source", { type: "String", value: text });
    if (tags.length > 0)
      values.set("Tags", { type: "String", value: tags.toSorted().map(utf8ByteString).join("\0") });
    return { hash, properties: values, wire: properties, attributes: attributesOf(attributes, className) };
  }
}

const base64Text = (base64: string | undefined) =>
  base64 === undefined ? undefined : byteStringOf(Buffer.from(base64, "base64"));

/** The mark by which a sync knows a place is no part of the place. */
function attributesOf(wire: NonNullable<Item["attributes"]>, className: string): Map<string, FileValue> {
  const values = new Map<string, FileValue>();
  for (const [name, each] of Object.entries(wire)) {
    const value = attributeOfWire(each);
    const isMark = name === words.placeMark && className === "ServerStorage";
    if (value !== undefined && !isMark) values.set(utf8ByteString(name), value);
  }
  return values;
}

/** An Instance that is like a new one. */
const EMPTY_HASH = " ";
const hashOf = ({ hash, sourceHash = "" }: InstanceNode): string => `${hash} ${sourceHash}`;

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
    for (const { id, references } of this.#tree.byId.values())
      for (const [property, target] of references) this.#refer(id, property, target);
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
    if (instance.isDraft) node.isDraft = true;
    for (const child of instance.children) node.children.push(this.#whole(child));
    return node;
  }

  #node(id: number, name: string, className: string): RojoNode {
    const content = this.#contents.get(id);
    const node: RojoNode = {
      name,
      className,
      properties: new Map(content?.properties),
      attributes: new Map(content?.attributes),
      references: new Map(),
      children: [],
      studioId: id,
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
