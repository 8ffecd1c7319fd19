/**
 * A tree of nodes as bytes: lists of numbers that point into a list of names and a list of distinct values. Reading and
 * writing 60,000 Instances must take a fraction of a second, which one object of JSON per Instance would not allow.
 */
import type { FileValue } from "../../roblox/model.ts";
import { LEFT_OPEN, newNode, type RojoNode } from "../../roblox/rojo/node.ts";

/**
 * Lists of whole numbers. `nodes` has four a node, in the order of the tree from the top: position of the parent (-1 for
 * the top), name, class, number of the item (0 for none). `properties` and `attributes` have three each: node, name, value.
 * `references` have node, name, node; `ids` node and name; `unsettled` node and aspect;
 * `studioOnly` node, aspect, value; `studioNodes` lists the nodes that know what Studio alone held; `leftOpen` has node,
 * aspect, reason.
 */
const LISTS = [
  "nodes",
  "properties",
  "attributes",
  "references",
  "ids",
  "unsettled",
  "studioOnly",
  "studioNodes",
  "leftOpen",
  "tuples",
] as const;
type ListName = (typeof LISTS)[number];

/** What stands in front of the lists, as JSON. */
interface TreeHeader {
  readonly names: readonly string[];
  /** All but tuples of numbers, as `[type, value]`. */
  readonly values: readonly (readonly unknown[])[];
  readonly sizes: Readonly<Record<ListName, number>>;
}

/** The position of each distinct text in a list. */
class Names {
  readonly list: string[] = [];
  readonly #positions = new Map<string, number>();

  position(name: string): number {
    const known = this.#positions.get(name);
    if (known !== undefined) return known;
    this.#positions.set(name, this.list.length);
    return this.list.push(name) - 1;
  }
}

/** The position of each value in a list; values that readers share, and equal texts, are written once. */
class Values {
  readonly list: (readonly unknown[])[] = [];
  readonly tuples: number[] = [];
  /** The numbers of all tuples, because JSON is slow at fractions. */
  readonly fractions: number[] = [];
  readonly #byIdentity = new Map<FileValue, number>();
  readonly #byContent = new Map<string, number>();
  readonly #names: Names;

  constructor(names: Names) {
    this.#names = names;
  }

  position(value: FileValue): number {
    const known = this.#byIdentity.get(value);
    if (known !== undefined) return known;
    const position = this.#place(value);
    this.#byIdentity.set(value, position);
    return position;
  }

  #place(value: FileValue): number {
    if (typeof value.value === "object" || typeof value.value === "bigint") return this.#append(value);
    const content = `${value.type}:${value.value}`;
    const known = this.#byContent.get(content);
    if (known !== undefined) return known;
    const position = this.#append(value);
    this.#byContent.set(content, position);
    return position;
  }

  #append({ type, value }: FileValue): number {
    if (!isNumbers(value)) return plainAt(this.list.push([type, plainOf(value)]) - 1);
    const start = this.fractions.length;
    for (const part of value) this.fractions.push(part);
    this.tuples.push(this.#names.position(type), start, value.length);
    return tupleAt(this.tuples.length / 3 - 1);
  }
}

/** Where a value is: even numbers count plain values, odd ones tuples. */
const plainAt = (index: number): number => index * 2;
const tupleAt = (index: number): number => index * 2 + 1;

function isNumbers(value: unknown): value is readonly number[] {
  if (!Array.isArray(value)) return false;
  for (const part of value) if (typeof part !== "number") return false;
  return true;
}

const NO_NODE = -1;

export function bytesOfTree(root: RojoNode): Uint8Array {
  const names = new Names();
  const values = new Values(names);
  const positions = new Map<RojoNode, number>();
  const lists: Record<ListName, number[]> = {
    nodes: [],
    properties: [],
    attributes: [],
    references: [],
    ids: [],
    unsettled: [],
    studioOnly: [],
    studioNodes: [],
    leftOpen: [],
    tuples: values.tuples,
  };
  const add = (node: RojoNode, parent: number): void => {
    const position = positions.size;
    positions.set(node, position);
    lists.nodes.push(parent, names.position(node.name), names.position(node.className), node.item ?? 0);
    for (const [name, value] of node.properties)
      lists.properties.push(position, names.position(name), values.position(value));
    for (const [name, value] of node.attributes)
      lists.attributes.push(position, names.position(name), values.position(value));
    if (node.id !== undefined) lists.ids.push(position, names.position(node.id));
    for (const aspect of node.unsettled ?? []) lists.unsettled.push(position, names.position(aspect));
    if (node.studioOnly !== undefined) lists.studioNodes.push(position);
    for (const [aspect, value] of node.studioOnly ?? [])
      lists.studioOnly.push(position, names.position(aspect), values.position(value));
    for (const [aspect, reason] of node.leftOpen ?? [])
      lists.leftOpen.push(position, names.position(aspect), LEFT_OPEN.indexOf(reason));
    for (const child of node.children) add(child, position);
  };
  add(root, NO_NODE);
  for (const [node, position] of positions) {
    for (const [name, target] of node.references) {
      const to = positions.get(target);
      if (to !== undefined) lists.references.push(position, names.position(name), to);
    }
  }
  return packed(names.list, values, lists);
}

