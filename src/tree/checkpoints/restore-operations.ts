/**
 * The operations that make a place like a checkpoint again, from the comparison of the checkpoint with the place.
 * `sync/studio/push-operations.ts` makes its operations apart from these, because it starts from nodes of files with single
 * aspects, leaves out what a plan leaves out, and refuses item by item. A restore starts from whole wire values of both
 * sides and refuses nothing. What both share is how operations are sent: `tree/change/`.
 */
import type { PatchOperation } from "../../protocol/fields/patches.ts";
import { isTagged } from "../../protocol/values.ts";
import type { SerializedValue } from "../../protocol/values.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import type { Comparison, Difference } from "../compare-trees.ts";
import { withDescendants } from "../instance-tree.ts";
import type { InstanceNode } from "../instance-tree.ts";
import { pathsOf } from "../node-path.ts";
import type { Item } from "../read-tree.ts";
import type { Values } from "../tree-side.ts";

const NIL: SerializedValue = { type: "nil" };

export interface RestoreSource {
  readonly items: ReadonlyMap<number, Item>;
  readonly models: ReadonlyMap<number, string>;
}

/**
 * In this order: what is missing is made, what has moved goes back, values are set, references are set when all their
 * targets are there, and what is new goes. Services are neither made nor removed.
 */
export function restoreOperations(comparison: Comparison, source: RestoreSource): readonly PatchOperation[] {
  const restoring = new Restoring(comparison, source);
  const parts = comparison.differences.filter(({ a, b }) => (a ?? b)?.parent !== undefined || (a && b));
  const missing = parts.flatMap(({ b, a }) => (b === undefined && a !== undefined ? [a] : []));
  const isDifferent = (each: Difference): each is Pair => each.a !== undefined && each.b !== undefined;
  const different = parts.filter(isDifferent);
  const added = parts.flatMap(({ a, b }) => (a === undefined && b !== undefined ? [b] : []));
  return [
    ...missing.flatMap((node) => restoring.creates(node)),
    ...different.flatMap((each) => restoring.moves(each)),
    ...different.flatMap((each) => restoring.values(each)),
    ...missing.flatMap((node) => restoring.referencesOfNew(node)),
    ...different.flatMap((each) => restoring.references(each)),
    ...added.map((node) => restoring.removes(node)),
  ];
}

type Pair = Difference & { readonly a: InstanceNode; readonly b: InstanceNode };

class Restoring {
  readonly #source: RestoreSource;
  /** What stands for an Instance of the checkpoint in operations: the id of its partner, or the name of the new one. */
  readonly #names = new Map<InstanceNode, string>();
  readonly #tree: Comparison["a"]["tree"];
  readonly #pathOf: (node: InstanceNode) => string;
  readonly #place: Comparison["b"]["tree"];

  constructor({ a, b, pairs }: Comparison, source: RestoreSource) {
    this.#source = source;
    this.#tree = a.tree;
    this.#place = b.tree;
    this.#pathOf = pathsOf(a.tree);
    for (const [one, other] of pairs) this.#names.set(one, `@${other.id}`);
  }

  /** A missing Instance with all below it. What below it is still there has moved, and goes back later. */
  creates(node: InstanceNode): readonly PatchOperation[] {
    const made: PatchOperation[] = [];
    const waiting = [node];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (this.#names.has(next)) continue;
      this.#names.set(next, `$c${next.id}`);
      const model = this.#source.models.get(next.id);
      made.push({
        ...this.#create(next),
        ...(model === undefined ? { className: next.className } : { model }),
      });
      if (model === undefined) {
        made.push(...this.#contentOf(next));
        waiting.push(...next.children.toReversed());
      } else this.#nameWithin(next);
    }
    return made;
  }

  #create({ id, name, parent }: InstanceNode): PatchOperation {
    return {
      op: "create",
      parent: parent === undefined ? "" : (this.#names.get(parent) ?? ""),
      name,
      as: `c${id}`,
    };
  }

  /** What a model brings back is named by its path below the outermost Instance of the model. */
  #nameWithin(model: InstanceNode): void {
    const start = this.#pathOf(model);
    for (const node of withDescendants(model))
      if (node !== model) this.#names.set(node, `$c${model.id}${this.#pathOf(node).slice(start.length)}`);
  }

