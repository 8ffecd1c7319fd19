/** Steps between revisions as lines of JSON. A line that was cut off, or that another version wrote, is left out. */
import type { FileValue } from "../../roblox/model.ts";
import { newNode, type RojoNode, type LeftOpen } from "../../roblox/rojo/node.ts";
import { parsedJson } from "../../util/parsed-json.ts";
import type { HeldItem, Step } from "./revision.ts";
import { asValue, fromPlain, plainOf } from "./tree-bytes.ts";

type PlainValue = readonly [name: string, type: string, value: unknown];

/** A held item with short keys, because a line may have thousands. */
interface PlainItem {
  readonly up?: number;
  readonly name: string;
  readonly class: string;
  readonly id?: string;
  readonly props?: readonly PlainValue[];
  readonly attrs?: readonly PlainValue[];
  readonly refs?: readonly (readonly [string, number])[];
  readonly only?: readonly PlainValue[];
  readonly open?: readonly string[];
  readonly back?: readonly (readonly [string, LeftOpen])[];
}

interface PlainStep {
  readonly revision: string;
  readonly after: string;
  readonly base?: string;
  readonly isUndo?: true;
  readonly atMs: number;
  readonly was: readonly (readonly [number, PlainItem | null])[];
  readonly pushed: readonly (readonly [number, readonly string[]])[];
  readonly pulled?: readonly (readonly [number, readonly string[]])[];
  readonly isAfterUnsure?: true;
}

/** With its checksum in front, because a disk may have lost a part of it. */
export function lineOfStep({
  revision,
  after,
  base,
  isUndo,
  atMs,
  was,
  pushed,
  pulled,
  isAfterUnsure,
}: Step): string {
  const plain: PlainStep = {
    revision,
    after,
    ...(base === undefined ? {} : { base }),
    ...(isUndo === true ? { isUndo } : {}),
    atMs,
    was: [...was].map(([item, held]) => [item, held === undefined ? null : plainItem(held)]),
    pushed: [...pushed],
    ...(pulled.size === 0 ? {} : { pulled: [...pulled] }),
    ...(isAfterUnsure === true ? { isAfterUnsure } : {}),
  };
  const text = JSON.stringify(plain);
  return `${checksumOf(text)} ${text}\n`;
}

export function stepsOfLines(lines: string): Step[] {
  return lines.split("\n").flatMap((line) => stepOfLine(line) ?? []);
}

export function stepOfLine(line: string): Step | undefined {
  const blank = line.indexOf(" ");
  const text = line.slice(blank + 1);
  if (blank < 1 || line.slice(0, blank) !== checksumOf(text)) return undefined;
  const plain: PlainStep = Object(parsedJson(text));
  return {
    revision: plain.revision,
    after: plain.after,
    ...(plain.base === undefined ? {} : { base: plain.base }),
    ...(plain.isUndo === true ? { isUndo: true } : {}),
    atMs: plain.atMs,
    was: new Map(plain.was.map(([item, held]) => [item, held === null ? undefined : heldItem(item, held)])),
    pushed: new Map(plain.pushed),
    pulled: new Map(plain.pulled),
    ...(plain.isAfterUnsure === true ? { isAfterUnsure: true } : {}),
  };
}

const checksumOf = (text: string): string => Bun.hash(text).toString(16);

const plainValues = (values: ReadonlyMap<string, FileValue>): readonly PlainValue[] =>
  [...values].map(([name, { type, value }]) => [name, type, plainOf(value)]);

const valuesOf = (plain: readonly PlainValue[] = []): [string, FileValue][] =>
  plain.map(([name, type, value]) => [name, asValue(type, fromPlain(value))]);

function plainItem({ parent, node, references }: HeldItem): PlainItem {
  const { name, className, id, properties, attributes, studioOnly, unsettled, leftOpen } = node;
  return {
    ...(parent === undefined ? {} : { up: parent }),
    name,
    class: className,
    ...(id === undefined ? {} : { id }),
    ...(properties.size === 0 ? {} : { props: plainValues(properties) }),
    ...(attributes.size === 0 ? {} : { attrs: plainValues(attributes) }),
    ...(references.size === 0 ? {} : { refs: [...references] }),
    ...(studioOnly === undefined ? {} : { only: plainValues(studioOnly) }),
    ...(unsettled === undefined ? {} : { open: [...unsettled] }),
    ...(leftOpen === undefined ? {} : { back: [...leftOpen] }),
  };
}

function heldItem(item: number, plain: PlainItem): HeldItem {
  const node: RojoNode = newNode(plain.name, plain.class);
  node.item = item;
  for (const [name, value] of valuesOf(plain.props)) node.properties.set(name, value);
  for (const [name, value] of valuesOf(plain.attrs)) node.attributes.set(name, value);
  if (plain.id !== undefined) node.id = plain.id;
  if (plain.only !== undefined) node.studioOnly = new Map(valuesOf(plain.only));
  if (plain.open !== undefined) node.unsettled = new Set(plain.open);
  if (plain.back !== undefined) node.leftOpen = new Map(plain.back);
  return { parent: plain.up, node, references: new Map(plain.refs) };
}
