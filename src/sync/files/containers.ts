/**
 * Files of several Instances, and what changes in one of them: a JSON model is edited, a binary or XML model is written
 * again.
 */
import { readModelFile } from "../../roblox/model-file.ts";
import { builtFile } from "../../roblox/rojo/build.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { Origin } from "../../roblox/rojo/origin.ts";
import {
  changedModelPart,
  modelJsonText,
  withModelPart,
  withoutModelPart,
} from "../../roblox/rojo/write/json-model.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { systemReason } from "../../util/system-error.ts";
import type { PlanItem } from "../types.ts";
import type { Edit } from "./documents.ts";
import type { NodeChange } from "./expected-tree.ts";
import { edited } from "./statements.ts";

type Items = ReadonlySet<PlanItem>;
type Position = readonly number[];

interface ContainerEdit {
  readonly items: Items;
  readonly edit: Edit;
}

export class ContainerChanges {
  readonly origin: Origin;
  /** Where the file is now, and where it will be. */
  readonly path: string;
  to: string;
  /** The Instance at its top, as expected. */
  root: RojoNode | undefined;
  readonly #schema: FileSchema;
  readonly #changed: ContainerEdit[] = [];
  readonly #added: ContainerEdit[] = [];
  readonly #removed: (ContainerEdit & { readonly position: Position })[] = [];
  readonly #items = new Set<PlanItem>();

  constructor(origin: Origin, schema: FileSchema) {
    this.origin = origin;
    this.path = origin.path;
    this.to = origin.path;
    this.#schema = schema;
  }

  static newFile(kind: "rbxm" | "jsonModel", node: RojoNode, schema: FileSchema): Edit {
    if (kind === "jsonModel") return () => edited(() => modelJsonText(schema, node));
    return () => modelContent(node, schema, kind, undefined);
  }

  change(node: RojoNode, old: RojoNode, change: NodeChange): void {
    const position = old.origin?.position ?? [];
    const isPart = old.origin?.kind === "part";
    // A name of the first Instance is the name of the file.
    const name = isPart && node.name !== old.name ? { name: node.name } : {};
    const isStatedHere = (property: string) =>
      (old.origin?.statedProperties.get(property) ?? "file") === "file";
    const properties = new Map(
      [...change.properties].filter(isStatedHere).map((key) => [key, node.properties.get(key)]),
    );
    const attributes = new Map([...change.attributes].map((key) => [key, node.attributes.get(key)]));
    const changes = {
      ...name,
      ...(change.className ? { className: node.className } : {}),
      ...(change.id && node.id !== undefined ? { id: node.id } : {}),
      properties,
      attributes,
    };
    this.#note(this.#changed, change.items, (text) =>
      changedModelPart(this.#schema, text, position, old.className, changes),
    );
  }

  /** `parent` is the files' node; undefined where it is new itself, and brings its children with it. */
  add(node: RojoNode, parent: RojoNode | undefined, items: Items): void {
    const position = parent?.origin?.position ?? [];
    this.#note(this.#added, items, (text) => withModelPart(this.#schema, text, position, node));
  }

  remove(old: RojoNode, items: Items): void {
    const position = old.origin?.position ?? [];
    const edit = textEdit((text) => ({ text: withoutModelPart(text, position), unwritable: [] }));
    this.#removed.push({ position, items, edit });
    for (const item of items) this.#items.add(item);
  }

  /** In an order in which no edit moves what a later one is about: children are added last, and the last are removed first. */
  edits(): readonly ContainerEdit[] {
    if (this.#items.size === 0) return [];
    if (this.origin.fileKind !== "jsonModel")
      return [{ items: this.#items, edit: (old) => this.#written(old) }];
    const removed = this.#removed.toSorted((left, right) => comparePositions(right.position, left.position));
    return [...this.#changed, ...this.#added, ...removed];
  }

  #written(old: Uint8Array | undefined): ReturnType<Edit> {
    if (this.root === undefined) return { refused: "the file is not in the project any more" };
    return modelContent(this.root, this.#schema, this.origin.fileKind === "rbxmx" ? "rbxmx" : "rbxm", old);
  }

  #note(
    list: ContainerEdit[],
    items: Items,
    write: (text: string) => ReturnType<typeof withModelPart>,
  ): void {
    list.push({ items, edit: textEdit(write) });
    for (const item of items) this.#items.add(item);
  }
}

const textEdit =
  (write: (text: string) => ReturnType<typeof withModelPart>): Edit =>
  (old) =>
    edited(() => write(new TextDecoder("utf-8", { ignoreBOM: true }).decode(old)));

/** Parents before their children, siblings in their order. */
function comparePositions(left: Position, right: Position): number {
  for (const [index, part] of left.entries()) {
    const difference = part - (right[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** A model is written as a whole, so that nothing may be in the old file that sb cannot read. */
function modelContent(
  root: RojoNode,
  schema: FileSchema,
  kind: "rbxm" | "rbxmx",
  old: Uint8Array | undefined,
): ReturnType<Edit> {
  try {
    const [problem] = old === undefined ? [] : readModelFile(old).problems;
    if (problem !== undefined)
      return { refused: `the file holds something that sb cannot write again: ${problem}` };
    return { content: builtFile(root, schema, kind).content };
  } catch (error) {
    return { refused: systemReason(error) };
  }
}