  #contentOf(node: InstanceNode): readonly PatchOperation[] {
    const item = this.#source.items.get(node.id);
    if (item === undefined) return [];
    const path = `$c${node.id}`;
    const properties = settable(withoutReferences(item.properties, node));
    const { attributes = {}, tags = [] } = item;
    const source = sourceOf(item);
    return [
      ...setOf(path, properties, settable(attributes)),
      ...(tags.length === 0 ? [] : [tagsBack(path, tags, [])]),
      ...(source === undefined || source === "" ? [] : [{ op: "source" as const, path, source }]),
    ];
  }

  moves({ a, b, isMoved, isRenamed }: Pair): readonly PatchOperation[] {
    const path = `@${b.id}`;
    const parent = a.parent === undefined ? undefined : this.#names.get(a.parent);
    const before = b.parent === undefined ? {} : { expect: { parent: `@${b.parent.id}` } };
    return [
      ...(isMoved && parent !== undefined ? [{ op: "move", path, parent, ...before } as const] : []),
      ...(isRenamed ? [{ op: "rename", path, name: a.name, expect: { name: b.name } } as const] : []),
    ];
  }

  /** What has changed below an Instance since it was compared is not removed with it. */
  removes({ id, name, className }: InstanceNode): PatchOperation {
    const { mark } = this.#place;
    const unchanged = mark === undefined ? {} : { unchangedSince: mark };
    return { op: "delete", path: `@${id}`, expect: { name, className, ...unchanged } };
  }

  values({ b, itemA, itemB, ...differs }: Pair): readonly PatchOperation[] {
    const path = `@${b.id}`;
    const before = (names: readonly string[], values: Values = {}): Values =>
      Object.fromEntries(names.map((name) => [name, values[name] ?? NIL]));
    const properties = settable(before(differs.properties, itemA?.properties));
    const attributes = settable(before(differs.attributes, itemA?.attributes));
    const source = differs.hasOtherSource && itemA !== undefined ? sourceOf(itemA) : undefined;
    const now = {
      properties: settable(before(Object.keys(properties), itemB?.properties)),
      attributes: settable(before(Object.keys(attributes), itemB?.attributes)),
    };
    const hash = itemB === undefined ? undefined : hashOf(itemB);
    return [
      ...expecting(setOf(path, properties, attributes), now),
      ...(differs.hasOtherTags ? [tagsBack(path, itemA?.tags ?? [], itemB?.tags ?? [])] : []),
      ...(source === undefined
        ? []
        : [{ op: "source", path, source, ...(hash === undefined ? {} : { expect: { hash } }) } as const]),
    ];
  }

  references({ a, b, references }: Pair): readonly PatchOperation[] {
    const values = references.map((name) => [name, this.#target(a, name)] as const);
    const now = references.flatMap((name) => this.#targetNow(b, name));
    return expecting(setOf(`@${b.id}`, Object.fromEntries(values), {}), {
      properties: Object.fromEntries(now),
    });
  }

  /** The value that is expected of a reference; none where it leads to what is destroyed, which has no name in the place. */
  #targetNow(node: InstanceNode, name: string): readonly (readonly [string, SerializedValue])[] {
    const id = node.references.get(name);
    if (id === undefined) return [[name, NIL]];
    const target = this.#place.byId.get(id);
    if (target === undefined) return [];
    return [[name, { type: "Instance", className: target.className, id: `@${target.id}` }]];
  }

  referencesOfNew(node: InstanceNode): readonly PatchOperation[] {
    if (this.#source.models.has(node.id)) return [];
    const own = [...node.references.keys()].map((name) => [name, this.#target(node, name)] as const);
    const path = `$c${node.id}`;
    const below = node.children.filter((child) => this.#names.get(child) === `$c${child.id}`);
    return [
      ...setOf(path, Object.fromEntries(own), {}),
      ...below.flatMap((child) => this.referencesOfNew(child)),
    ];
  }

  #target(node: InstanceNode, name: string): SerializedValue {
    const target = this.#tree.byId.get(node.references.get(name) ?? 0);
    const id = target === undefined ? undefined : this.#names.get(target);
    return id === undefined ? NIL : { type: "Instance", className: target?.className ?? "", id };
  }
}

function withoutReferences(values: Values = {}, { references }: InstanceNode): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !references.has(name)));
}

/** Values that have no form in which they can be written are left as they are; the restored place is compared at the end. */
function settable(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => !(isTagged(value) && (value.type === "Unsupported" || value.type === "Instance")),
    ),
  );
}

function setOf(path: string, properties: Values, attributes: Values): readonly PatchOperation[] {
  const hasProperties = Object.keys(properties).length > 0;
  const hasAttributes = Object.keys(attributes).length > 0;
  if (!hasProperties && !hasAttributes) return [];
  return [
    {
      op: "set",
      path,
      ...(hasProperties ? { properties } : {}),
      ...(hasAttributes ? { attributes } : {}),
    },
  ];
}

/** What must still be so, because the comparison found it. */
const expecting = (
  operations: readonly PatchOperation[],
  expect: NonNullable<PatchOperation["expect"]>,
): readonly PatchOperation[] => operations.map((operation) => ({ ...operation, expect }));

function tagsBack(path: string, before: readonly string[], now: readonly string[]): PatchOperation {
  return {
    op: "tag",
    path,
    add: before.filter((tag) => !now.includes(tag)),
    remove: now.filter((tag) => !before.includes(tag)),
  };
}

/** Of a script; undefined for what has none. Bytes that are not valid UTF-8 cannot be written back as they were. */
function sourceOf({ source, base64 }: Item): string | undefined {
  return base64 === undefined ? source : Buffer.from(base64, "base64").toString();
}

function hashOf({ source, base64 }: Item): string | undefined {
  const bytes = base64 === undefined ? source : Buffer.from(base64, "base64");
  return bytes === undefined ? undefined : gitBlobHash(bytes);
}
