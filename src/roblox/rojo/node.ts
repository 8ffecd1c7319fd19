/** One Instance that a project or its files describe, and how a tree of them becomes a model. */
import { type ByteString, textOfByteString, utf8ByteString } from "../../util/bytes.ts";
import { decodeAttributes, encodeAttributes } from "../attributes.ts";
import { type FileValue, type Model, ModelBuilder, NO_PARENT } from "../model.ts";
import { withWholeFrame } from "../part-frames.ts";
import type { FileSchema } from "../schema.ts";
import type { Origin } from "./origin.ts";

/** Why a sync has left something open that later syncs could not find out again: the words of sync's reasons. */
export type LeftOpen = (typeof LEFT_OPEN)[number];
export const LEFT_OPEN = [
  "push_undone",
  "pull_undone",
  "studio_older",
  "git_elsewhere",
  "foreign_place",
] as const;

export interface RojoNode {
  name: string;
  className: string;
  /** By the names that scripts use, or those of files. */
  readonly properties: Map<string, FileValue>;
  /** By name, as UTF-8 bytes. */
  readonly attributes: Map<string, FileValue>;
  /** References to other nodes. */
  readonly references: Map<string, RojoNode>;
  readonly children: RojoNode[];
  /** By which others refer to it. */
  id?: string;
  /** Of a script: the file that has its source, as an absolute path. */
  file?: string;
  /** Of a node that a project's files describe: which of them, and where. */
  origin?: Origin;
  /**
   * Of a model file that was kept as it is: the file's model. Its first Instance is the node, and the others are below the
   * node, before the children.
   */
  kept?: Model;
  /** Of a node read from Studio: its number there (`@17`). */
  studioId?: number;
  /** Of a script read from Studio: its source is what the script editor shows, and differs from what is saved. */
  isDraft?: boolean;
  /** Of a node of sync's base: what both sides never agreed on, as `source`, `property Size` or `attribute Speed`. */
  unsettled?: Set<string>;
  /** Of a node of sync's base: values that Studio held and that the files did not state, by the same words. */
  studioOnly?: Map<string, FileValue>;
  /** Of a node of sync's base: the number that the Instance keeps through moves, other names and lives of the plugin. */
  item?: number;
  /** Of a node of sync's base: what waits for an answer, by the same words or `existence`. */
  leftOpen?: Map<string, LeftOpen>;
}

/** A script of a place, and the file that it comes from. */
export interface RojoScript {
  readonly file: string;
  readonly source: ByteString;
  /** From a service, or Workspace, to the script. */
  readonly names: readonly string[];
  /** Files of other scripts with the same full name, which nothing but their place in the tree tells apart. */
  readonly namesakes?: readonly string[];
}

export const newNode = (name: string, className: string): RojoNode => ({
  name,
  className,
  properties: new Map(),
  attributes: new Map(),
  references: new Map(),
  children: [],
});

const DATA_MODEL = "DataModel";
/** Whether a tree is a place, in which services are; else it is a model. */
export const isPlace = ({ className }: RojoNode): boolean => className === DATA_MODEL;

/** As files call them. */
const ATTRIBUTES = "AttributesSerialize";
/** An attribute of this prefix holds the id of what the property after it refers to. */
const TARGET_PREFIX = "Rojo_Target_";

/** What keeps Studio from moving the pivots of models that were made before there were any, as Rojo says it of all. */
const PIVOT_MIGRATION = "NeedsPivotMigration";

/** The scripts that have files of their own, by their full names in the place. */
export function scriptsOf(root: RojoNode, schema: FileSchema): ReadonlyMap<string, RojoScript> {
  const scripts = new Map<string, RojoScript>();
  const add = (node: RojoNode, above: readonly string[]): void => {
    const names = [...above, node.name];
    const source = node.properties.get("Source");
    if (node.file !== undefined && source?.type === "String") {
      const before = scripts.get(names.join("."));
      const namesakes = before === undefined ? [] : [...(before.namesakes ?? []), before.file];
      scripts.set(names.join("."), {
        file: node.file,
        source: source.value,
        names,
        ...(namesakes.length === 0 ? {} : { namesakes }),
      });
    }
    for (const child of node.children) add(child, names);
  };
  // Roots that are not services go below Workspace.
  for (const node of isPlace(root) ? root.children : [root])
    add(node, schema.isService(node.className) ? [] : ["Workspace"]);
  return scripts;
}

/**
 * Turns the attributes that name other nodes by their ids into references. Those that name no node, or one of several of
 * that id, stay attributes only.
 */
export function linkReferences(root: RojoNode): void {
  const targets = new Map<string, RojoNode | undefined>();
  const sources: RojoNode[] = [];
  const visit = (node: RojoNode): void => {
    const id = node.id ?? textAttribute(node, "Rojo_Id");
    if (id !== undefined) targets.set(id, targets.has(id) ? undefined : node);
    if (node.attributes.size > 0) sources.push(node);
    for (const child of node.children) visit(child);
  };
  visit(root);
  for (const node of sources) {
    for (const name of node.attributes.keys()) {
      if (!name.startsWith(TARGET_PREFIX)) continue;
      const target = targets.get(textAttribute(node, name) ?? "");
      if (target !== undefined) node.references.set(name.slice(TARGET_PREFIX.length), target);
    }
  }
}

