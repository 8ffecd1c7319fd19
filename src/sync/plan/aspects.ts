/** The aspects of Instances that sync compares: their values, which of them a file states, and those of an added Instance. */
import type { FileValue } from "../../roblox/model.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { AspectChange, AspectValue, PropertyChoice } from "../types.ts";
import type { Meaning } from "./at-once.ts";
import type { Entries, Entry } from "./entries.ts";
import { isScript, type Normalizer } from "./normalize.ts";

/** How a difference came about; `unknown` where the base does not tell. */
export type Cause = "file" | "studio" | "both" | "unknown";

export interface Difference extends AspectChange {
  readonly cause: Cause;
  /** Why neither side can take the other's value, in a sentence. */
  readonly obstacle?: string;
  /** Set for a class, and for what only one of two classes has: all of that changes together. */
  readonly isOfClass?: true;
}

export interface AspectOptions {
  readonly normalizer: Normalizer;
  /** For the look at first sight. */
  readonly meaning: Meaning;
  readonly entries: Entries;
  /** Undefined: what files state, and for what a file owns as a whole also what changed in Studio. */
  readonly properties: PropertyChoice | undefined;
  readonly ignoreReferents: boolean;
  /** The other side is a Studio, whose plugin reads what scripts can read and is not deprecated. */
  readonly isForScripts: boolean;
}

/** As a base's sets name aspects. */
export const aspectKey = ({ aspect, name }: Pick<AspectChange, "aspect" | "name">): string =>
  name === undefined ? aspect : `${aspect} ${name}`;

export const textValue = (value: string): AspectValue => ({ type: "text", value });
export const plainValue = (value: FileValue): AspectValue => ({ type: "value", value });
export const instanceValue = (value: RojoNode | null): AspectValue => ({ type: "instance", value });
export const flagValue = (value: boolean): AspectValue => ({ type: "flag", value });

/** Model files in Roblox's own formats state all that is not default. */
export function statesAll({ origin }: RojoNode): boolean {
  return origin?.fileKind === "rbxm" || origin?.fileKind === "rbxmx";
}

/** What a person tries out in a service is not meant for a project file, so what Studio changes there has to be asked for. */
export function choiceFor({ file, studio }: PairEntry, choice: PropertyChoice | undefined): PropertyChoice {
  return choice ?? (isOwnedByFile(file) || wouldBeOwned(file, studio) ? "changed" : "listed");
}

/**
 * Whether a file says all about the Instance once Studio's class is pulled. The pull then takes along what Studio has
 * changed; otherwise the next sync would find it, although nothing has changed since.
 */
function wouldBeOwned({ className, origin }: RojoNode, studio: RojoNode): boolean {
  // A project node keeps its class.
  if (className === studio.className || origin?.project !== undefined) return false;
  return isScript(studio.className) || origin?.kind === "folder";
}

/** Whether one file, or a file and its meta file, say all about an Instance. */
function isOwnedByFile({ className, origin }: RojoNode): boolean {
  if (isScript(className)) return true;
  if (origin === undefined || origin.project !== undefined || origin.kind === "projectNode") return false;
  return origin.kind !== "folder" || origin.meta !== undefined;
}

/** An entry that both sides have. */
export interface PairEntry extends Entry {
  readonly file: RojoNode;
  readonly studio: RojoNode;
}
export const isPair = (entry: Entry): entry is PairEntry =>
  entry.file !== undefined && entry.studio !== undefined;

/**
 * Whether a reference leads to an Instance that the other side had and no longer has. What becomes of that Instance is
 * decided apart from the rest, so such a reference is, too.
 */
export function isDoubtfulReference({ aspect, file, studio }: AspectChange, { of }: Entries): boolean {
  if (aspect !== "reference") return false;
  return [file, studio].some((value) => {
    const target = value?.type === "instance" && value.value !== null ? of(value.value) : undefined;
    return target !== undefined && !isPair(target) && target.base !== undefined;
  });
}

/** All that one side alone has of an Instance, for the other side to take over. */
export function aspectsOfAdded(
  node: RojoNode,
  side: "file" | "studio",
  options: AspectOptions,
): AspectChange[] {
  const { normalizer } = options;
  const { source, properties, attributes, tags, references } = normalizer.view(node);
  const change = (
    aspect: AspectChange["aspect"],
    name: string | undefined,
    value: AspectValue,
  ): AspectChange => ({
    aspect,
    ...(name === undefined ? {} : { name }),
    file: side === "file" ? value : undefined,
    studio: side === "studio" ? value : undefined,
    base: undefined,
  });
  const changes: AspectChange[] = [];
  if (source !== undefined) changes.push(change("source", undefined, textValue(source)));
  for (const { name, value } of properties.values())
    if (!normalizer.isDefault(node.className, name, value))
      changes.push(change("property", name, plainValue(value)));
  for (const [name, value] of attributes) changes.push(change("attribute", name, plainValue(value)));
  for (const tag of tags ?? []) changes.push(change("tag", tag, flagValue(true)));
  if (!options.ignoreReferents)
    for (const [name, target] of references) changes.push(change("reference", name, instanceValue(target)));
  return changes;
}
