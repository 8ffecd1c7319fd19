/** Values of aspects in the JSON of docs/protocol.md, and the values that a caller expects, read as `sb set` reads them. */
import { isTagged, type SerializedValue, type TaggedValue } from "../../protocol/values.ts";
import { propertyOfJson } from "../../roblox/plain-values.ts";
import { publicAttribute, publicProperty } from "../../roblox/public-values.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { attributeOfWire } from "../../roblox/wire-values.ts";
import type { FileValue } from "../../roblox/model.ts";
import type { AspectChange, AspectValue, PlanItem } from "../types.ts";
import type { Entry } from "./entries.ts";
import { isSameAttribute, type Normalizer, withLf } from "./normalize.ts";
import type { PlanState } from "./plan-state.ts";

const NIL = { type: "nil" } as const;

/** `undefined` where the side does not have it. */
export function aspectJson(
  state: PlanState,
  { className }: Pick<PlanItem, "className">,
  { aspect, name = "" }: AspectChange,
  value: AspectValue | undefined,
): SerializedValue | undefined {
  const { schema } = state.options.normalizer;
  if (value === undefined) return undefined;
  switch (value.type) {
    case "instance":
      return instanceJson(value.value, state);
    case "value":
      return aspect === "attribute"
        ? publicAttribute(schema, value.value)
        : publicProperty(schema, className, name, value.value);
    default:
      return value.value;
  }
}

/** nil for an Instance outside of the project. */
function instanceJson(node: RojoNode | null, { entries, paths }: PlanState): TaggedValue {
  const entry = node === null ? undefined : entries.of(node);
  if (node === null || entry === undefined) return NIL;
  const { className, name } = node;
  const path = `game.${paths.of(entry)}`.replace(/\.$/, "");
  const id = entry.studio?.studioId;
  return { type: "Instance", className, name, path, ...(id === undefined ? {} : { id: `@${id}` }) };
}

/** What Studio's Instance holds where that is not what is expected, by the labels that plans give. */
export function unexpectedValues(
  state: PlanState,
  entry: Entry,
  expected: Readonly<Record<string, SerializedValue>>,
): Record<string, SerializedValue> | undefined {
  const found: Record<string, SerializedValue> = {};
  for (const [label, json] of Object.entries(expected)) {
    const held = entry.studio === undefined ? NOTHING : heldBy(state, entry, entry.studio, label);
    if (!held.isSame(json)) found[label] = held.json;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

interface Held {
  readonly json: SerializedValue;
  readonly isSame: (expected: SerializedValue) => boolean;
}

function heldBy(state: PlanState, entry: Entry, node: RojoNode, label: string): Held {
  const { normalizer } = state.options;
  const view = normalizer.view(node);
  const { source, tags, references } = view;
  if (label === "Name" || label === "ClassName")
    return plainHeld(label === "Name" ? node.name : node.className);
  if (label === "Source" && source !== undefined)
    return {
      json: source,
      isSame: (expected) => typeof expected === "string" && withLf(expected) === source,
    };
  if (label.startsWith("#")) return plainHeld(tags?.has(label.slice(1)) === true);
  if (label.startsWith("@")) return heldAttribute(normalizer, view.attributes.get(label.slice(1)));
  if (label === "Parent") return heldInstance(state, entry.studioParent?.studio ?? null);
  const property = normalizer.schema.property(node.className, label);
  if (property !== undefined && /^Ref\b/.test(property.type))
    return heldInstance(state, references.get(label) ?? null);
  return heldProperty(normalizer, node, label);
}

const NOTHING: Held = { json: null, isSame: (expected) => isNothing(expected) };
const plainHeld = (json: SerializedValue): Held => ({ json, isSame: (expected) => expected === json });

function heldAttribute({ schema }: Normalizer, value: FileValue | undefined): Held {
  if (value === undefined) return NOTHING;
  return {
    json: publicAttribute(schema, value),
    // A list of numbers means the type that the attribute has.
    isSame: (expected) =>
      isSameAttribute(
        value,
        attributeOfWire(Array.isArray(expected) ? { type: value.type, value: expected } : expected),
      ),
  };
}

function heldProperty(normalizer: Normalizer, node: RojoNode, name: string): Held {
  const { className } = node;
  const { properties, halfOf } = normalizer.view(node);
  const key = normalizer.property(className, name)?.key ?? name;
  const usual = normalizer.default(className, name);
  const value = (properties.get(key) ?? halfOf(name))?.value ?? usual;
  if (value === undefined) return NOTHING;
  return {
    json: publicProperty(normalizer.schema, className, name, value),
    isSame: (expected) => {
      // As for `sb set`, null is the default of what cannot be nil.
      const wanted =
        propertyOfJson(normalizer.schema, className, name, expected) ??
        (isNothing(expected) ? usual : undefined);
      return wanted !== undefined && normalizer.isSame(className, name, value, wanted);
    },
  };
}

function heldInstance(state: PlanState, target: RojoNode | null): Held {
  const json = instanceJson(target, state);
  const { path, id } = json;
  const names: readonly unknown[] = [path, String(path).replace(/^game\./, ""), id];
  return {
    json,
    isSame: (expected) => {
      if (isNothing(expected)) return json.type === NIL.type;
      if (typeof expected === "string") return names.includes(expected);
      return isTaggedValue(expected) && names.includes(expected["id"] ?? expected["path"]);
    },
  };
}

const isTaggedValue = (json: SerializedValue): json is TaggedValue =>
  json !== null && typeof json === "object" && isTagged(json);
const isNothing = (json: SerializedValue): boolean =>
  json === null || (isTaggedValue(json) && json.type === NIL.type);