function textAttribute({ attributes }: RojoNode, name: string): string | undefined {
  const value = attributes.get(name);
  return value?.type === "String" ? textOfByteString(value.value) : undefined;
}

/** The children of a DataModel are the roots of its model. */
export function modelOf(root: RojoNode, schema: FileSchema): Model {
  const builder = new ModelBuilder();
  const ids = new Map<RojoNode, number>();
  const hasPivot = (className: string) => schema.property(className, PIVOT_MIGRATION) !== undefined;
  const add = (node: RojoNode, parent: number): void => {
    const id = builder.add(node.className, parent);
    ids.set(node, id);
    if (node.kept !== undefined) graft(builder, node.kept, id, hasPivot);
    for (const child of node.children) add(child, id);
  };
  for (const node of isPlace(root) ? root.children : [root]) add(node, NO_PARENT);
  for (const [node, id] of ids) {
    if (hasPivot(node.className)) builder.set(id, PIVOT_MIGRATION, NOT_NEEDED);
    const properties = withWholeFrame(schema, node.className, node.properties);
    setValues(builder, { ...node, properties }, id, ids);
  }
  return builder.finish();
}

const NOT_NEEDED: FileValue = { type: "Bool", value: false };

function graft(
  builder: ModelBuilder,
  kept: Model,
  root: number,
  hasPivot: (className: string) => boolean,
): void {
  const idOf = builder.graft(kept, root);
  for (const { className, members } of kept.classes)
    if (hasPivot(className)) for (const id of members) builder.set(idOf(id), PIVOT_MIGRATION, NOT_NEEDED);
}

function setValues(
  builder: ModelBuilder,
  {
    name,
    properties,
    references,
    attributes,
  }: Omit<RojoNode, "properties"> & {
    readonly properties: ReadonlyMap<string, FileValue>;
  },
  id: number,
  ids: ReadonlyMap<RojoNode, number>,
): void {
  builder.set(id, "Name", { type: "String", value: utf8ByteString(name) });
  for (const [property, value] of properties) builder.set(id, property, value);
  for (const [property, target] of references) {
    const value = ids.get(target);
    if (value !== undefined) builder.set(id, property, { type: "Ref", value });
  }
  if (attributes.size > 0)
    builder.set(id, ATTRIBUTES, { type: "String", value: encodeAttributes(attributes) });
}

/** Attributes that cannot be read stay as they are; the reader of the whole place reports them. */
function takeAttributes(node: RojoNode, blob: FileValue): void {
  try {
    if (typeof blob.value !== "string") throw new Error(`${ATTRIBUTES} is not a blob`);
    for (const [name, value] of decodeAttributes(blob.value)) node.attributes.set(name, value);
  } catch {
    node.attributes.clear();
    node.properties.set(ATTRIBUTES, blob);
  }
}

/**
 * A model with one root as a node that keeps the rest as it is. Undefined for a model in which something may be named by an
 * id, because such references lead to and from other files.
 */
export function keptNode(model: Model): RojoNode | undefined {
  const roots = model.parents.filter((parent) => parent === NO_PARENT).length;
  if (roots !== 1 || model.parents[0] !== NO_PARENT || model.classes.some(namesById)) return undefined;
  const node = newNode("", "");
  for (const { className, members, columns } of model.classes) {
    const row = members.indexOf(0);
    if (row < 0) continue;
    node.className = className;
    for (const [name, { values, rows }] of columns) {
      const value = values[(rows[row] ?? 0) - 1];
      if (value !== undefined) takeValue(node, name, value, []);
    }
  }
  node.kept = model;
  return node;
}

const namesById = ({ columns }: Model["classes"][number]): boolean =>
  columns
    .get(ATTRIBUTES)
    ?.values.some(({ value }) => typeof value === "string" && value.includes("Rojo_")) === true;

/** The roots of a model file as nodes. */
export function nodesOf({ parents, classes }: Model): RojoNode[] {
  const nodes = parents.map(() => newNode("", ""));
  for (const { className, members, columns } of classes) {
    const own = members.map((id) => nodes[id]);
    for (const node of own) if (node !== undefined) node.className = className;
    for (const [name, { values, rows }] of columns) {
      for (const [row, node] of own.entries()) {
        const value = values[(rows[row] ?? 0) - 1];
        if (node !== undefined && value !== undefined) takeValue(node, name, value, nodes);
      }
    }
  }
  const roots: RojoNode[] = [];
  for (const [id, node] of nodes.entries()) (nodes[parents[id] ?? NO_PARENT]?.children ?? roots).push(node);
  return roots;
}

function takeValue(node: RojoNode, name: string, value: FileValue, nodes: readonly RojoNode[]): void {
  if (value.type === "Ref") {
    const target = nodes[value.value ?? NO_PARENT];
    if (target !== undefined) node.references.set(name, target);
  } else if (name === "Name") node.name = value.type === "String" ? textOfByteString(value.value) : "";
  else if (name === ATTRIBUTES) takeAttributes(node, value);
  else node.properties.set(name, value);
}
