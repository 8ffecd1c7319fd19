/**
 * The newest revision of a project as a file: a line of facts, the tree, and a line for each revision since then that changed
 * only sources. Such a line is as fast in a large project as in a small one.
 */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { utf8ByteString } from "../../util/bytes.ts";
import { parsedJson } from "../../util/parsed-json.ts";
import { itemsOf, ownCopy } from "./held-items.ts";
import type { HeldItem, ItemAspects, Step } from "./revision.ts";
import { bytesOfTree, treeOfBytes } from "./tree-bytes.ts";

export interface Newest {
  readonly name: string;
  readonly root: RojoNode;
  /** Those of the lines behind the tree, the oldest first. */
  readonly steps: readonly Step[];
  /** False while what was to be pushed has not been read back. */
  readonly isConfirmed: boolean;
  /** The first number that no item ever had. */
  readonly nextItem: number;
}

/** The sources that items have on both sides now. */
export interface SourceChange {
  readonly sources: readonly (readonly [item: number, source: string])[];
  /** The items whose source was pushed. */
  readonly pushed: readonly number[];
}

export interface SourceRevision extends SourceChange {
  readonly revision: string;
  readonly after: string;
  readonly atMs: number;
}

const VERSION = 4;

export function bytesOfNewest({ root, ...facts }: Omit<Newest, "steps">): Uint8Array {
  const body = bytesOfTree(root);
  const first = { version: VERSION, checksum: checksumOf(body), size: body.byteLength, ...facts };
  return Buffer.concat([Buffer.from(`${JSON.stringify(first)}\n`), body]);
}

/** To be appended. It begins with a line end, because an earlier line may have been cut off. */
export const lineOfSources = (revision: SourceRevision): string => `\n${JSON.stringify(revision)}\n`;

/** To be appended once everything that was to be pushed has been read back. */
export const lineOfConfirmation = (name: string): string => `\n${JSON.stringify({ confirmed: name })}\n`;

/** Throws for a file that is broken, or that another version wrote. */
export function newestOfBytes(file: Buffer): Newest {
  const end = file.indexOf("\n");
  const facts: unknown = JSON.parse(file.toString("utf8", 0, Math.max(end, 0)));
  const { version, checksum, size, name, isConfirmed, nextItem } = Object(facts);
  if (version !== VERSION) throw new Error(`version ${String(version)} is not known`);
  const body = file.subarray(end + 1, end + 1 + Number(size));
  if (checksum !== checksumOf(body)) throw new Error("its checksum is wrong");
  const first: Newest = {
    name: String(name),
    root: treeOfBytes(body),
    steps: [],
    isConfirmed: isConfirmed === true,
    nextItem: Number(nextItem),
  };
  return withLines(first, file.toString("utf8", end + 1 + body.byteLength));
}

const checksumOf = (bytes: Uint8Array): string => Bun.hash(bytes).toString(16);

/** A line that was cut off when its writer was killed is left out. */
function withLines(newest: Newest, lines: string): Newest {
  if (lines === "") return newest;
  const items = itemsOf(newest.root);
  const steps: Step[] = [];
  let { name, isConfirmed } = newest;
  for (const line of lines.split("\n")) {
    const { confirmed, ...revision } = Object(parsedJson(line));
    if (confirmed === name) isConfirmed = true;
    else if (isSourceRevision(revision) && revision.after === name) {
      const step = withSources(revision, items);
      steps.push(isConfirmed ? step : { ...step, isAfterUnsure: true });
      name = revision.revision;
      isConfirmed = revision.pushed.length === 0;
    }
  }
  return { ...newest, name, steps, isConfirmed };
}

const isSourceRevision = (revision: Partial<SourceRevision>): revision is SourceRevision =>
  Array.isArray(revision.sources) && Array.isArray(revision.pushed) && typeof revision.revision === "string";

/** Gives the items their new sources, and gives back the step. */
export function withSources(
  { revision, after, atMs, sources, pushed }: SourceRevision,
  items: ReadonlyMap<number, HeldItem>,
): Step {
  const was = new Map<number, HeldItem>();
  for (const [item, source] of sources) {
    const held = items.get(item);
    if (held === undefined) continue;
    was.set(item, { ...held, node: ownCopy(held.node) });
    held.node.properties.set("Source", { type: "String", value: utf8ByteString(source) });
  }
  const aspects: ItemAspects = new Map(pushed.map((item) => [item, ["source"]]));
  return { revision, after, atMs, was, pushed: aspects, pulled: new Map() };
}
