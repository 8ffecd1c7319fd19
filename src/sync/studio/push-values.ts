/** What the aspects of a plan's items are on the wire to the plugin. */
import type { SerializedValue } from "../../protocol/values.ts";
import type { FileValue } from "../../roblox/model.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { attributeToWire, propertyToWire } from "../../roblox/wire-values.ts";
import { isScript } from "../plan/normalize.ts";
import type { AspectChange, AspectValue, PlanItem } from "../types.ts";
import { bytesOf, utf8ByteString } from "../../util/bytes.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";

/** Why a part of an item cannot be pushed, for people. */
export class Refused extends Error {}

/** By number and name, what Studio says of properties that are still as they were read; none of those with their default. */
export type ExactProperties = ReadonlyMap<number, { readonly [name: string]: SerializedValue }>;

export interface StudioState {
  readonly schema: FileSchema;
  readonly exact: ExactProperties;
  /** Whether Studio makes Instances of the bytes of a model. */
  readonly canMakeModels: boolean;
  /** Of the reading that the plan was made from. */
  readonly mark: string | undefined;
}

export type Values = { [name: string]: SerializedValue };
export const NIL = { type: "nil" } as const;

export function valuesOf(
  { aspects }: Pick<PlanItem, "aspects">,
  kind: AspectChange["aspect"],
  valueOf: (change: AspectChange) => SerializedValue,
): Values {
  const values: Values = {};
  for (const change of aspects)
    if (change.aspect === kind && change.name !== undefined) values[change.name] = valueOf(change);
  return values;
}

export function propertyWire(
  { schema }: StudioState,
  className: string,
  name: string,
  held: AspectValue | undefined,
): SerializedValue {
  if (held === undefined) return NIL;
  const value = valueIn(held);
  const wire = value === undefined ? undefined : propertyToWire(schema, className, name, value);
  if (wire === undefined) throw new Refused(`scripts cannot write ${name}`);
  return wire;
}

export function attributeWire({ schema }: StudioState, held: AspectValue | undefined): SerializedValue {
  const value = valueIn(held);
  if (value === undefined) return NIL;
  const wire = attributeToWire(schema, value);
  if (wire === undefined) throw new Refused(`no attribute can hold a ${value.type}`);
  return wire;
}

export function scriptName(schema: FileSchema, className: string, name: string): string {
  const property = schema.property(className, name);
  return property?.kind === "property" ? property.name : name;
}

export function wireReference(held: AspectValue | undefined): SerializedValue {
  const id = instanceIn(held)?.studioId;
  return id === undefined ? NIL : { type: "Instance", className: "", id: `@${id}` };
}

/** Undefined for what is not a script, as a folder that becomes one. */
export function hashOf({ className, properties }: RojoNode): string | undefined {
  if (!isScript(className)) return undefined;
  const source = properties.get("Source")?.value;
  return gitBlobHash(typeof source === "string" ? bytesOf(source) : "");
}

export const textIn = (held: AspectValue | undefined): string => (held?.type === "text" ? held.value : "");
export const isSet = (held: AspectValue | undefined): boolean => held?.type === "flag" && held.value;
export const instanceIn = (held: AspectValue | undefined): RojoNode | null =>
  held?.type === "instance" ? held.value : null;
export const valueIn = (held: AspectValue | undefined): FileValue | undefined =>
  held?.type === "value"
    ? held.value
    : held?.type === "text"
      ? { type: "String", value: utf8ByteString(held.value) }
      : undefined;
