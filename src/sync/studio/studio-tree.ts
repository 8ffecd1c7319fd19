/** Makes the nodes of what was read of Studio. */
import { newNode, type RojoNode } from "../../roblox/rojo/node.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import type { InstanceNode, InstanceTree } from "../../tree/instance-tree.ts";
import { type Content, NO_VALUES } from "./content-reader.ts";
import type { ScopedInstance } from "./scope.ts";

export const DATA_MODEL = "DataModel";
const NO_TARGETS: Map<string, RojoNode> = new Map();

/**
 * Makes the tree of each reading. Plans only read it, so a subtree in which nothing has changed is made of the same nodes
 * again: all of 60,000 Instances in a tenth of the time.
 */
export class StudioTree {
  readonly #schema: FileSchema;
  readonly #contents: ReadonlyMap<number, Content>;
  #before: ReadonlyMap<number, RojoNode> = new Map();
  #nodes = new Map<number, RojoNode>();
  /** Nodes that refer to others are made anew each time, with all above them. */
  #referring: number[] = [];

  /** `contents` may change from one tree to the next. */
  constructor(schema: FileSchema, contents: ReadonlyMap<number, Content>) {
    this.#schema = schema;
    this.#contents = contents;
  }

  build(name: string, scope: readonly ScopedInstance[], { byId }: InstanceTree): RojoNode {
    this.#before = this.#nodes;
    this.#nodes = new Map();
    this.#referring = [];
    const root = newNode(name, DATA_MODEL);
    root.children.push(...scope.flatMap((each) => this.#scoped(each, byId)));
    for (const id of this.#referring)
      for (const [property, target] of this.#contents.get(id)?.references ?? [])
        this.#refer(id, property, target);
    return root;
  }

  #scoped(scoped: ScopedInstance, byId: InstanceTree["byId"]): RojoNode[] {
    const { id, name, className, isWhole, children } = scoped;
    const instance = byId.get(id);
    if (isWhole) return instance === undefined ? [] : [this.#whole(instance)];
    const node = this.#node(id, name, className);
    node.children.push(...children.flatMap((child) => this.#scoped(child, byId)));
    return [node];
  }

  #whole(instance: InstanceNode): RojoNode {
    const before = this.#before.get(instance.id);
    const children = instance.children.map((child) => this.#whole(child));
    if (before !== undefined && this.#isAsBefore(before, instance, children)) {
      this.#nodes.set(instance.id, before);
      return before;
    }
    const node = this.#node(instance.id, instance.name, instance.className);
    for (const child of children) node.children.push(child);
    return node;
  }

  #isAsBefore(
    before: RojoNode,
    { id, name, className }: InstanceNode,
    children: readonly RojoNode[],
  ): boolean {
    const content = this.#contents.get(id);
    return (
      before.name === name &&
      before.className === className &&
      before.properties === (content?.properties ?? NO_VALUES) &&
      before.attributes === (content?.attributes ?? NO_VALUES) &&
      before.references === NO_TARGETS &&
      (content === undefined || content.references.size === 0) &&
      (before.isDraft === true) === (content?.isDraft === true) &&
      before.children.length === children.length &&
      children.every((child, at) => child === before.children[at])
    );
  }

  #node(id: number, name: string, className: string): RojoNode {
    const content = this.#contents.get(id);
    const isReferring = content !== undefined && content.references.size > 0;
    if (isReferring) this.#referring.push(id);
    const node: RojoNode = {
      name,
      className,
      // They need not be copied for each reading, and what is empty is shared.
      properties: content?.properties ?? NO_VALUES,
      attributes: content?.attributes ?? NO_VALUES,
      references: isReferring ? new Map() : NO_TARGETS,
      children: [],
      studioId: id,
    };
    if (content?.isDraft === true) node.isDraft = true;
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
