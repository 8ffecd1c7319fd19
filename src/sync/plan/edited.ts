/** Whether an Instance that one side no longer has was changed on the other side since the last sync. */
import type { FileValue } from "../../roblox/model.ts";
import { type AspectOptions, isPair } from "./aspects.ts";
import type { Entries, Entry } from "./entries.ts";
import { isSameAttribute, type NodeView } from "./normalize.ts";

export type Side = "file" | "studio";

export const parentOn = (entry: Entry, side: Side): Entry | undefined =>
  side === "file" ? entry.fileParent : entry.studioParent;

/**
 * An Instance that only `side` has and those below it, itself first. What both sides have is listed too, but not what is
 * below that, because it does not depend on the first one.
 */
export function subtreeOn(entry: Entry, side: Side, entries: Entries): Entry[] {
  const node = entry[side];
  if (node === undefined) return [];
  if (isPair(entry)) return [entry];
  const below = node.children.flatMap((child) => {
    const found = entries.of(child);
    return found === undefined ? [] : subtreeOn(found, side, entries);
  });
  return [entry, ...below];
}

/** An Instance without a base is new, which counts as a change. */
export function isEdited(entry: Entry, side: Side, options: AspectOptions): boolean {
  const { base } = entry;
  const node = entry[side];
  if (node === undefined) return false;
  if (base === undefined || (base.unsettled?.size ?? 0) > 0) return true;
  if (node.name !== base.name || node.className !== base.className) return true;
  if (parentOn(entry, side) !== entry.baseParent) return true;
  const [held, before] = [options.normalizer.view(node), options.normalizer.view(base)];
  if (held.source !== before.source) return true;
  const known = studioOnlyOf(entry);
  return (
    hasOtherProperties(entry, side, held, before, options) ||
    hasOtherReferences(held, before, side, options) ||
    hasOtherAttributes(held, before, side, known) ||
    hasOtherTags(held, before, side, known)
  );
}

type Known = ReadonlyMap<string, FileValue> | undefined;
const studioOnlyOf = ({ base }: Entry): Known => base?.studioOnly;

function hasOtherProperties(
  entry: Entry,
  side: Side,
  held: NodeView,
  before: NodeView,
  { normalizer }: AspectOptions,
): boolean {
  const className = entry[side]?.className ?? "";
  const isOther = (name: string, one: FileValue | undefined, other: FileValue | undefined): boolean => {
    const [left, right] = [one, other].map((value) => value ?? normalizer.default(className, name));
    if (left === undefined || right === undefined) return side === "file" && left !== right;
    return !normalizer.isSame(className, name, left, right);
  };
  for (const [key, { name, value }] of before.properties)
    if (isOther(name, (held.properties.get(key) ?? held.halfOf(key))?.value, value)) return true;
  const known = studioOnlyOf(entry);
  for (const [key, { name, value }] of held.properties) {
    if (before.properties.has(key)) continue;
    if (side === "file") return true;
    if (normalizer.property(className, key)?.isPartlyKnown === true) continue;
    if (known !== undefined && isOther(name, value, known.get(`property ${name}`))) return true;
  }
  return false;
}

function hasOtherReferences(
  held: NodeView,
  before: NodeView,
  side: Side,
  { entries }: AspectOptions,
): boolean {
  const names = new Set([...before.references.keys(), ...(side === "file" ? held.references.keys() : [])]);
  return [...names].some((name) => {
    const [now, then] = [held.references.get(name), before.references.get(name)];
    return (now && entries.of(now)) !== (then && entries.of(then));
  });
}

function hasOtherAttributes(held: NodeView, before: NodeView, side: Side, known: Known): boolean {
  const isTracked = side === "file" || before.attributes.size > 0;
  const earlier = (name: string) =>
    isTracked ? before.attributes.get(name) : known?.get(`attribute ${name}`);
  if (!isTracked && known === undefined) return false;
  const names = new Set([...held.attributes.keys(), ...before.attributes.keys()]);
  return [...names].some((name) => !isSameAttribute(held.attributes.get(name), earlier(name)));
}

function hasOtherTags(held: NodeView, before: NodeView, side: Side, known: Known): boolean {
  const [now, then] = [held.tags ?? new Set<string>(), before.tags ?? new Set<string>()];
  if (side === "studio" && then.size === 0)
    return known !== undefined && [...now].some((tag) => !known.has(`tag ${tag}`));
  return now.size !== then.size || [...now].some((tag) => !then.has(tag));
}
