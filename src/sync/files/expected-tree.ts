/**
 * The tree that the project must be read as after a plan's pulls: a copy of what the files say now, with the changes of the
 * items, and what has changed about each Instance.
 */
import type { FileValue } from "../../roblox/model.ts";
import { newNode, type RojoNode } from "../../roblox/rojo/node.ts";
import { utf8ByteString } from "../../util/bytes.ts";
import type { AspectChange, PlanItem } from "../types.ts";

/** What the items change about one Instance. Names are those of the node's maps. */
export interface NodeChange {
  readonly items: Set<PlanItem>;
  readonly properties: Set<string>;
  readonly attributes: Set<string>;
  readonly references: Set<string>;
  className: boolean;
  /** Whether it got an id, because another Instance refers to it. */
  id: boolean;
  /** Whether it is below another parent than before. */
  isMoved: boolean;
}

/** A change that files cannot take over. */
export interface Refusal {
  readonly item: PlanItem;
  readonly reason: string;
}

const TAGS = "Tags";
const SOURCE = "Source";

export interface ExpectedTreeInput {
  readonly files: RojoNode;
  readonly studio: RojoNode;
  /** The files' node first. */
  readonly pairs: ReadonlyMap<RojoNode, RojoNode>;
  /** Nodes of the files of which the copy is to have class and name alone. */
  readonly bare: ReadonlySet<RojoNode>;
  /** Whether two names mean one property. */
  readonly isSameProperty: (className: string, one: string, other: string) => boolean;
  /** A property as those that have replaced it; undefined for one that files still have. */
  readonly newerProperties: (
    className: string,
    name: string,
    value: FileValue,
  ) => ReadonlyMap<string, FileValue> | undefined;
}

export class ExpectedTree {
  readonly root: RojoNode;
  readonly refusals: Refusal[] = [];
  readonly #input: ExpectedTreeInput;
  /** Of each copy: the node of the files, and its parent in this tree. */
  readonly #old = new Map<RojoNode, RojoNode>();
  readonly #parents = new Map<RojoNode, RojoNode>();
  readonly #byFile = new Map<RojoNode, RojoNode>();
  readonly #byStudio = new Map<RojoNode, RojoNode>();
  readonly #studioParents = new Map<RojoNode, RojoNode>();
  readonly #changes = new Map<RojoNode, NodeChange>();
  #bySource: ReadonlyMap<string | undefined, readonly RojoNode[]> | undefined;
  /** The tops of what is removed. */
  readonly #removed = new Map<RojoNode, PlanItem>();

  constructor(input: ExpectedTreeInput) {
    this.#input = input;
    this.root = this.#copy(input.files, undefined);
    for (const [copy, old] of this.#old) copyReferences(copy, old, this.#byFile);
    for (const [file, studio] of input.pairs) {
      const copy = this.#byFile.get(file);
      if (copy !== undefined) this.#byStudio.set(studio, copy);
    }
    this.#byStudio.set(input.studio, this.root);
    this.#noteParents(input.studio);
  }

  /** Takes over the items in their order; a parent's item comes before those of its children. */
  take(items: readonly PlanItem[]): void {
    for (const item of items) if (item.change === "add") this.#try(item, () => this.#add(item));
    for (const item of items) if (item.change === "remove") this.#try(item, () => this.#remove(item));
    for (const item of items)
      if (item.change === "edit" || item.change === "move") this.#try(item, () => this.#edit(item));
    // References last, because they may lead to what was added.
    for (const item of items) this.#try(item, () => this.#refer(item));
  }

  oldOf(node: RojoNode): RojoNode | undefined {
    return this.#old.get(node);
  }

  /** The node of this tree for one of the files; undefined for one that is not looked at. */
  copyOf(old: RojoNode): RojoNode | undefined {
    return this.#byFile.get(old);
  }

  parentOf(node: RojoNode): RojoNode | undefined {
    return this.#parents.get(node);
  }

  changeOf(node: RojoNode): NodeChange | undefined {
    return this.#changes.get(node);
  }

  get changes(): ReadonlyMap<RojoNode, NodeChange> {
    return this.#changes;
  }

  get removed(): ReadonlyMap<RojoNode, PlanItem> {
    return this.#removed;
  }

  /** Notes a change that follows from those of the items. */
  touch(node: RojoNode, items: Iterable<PlanItem>): NodeChange {
    let change = this.#changes.get(node);
    if (change === undefined) {
      change = {
        items: new Set(),
        properties: new Set(),
        attributes: new Set(),
        references: new Set(),
        className: false,
        id: false,
        isMoved: false,
      };
      this.#changes.set(node, change);
    }
    for (const item of items) change.items.add(item);
    return change;
  }

  #try(item: PlanItem, act: () => string | undefined): void {
    const reason = act();
    if (reason !== undefined) this.refusals.push({ item, reason });
  }

