/** Compares the tree that a plan promises with the one that is read from its files. */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { isSameAtOnce } from "../plan/at-once.ts";
import { isSameAttribute, type Normalizer } from "../plan/normalize.ts";

/** A difference. `expected` is the Instance that differs, or the parent of one that is there and should not be. */
export interface TreeDifference {
  readonly expected: RojoNode;
  /** The Instance that should not be there. */
  readonly extra?: RojoNode;
  readonly reason: string;
}

export function differencesBetween(
  expected: RojoNode,
  actual: RojoNode,
  normalizer: Normalizer,
): readonly TreeDifference[] {
  const comparison = new TreeComparison(normalizer);
  comparison.compare(expected, actual);
  comparison.compareReferences();
  return comparison.found;
}

class TreeComparison {
  readonly found: TreeDifference[] = [];
  readonly #normalizer: Normalizer;
  readonly #pairs = new Map<RojoNode, RojoNode>();

  constructor(normalizer: Normalizer) {
    this.#normalizer = normalizer;
  }

  compare(expected: RojoNode, actual: RojoNode): void {
    this.#pairs.set(expected, actual);
    if (!isSameAtOnce(expected, actual, true)) {
      const difference = this.#ownDifference(expected, actual);
      if (difference !== undefined) this.found.push({ expected, reason: difference });
    }
    this.#compareChildren(expected, actual);
  }

  compareReferences(): void {
    for (const [expected, actual] of this.#pairs) {
      const [wanted, found] = [this.#references(expected), this.#references(actual)];
      for (const name of new Set([...wanted.keys(), ...found.keys()])) {
        const target = wanted.get(name);
        const isSame = target === undefined ? !found.has(name) : this.#pairs.get(target) === found.get(name);
        if (!isSame) this.found.push({ expected, reason: `${name} would refer to another Instance` });
      }
    }
  }

  #references(node: RojoNode): ReadonlyMap<string, RojoNode> {
    return node.references.size === 0 ? node.references : this.#normalizer.view(node).references;
  }

  /** Siblings of one name and class are paired in their order, which files keep. */
  #compareChildren(expected: RojoNode, actual: RojoNode): void {
    const left = Map.groupBy(expected.children, keyOf);
    const right = Map.groupBy(actual.children, keyOf);
    for (const [key, children] of left) {
      const found = right.get(key) ?? [];
      for (const [index, child] of children.entries()) {
        const twin = found[index];
        if (twin !== undefined) this.compare(child, twin);
        else this.found.push({ expected: child, reason: "it would not be read from its file" });
      }
    }
    for (const [key, found] of right)
      for (const extra of found.slice(left.get(key)?.length ?? 0))
        this.found.push({
          expected,
          extra,
          reason: `${extra.name} (${extra.className}) would be read from the files as well`,
        });
  }

  #ownDifference(expected: RojoNode, actual: RojoNode): string | undefined {
    const [wanted, found] = [this.#normalizer.view(expected), this.#normalizer.view(actual)];
    const { className } = expected;
    if (wanted.sourceBytes !== found.sourceBytes && wanted.source !== found.source)
      return "its source would be read differently";
    for (const key of new Set([...wanted.properties.keys(), ...found.properties.keys()])) {
      const name = (wanted.properties.get(key) ?? found.properties.get(key))?.name ?? key;
      // What only files know, and a model states about all of its Instances, is no difference from Studio.
      const isUnasked =
        !wanted.properties.has(key) && this.#normalizer.property(className, name)?.isPartlyKnown;
      if (isUnasked === true) continue;
      const usual = this.#normalizer.default(className, name);
      const one = wanted.properties.get(key)?.value ?? usual;
      const other = found.properties.get(key)?.value ?? usual;
      const isSame =
        one === undefined || other === undefined
          ? one === other
          : this.#normalizer.isSame(className, name, one, other);
      if (!isSame) return `${name} would be read as another value`;
    }
    for (const name of new Set([...wanted.attributes.keys(), ...found.attributes.keys()]))
      if (!isSameAttribute(wanted.attributes.get(name), found.attributes.get(name)))
        return `the attribute ${name} would be read as another value`;
    const tags = [wanted.tags ?? NO_TAGS, found.tags ?? NO_TAGS] as const;
    return tags[0].symmetricDifference(tags[1]).size === 0 ? undefined : "its tags would be read differently";
  }
}

const NO_TAGS: ReadonlySet<string> = new Set();
const keyOf = ({ name, className }: RojoNode): string => `${className}\0${name}`;
