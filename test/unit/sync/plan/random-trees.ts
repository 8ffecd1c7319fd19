/** Random places that files and Studio have changed apart from each other since a common state. */
import type { FileValue } from "../../../../src/roblox/model.ts";
import { newNode, type RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { randomFrom } from "../../roblox/generated.ts";
import { bool, node, number, originOf, text } from "./trees.ts";

export interface Divergence {
  readonly files: RojoNode;
  readonly studio: RojoNode;
  readonly common: RojoNode;
}

/** How Studio's Instances are known again. */
export type Identity = "studioId" | "uniqueId" | "none";

const CLASSES = ["Folder", "ModuleScript", "Script", "Part", "Model", "StringValue", "ObjectValue"];
const NAMES = ["A", "B", "C", "a", "D.E", "F"];
const TAGS = ["red", "green"];

export class RandomPlace {
  readonly #random: () => number;
  #marks = 0;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  int(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  pick<Item extends object | string>(items: readonly Item[]): Item {
    const item = items[this.int(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  divergence(identity: Identity): Divergence {
    const common = this.#place();
    const files = copyOf(common);
    const studio = copyOf(common);
    describe(files);
    // The base knows Studio's Instances as they were read then.
    for (const tree of [common, studio]) identify(tree, identity);
    for (const tree of [files, studio]) {
      for (let count = this.int(6); count > 0; count--) this.#edit(tree);
      if (this.int(4) === 0) shuffle(tree, () => this.#random());
    }
    describe(files);
    return { files, studio, common };
  }

  /** Texts of which no two are equal, so that a test can follow them. */
  #mark(): string {
    return `mark-${++this.#marks}\n`;
  }

  #place(): RojoNode {
    const root = node("game", "DataModel");
    const storage = node("ReplicatedStorage", "ReplicatedStorage");
    root.children.push(storage);
    const parents = [storage];
    for (let count = 3 + this.int(14); count > 0; count--) {
      const parent = this.pick(parents);
      const made = this.#instance(storage);
      parent.children.push(made);
      parents.push(made);
    }
    return root;
  }

  #instance(storage: RojoNode): RojoNode {
    const made = newNode(this.pick(NAMES), this.pick(CLASSES));
    const { className, properties, attributes, references } = made;
    if (/Script$/.test(className)) properties.set("Source", text(this.#mark()));
    if (className === "StringValue") properties.set("Value", text(this.#mark()));
    if (className === "Part") properties.set("Transparency", this.#transparency());
    if (className === "ObjectValue" && this.int(2) === 0)
      references.set("Value", this.pick(allBelow(storage)));
    if (this.int(3) === 0) attributes.set("Speed", number(this.int(3)));
    if (this.int(3) === 0) properties.set("Tags", text(this.pick(TAGS)));
    return made;
  }

  #transparency = (): FileValue => ({ type: "Float32", value: Math.fround(this.int(4) / 10) });

  #edit(tree: RojoNode): void {
    const storage = tree.children[0];
    if (storage === undefined) return;
    const all = allBelow(storage);
    const others = all.slice(1);
    if (others.length === 0 || this.int(6) === 0) {
      this.pick(all).children.push(this.#instance(storage));
      return;
    }
    this.#change(this.pick(others), all);
  }

  #change(chosen: RojoNode, all: readonly RojoNode[]): void {
    switch (this.int(9)) {
      case 0:
        chosen.name = this.pick(NAMES);
        return;
      case 1:
        return remove(chosen, all);
      case 2:
        return this.#move(chosen, all);
      case 3:
        chosen.attributes.set(this.pick(["Speed", "On"]), this.pick([number(this.int(3)), bool(true)]));
        return;
      case 4:
        chosen.attributes.delete("Speed");
        return;
      case 5:
        chosen.properties.set("Tags", text(this.pick(["", ...TAGS, TAGS.join("\0")])));
        return;
      case 6:
        if (chosen.className === "ObjectValue") chosen.references.set("Value", this.pick(all));
        else if (chosen.className === "Folder") chosen.className = "Model";
        return;
      default:
        return this.#rewrite(chosen);
    }
  }

  #rewrite({ className, properties }: RojoNode): void {
    if (/Script$/.test(className)) properties.set("Source", text(this.#newSource(properties.get("Source"))));
    else if (className === "StringValue") properties.set("Value", text(this.#mark()));
    else if (className === "Part") properties.set("Transparency", this.#transparency());
  }

  /** A line at either end, so that some changes of both sides can be merged. */
  #newSource(old: FileValue | undefined): string {
    const before = typeof old?.value === "string" ? old.value : "";
    return (
      [this.#mark(), `${this.#mark()}same\nsame\n${before}`, `${before}same\nsame\n${this.#mark()}`][
        this.int(3)
      ] ?? ""
    );
  }

  #move(chosen: RojoNode, all: readonly RojoNode[]): void {
    const within = new Set(allBelow(chosen));
    const target = this.pick(all.filter((each) => !within.has(each)));
    const parent = all.find(({ children }) => children.includes(chosen));
    if (parent === undefined) return;
    parent.children.splice(parent.children.indexOf(chosen), 1);
    target.children.push(chosen);
  }
}

export const allBelow = (root: RojoNode): RojoNode[] => [root, ...root.children.flatMap(allBelow)];

function remove(chosen: RojoNode, all: readonly RojoNode[]): void {
  const parent = all.find(({ children }) => children.includes(chosen));
  parent?.children.splice(parent.children.indexOf(chosen), 1);
  const gone = new Set(allBelow(chosen));
  for (const { references } of all)
    for (const [name, target] of references) if (gone.has(target)) references.delete(name);
}

export function copyOf(tree: RojoNode): RojoNode {
  const copies = new Map<RojoNode, RojoNode>();
  const copy = (from: RojoNode): RojoNode => {
    const made = newNode(from.name, from.className);
    for (const [name, value] of from.properties) made.properties.set(name, value);
    for (const [name, value] of from.attributes) made.attributes.set(name, value);
    made.children.push(...from.children.map(copy));
    copies.set(from, made);
    return made;
  };
  const root = copy(tree);
  for (const [from, made] of copies)
    for (const [name, target] of from.references) {
      const twin = copies.get(target);
      if (twin !== undefined) made.references.set(name, twin);
    }
  return root;
}

function identify(tree: RojoNode, identity: Identity): void {
  for (const [index, each] of allBelow(tree).entries()) {
    if (identity === "studioId") each.studioId = index + 1;
    if (identity === "uniqueId")
      each.properties.set("UniqueId", { type: "UniqueId", value: String(index + 1).padStart(16, "0") });
  }
}

/** The project file names the place and its service; the rest has files of its own. */
function describe(tree: RojoNode): void {
  const [storage] = tree.children;
  tree.origin = originOf({ kind: "projectNode", ignoreUnknownInstances: true });
  if (storage !== undefined) storage.origin = originOf({ kind: "folder", path: "/project/src" });
}

function shuffle(tree: RojoNode, random: () => number): void {
  for (const { children } of allBelow(tree)) {
    const mixed = children
      .map((child) => ({ child, key: random() }))
      .sort((one, other) => one.key - other.key);
    children.splice(0, children.length, ...mixed.map(({ child }) => child));
  }
}

/** All that a tree holds, as one text; the order of siblings does not matter. */
export function contentOf(tree: RojoNode): string {
  const { name, className, properties, attributes, references, children } = tree;
  const values = [...properties, ...attributes]
    .filter(
      ([key, { value }]) => key !== "UniqueId" && key !== "Tags" && !(key === "Transparency" && value === 0),
    )
    .map(([key, { value }]) => `${key}=${String(value)}`);
  const tags = String(properties.get("Tags")?.value ?? "")
    .split("\0")
    .sort()
    .join();
  const targets = [...references].map(([key, target]) => `${key}->${target.className} ${target.name}`);
  return `${className} ${name} {${[...values, tags, ...targets].sort().join(";")}}[${children.map(contentOf).sort().join()}]`;
}

/** The marks in a tree. */
export function marksIn(tree: RojoNode): Set<string> {
  const texts = allBelow(tree).flatMap(({ properties }) =>
    [...properties.values()].map(({ value }) => String(value)),
  );
  return new Set(texts.join("\n").match(/mark-\d+/g) ?? []);
}