  #copy(old: RojoNode, parent: RojoNode | undefined): RojoNode {
    const isBare = this.#input.bare.has(old);
    const copy: RojoNode = isBare
      ? newNode(old.name, old.className)
      : {
          ...old,
          properties: new Map(old.properties),
          attributes: new Map(old.attributes),
          references: new Map(),
          children: [],
        };
    this.#old.set(copy, old);
    this.#byFile.set(old, copy);
    if (parent !== undefined) this.#parents.set(copy, parent);
    for (const child of isBare ? [] : old.children) copy.children.push(this.#copy(child, copy));
    return copy;
  }

  #noteParents(studio: RojoNode): void {
    for (const child of studio.children) {
      this.#studioParents.set(child, studio);
      this.#noteParents(child);
    }
  }

  #nodeOf({ file, studio }: PlanItem): RojoNode | undefined {
    const byFile = file === undefined ? undefined : this.#byFile.get(file);
    return byFile ?? (studio === undefined ? undefined : this.#byStudio.get(studio));
  }

  #add(item: PlanItem): string | undefined {
    const { studio } = item;
    const parent = studio === undefined ? undefined : this.#studioParents.get(studio);
    const place = parent === undefined ? undefined : this.#byStudio.get(parent);
    if (studio === undefined || place === undefined)
      return "the files do not have the Instance that it belongs to";
    const node = newNode(studio.name, item.className);
    this.#byStudio.set(studio, node);
    this.#parents.set(node, place);
    place.children.push(node);
    this.touch(node, [item]);
    return this.#takeAspects(node, item);
  }

  #remove(item: PlanItem): string | undefined {
    const node = this.#nodeOf(item);
    const parent = node === undefined ? undefined : this.#parents.get(node);
    if (node === undefined || parent === undefined) return "it is not in the files";
    parent.children.splice(parent.children.indexOf(node), 1);
    this.#removed.set(node, item);
    return undefined;
  }

  #edit(item: PlanItem): string | undefined {
    const node = this.#nodeOf(item);
    if (node === undefined) return "it is not in the files";
    this.touch(node, [item]);
    return this.#takeAspects(node, item);
  }

  #takeAspects(node: RojoNode, item: PlanItem): string | undefined {
    const change = this.touch(node, [item]);
    for (const aspect of item.aspects) {
      const reason = this.#takeAspect(node, change, aspect, item);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  #takeAspect(node: RojoNode, change: NodeChange, aspect: AspectChange, item: PlanItem): string | undefined {
    const { name = "", studio } = aspect;
    switch (aspect.aspect) {
      case "name":
        if (studio?.type === "text") node.name = studio.value;
        return undefined;
      case "className":
        if (studio?.type !== "text") return undefined;
        change.className = change.className || node.className !== studio.value;
        node.className = studio.value;
        return undefined;
      case "source": {
        const text =
          item.verdict === "merge" ? item.merged : studio?.type === "text" ? studio.value : undefined;
        const source: FileValue | undefined =
          text === undefined ? undefined : { type: "String", value: utf8ByteString(text) };
        if (source !== undefined) this.#mirror(node, source);
        return this.#setProperty(node, change, SOURCE, source);
      }
      case "property":
        return this.#setProperty(node, change, name, studio?.type === "value" ? studio.value : undefined);
      case "tag":
        return this.#setTag(node, change, name, studio?.type === "flag" && studio.value);
      case "attribute":
        change.attributes.add(name);
        if (studio?.type === "value") node.attributes.set(name, studio.value);
        else node.attributes.delete(name);
        return undefined;
      case "parent":
        return this.#move(node, change, studio?.type === "instance" ? studio.value : null);
      case "reference":
        return undefined;
    }
  }

  /** Other nodes that the same file makes are read with the new source, too. */
  #mirror({ file }: RojoNode, source: FileValue): void {
    if (file === undefined) return;
    this.#bySource ??= Map.groupBy(this.#old.keys(), (node) => node.file);
    for (const twin of this.#bySource.get(file) ?? []) twin.properties.set(SOURCE, source);
  }

  #setProperty(node: RojoNode, change: NodeChange, name: string, value: FileValue | undefined): undefined {
    const { isSameProperty } = this.#input;
    this.#renew(node, change, name);
    const present = [...node.properties.keys()].filter((key) => isSameProperty(node.className, key, name));
    const [key = name, ...doubles] = present;
    for (const double of doubles) {
      node.properties.delete(double);
      change.properties.add(double);
    }
    change.properties.add(key);
    if (value === undefined) node.properties.delete(key);
    else node.properties.set(key, value);
    return undefined;
  }

  /** Before a property changes, an old one that also says its value becomes those that have replaced it. */
  #renew({ className, properties }: RojoNode, change: NodeChange, name: string): void {
    for (const [old, value] of properties) {
      const newer = this.#input.newerProperties(className, old, value);
      if (newer?.has(name) !== true) continue;
      properties.delete(old);
      change.properties.add(old);
      for (const [other, moved] of newer) {
        if (!properties.has(other)) properties.set(other, moved);
        change.properties.add(other);
      }
    }
  }

  #setTag(node: RojoNode, change: NodeChange, tag: string, isSet: boolean): undefined {
    const present = node.properties.get(TAGS);
    const tags = new Set(tagsIn(present));
    if (isSet) tags.add(tag);
    else tags.delete(tag);
    const value: FileValue = { type: "String", value: [...tags].join("\0") };
    return this.#setProperty(node, change, TAGS, tags.size === 0 ? undefined : value);
  }

  #move(node: RojoNode, change: NodeChange, studioParent: RojoNode | null): string | undefined {
    const [from, to] = [
      this.#parents.get(node),
      studioParent === null ? undefined : this.#byStudio.get(studioParent),
    ];
    if (from === undefined || to === undefined)
      return "the files do not have the Instance that it belongs to";
    if (this.#isWithin(node, to)) return "it would be moved into itself";
    from.children.splice(from.children.indexOf(node), 1);
    to.children.push(node);
    this.#parents.set(node, to);
    change.isMoved = true;
    return undefined;
  }

  #isWithin(node: RojoNode, below: RojoNode): boolean {
    for (let at: RojoNode | undefined = below; at !== undefined; at = this.#parents.get(at))
      if (at === node) return true;
    return false;
  }

  #refer(item: PlanItem): string | undefined {
    const node = this.#nodeOf(item);
    for (const { aspect, name, studio } of item.aspects) {
      if (aspect !== "reference" || name === undefined || node === undefined) continue;
      const target = studio?.type === "instance" && studio.value !== null ? studio.value : undefined;
      const to = target === undefined ? undefined : this.#byStudio.get(target);
      if (target !== undefined && (to === undefined || !this.#isIn(to)))
        return `${name} refers to an Instance that the files do not have`;
      this.touch(node, [item]).references.add(name);
      if (to === undefined) node.references.delete(name);
      else node.references.set(name, to);
    }
    return undefined;
  }

  /** Whether it is still below the root. */
  #isIn(node: RojoNode): boolean {
    let at = node;
    for (let above = this.#parents.get(at); above !== undefined; above = this.#parents.get(at)) {
      if (this.#removed.has(at)) return false;
      at = above;
    }
    return at === this.root;
  }
}

function copyReferences(copy: RojoNode, old: RojoNode, copies: ReadonlyMap<RojoNode, RojoNode>): void {
  for (const [name, target] of old.references) {
    const to = copies.get(target);
    if (to !== undefined) copy.references.set(name, to);
  }
}

/** A list, or one text with zero bytes in between. */
function tagsIn(value: FileValue | undefined): readonly string[] {
  if (value?.type === "Tags") return value.value;
  return typeof value?.value === "string" ? value.value.split("\0").filter((tag) => tag !== "") : [];
}
