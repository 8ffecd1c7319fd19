/** Numbers for the content of subtrees: two subtrees have the same number exactly if they state the same. */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { FlatTree } from "../../tree/match/flat-tree.ts";
import { attributeText, type Normalizer } from "./normalize.ts";

/** Which properties count, by class. Studio holds many that no file states. */
type CountedProperties = ReadonlyMap<string, ReadonlySet<string>>;

export class ContentNumbers {
  readonly #normalizer: Normalizer;
  readonly #counted: CountedProperties;
  readonly #incoming: ReadonlyMap<RojoNode, readonly string[]>;
  readonly #numbers = new Map<string, number>();
  readonly #bodies = new Map<RojoNode, number>();

  /**
   * Only properties that `left` states count. `withReferrers`: who refers to a node counts too, which tells it from siblings
   * that are otherwise alike.
   */
  constructor(
    normalizer: Normalizer,
    left: FlatTree<RojoNode>,
    right: FlatTree<RojoNode>,
    withReferrers: boolean,
  ) {
    this.#normalizer = normalizer;
    this.#counted = propertiesIn(left, normalizer);
    this.#incoming = incomingReferences(withReferrers ? [left, right] : []);
  }

  /** Of all that a node and those below it state, except its own name. */
  body(node: RojoNode): number {
    const known = this.#bodies.get(node);
    if (known !== undefined) return known;
    const children = node.children.map((child) => this.whole(child)).sort((a, b) => a - b);
    const number = this.#numberOf(`${this.own(node)}\u0001${children.join()}`);
    this.#bodies.set(node, number);
    return number;
  }

  /** With its name. */
  whole(node: RojoNode): number {
    return this.#numberOf(`${node.name}\u0000${this.body(node)}`);
  }

  /** What the node states itself. */
  own(node: RojoNode): number {
    return this.#numberOf(`own ${this.#ownTexts(node).sort().join("\u0001")}`);
  }

  #ownTexts(node: RojoNode): string[] {
    const { className } = node;
    const { source, properties, attributes, tags, references } = this.#normalizer.view(node);
    const counted = this.#counted.get(className);
    const texts = [`class ${className}`, `source ${source ?? ""}`];
    for (const [key, { name, value }] of properties)
      if (counted?.has(key) === true && !this.#normalizer.isDefault(className, name, value))
        texts.push(`property ${key} ${this.#normalizer.textOf(className, name, value)}`);
    for (const [name, value] of attributes) texts.push(`attribute ${name} ${attributeText(value)}`);
    for (const tag of tags ?? []) texts.push(`tag ${tag}`);
    for (const [name, target] of references)
      texts.push(`reference ${name} ${target.className} ${target.name}`);
    // The base remembers in its own way what Studio alone held, and what the sides do not agree on.
    for (const [key, value] of node.studioOnly ?? [])
      if (key.startsWith("attribute ")) texts.push(`${key} ${attributeText(value)}`);
      else if (key.startsWith("tag ")) texts.push(key);
    for (const key of node.unsettled ?? []) texts.push(`unsettled ${key}`);
    for (const text of this.#incoming.get(node) ?? []) texts.push(`referred to ${text}`);
    return texts;
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

/** The properties that a tree states, by class. */
function propertiesIn({ nodes }: FlatTree<RojoNode>, normalizer: Normalizer): CountedProperties {
  const raw = new Map<string, Set<string>>();
  for (const { className, properties } of nodes) {
    let names = raw.get(className);
    if (names === undefined) raw.set(className, (names = new Set()));
    for (const name of properties.keys()) names.add(name);
  }
  return new Map(
    [...raw].map(([className, names]) => [
      className,
      new Set(
        [...names].flatMap((name) => {
          const property = normalizer.property(className, name);
          return property === undefined ? [] : [property.key, ...property.newerNames];
        }),
      ),
    ]),
  );
}

function incomingReferences(trees: readonly FlatTree<RojoNode>[]): ReadonlyMap<RojoNode, readonly string[]> {
  const incoming = new Map<RojoNode, string[]>();
  for (const { nodes } of trees)
    for (const { name, references } of nodes) {
      if (references.size === 0) continue;
      for (const [property, target] of references) {
        const texts = incoming.get(target);
        const text = `${name}.${property}`;
        if (texts === undefined) incoming.set(target, [text]);
        else texts.push(text);
      }
    }
  return incoming;
}