/** The length of the header, the header, the lists as 32-bit numbers, the fractions as 64-bit numbers. */
function packed(
  names: readonly string[],
  values: Values,
  lists: Readonly<Record<ListName, readonly number[]>>,
): Uint8Array {
  const sizes = Object.fromEntries(LISTS.map((name) => [name, lists[name].length]));
  const header = Buffer.from(JSON.stringify({ names, values: values.list, sizes }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  const columns = LISTS.map((name) => new Uint8Array(new Int32Array(lists[name]).buffer));
  return Buffer.concat([
    length,
    header,
    ...columns,
    new Uint8Array(new Float64Array(values.fractions).buffer),
  ]);
}

/** Throws for bytes that are no tree. */
export function treeOfBytes(bytes: Uint8Array): RojoNode {
  const { header, lists, fractions } = unpacked(bytes);
  const plain = header.values.map(valueOf);
  const tuples = tuplesOf(lists.tuples, fractions, header.names);
  const valueAt = (position = 0): FileValue => entryAt(position % 2 === 0 ? plain : tuples, position >> 1);
  const made: RojoNode[] = [];
  const name = (position: number | undefined): string => entryAt(header.names, position);
  const { nodes, properties, attributes, references, ids, unsettled, studioOnly, studioNodes, leftOpen } =
    lists;
  for (let index = 0; index < nodes.length; index += 4) {
    const node = newNode(name(nodes[index + 1]), name(nodes[index + 2]));
    const item = nodes[index + 3] ?? 0;
    if (item !== 0) node.item = item;
    if (made.length > 0) entryAt(made, nodes[index]).children.push(node);
    made.push(node);
  }
  eachThree(properties, (node, key, value) => entryAt(made, node).properties.set(name(key), valueAt(value)));
  eachThree(attributes, (node, key, value) => entryAt(made, node).attributes.set(name(key), valueAt(value)));
  eachThree(references, (node, key, target) =>
    entryAt(made, node).references.set(name(key), entryAt(made, target)),
  );
  for (let index = 0; index < ids.length; index += 2) entryAt(made, ids[index]).id = name(ids[index + 1]);
  for (let index = 0; index < unsettled.length; index += 2)
    (entryAt(made, unsettled[index]).unsettled ??= new Set()).add(name(unsettled[index + 1]));
  for (const index of studioNodes) entryAt(made, index).studioOnly = new Map();
  eachThree(studioOnly, (node, aspect, value) =>
    entryAt(made, node).studioOnly?.set(name(aspect), valueAt(value)),
  );
  eachThree(leftOpen, (node, aspect, reason) =>
    (entryAt(made, node).leftOpen ??= new Map()).set(name(aspect), entryAt(LEFT_OPEN, reason)),
  );
  return entryAt(made, 0);
}

function unpacked(bytes: Uint8Array) {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 4 + view.readUInt32LE();
  const header: TreeHeader = JSON.parse(view.toString("utf8", 4, at));
  // A copy each, because numbers can only be read where they are aligned.
  const take = (size: number) => new Uint8Array(bytes.subarray(at, (at += size))).buffer;
  const list = (key: ListName) => new Int32Array(take(header.sizes[key] * 4));
  const lists = {
    nodes: list("nodes"),
    properties: list("properties"),
    attributes: list("attributes"),
    references: list("references"),
    ids: list("ids"),
    unsettled: list("unsettled"),
    studioOnly: list("studioOnly"),
    studioNodes: list("studioNodes"),
    leftOpen: list("leftOpen"),
    tuples: list("tuples"),
  };
  return { header, lists, fractions: new Float64Array(take(bytes.length - at)) };
}

function entryAt<Entry>(list: readonly Entry[], position: number | undefined): Entry {
  const entry = list[position ?? NO_NODE];
  if (entry === undefined) throw new Error("the tree points to something that it does not have");
  return entry;
}

function eachThree(list: Int32Array, use: (first?: number, second?: number, third?: number) => void): void {
  for (let index = 0; index < list.length; index += 3) use(list[index], list[index + 1], list[index + 2]);
}

/** What JSON cannot say is an object of one key. */
export function plainOf(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : { number: String(value) };
  if (typeof value === "bigint") return { whole: String(value) };
  if (value instanceof Map) return { map: [...value].map(([key, entry]) => [key, plainOf(entry)]) };
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== "object" || value === null) return value;
  return { object: Object.entries(value).map(([key, entry]) => [key, plainOf(entry)]) };
}

export function fromPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromPlain);
  if (typeof value !== "object" || value === null) return value;
  const [[kind, content] = ["", undefined]] = Object.entries(value);
  if (kind === "number") return Number(content);
  if (kind === "whole") return BigInt(content);
  const entries: [string, unknown][] = content.map(([key, entry]: [string, unknown]) => [
    key,
    fromPlain(entry),
  ]);
  return kind === "map" ? new Map(entries) : Object.fromEntries(entries);
}

/** A loop, because `Array.from` of a typed array takes ten times as long. */
function numbersAt(fractions: Float64Array, first: number, length: number): readonly number[] {
  const numbers: number[] = [];
  for (let index = first; index < first + length; index++) numbers.push(fractions[index] ?? 0);
  return numbers;
}

function tuplesOf(list: Int32Array, fractions: Float64Array, names: readonly string[]): readonly FileValue[] {
  const tuples: FileValue[] = [];
  eachThree(list, (type, start = 0, length = 0) => {
    tuples.push(asValue(entryAt(names, type), numbersAt(fractions, start, length)));
  });
  return tuples;
}

const valueOf = ([type, value]: readonly unknown[]): FileValue => asValue(type, fromPlain(value));

/** The cast is right for values that this module wrote; the store checks that by a checksum. */
export const asValue = (type: unknown, value: unknown): FileValue => ({ type, value }) as FileValue;
