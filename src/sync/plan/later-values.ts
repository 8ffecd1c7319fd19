/** Whether Studio holds what a later revision held, which shows that the place is older than the files. */
import type { HeldItem } from "../revisions/revision.ts";
import { type AspectOptions, aspectKey, type Difference } from "./aspects.ts";
import type { Entry } from "./entries.ts";
import { isSameAttribute } from "./normalize.ts";

/** Whether one of the states of an item holds Studio's value of an aspect. */
export function holdsStudioValue(
  states: readonly (HeldItem | undefined)[],
  difference: Difference,
  entry: Entry,
  options: AspectOptions,
): boolean {
  return states.some(
    (held) =>
      held !== undefined &&
      held.node.unsettled?.has(aspectKey(difference)) !== true &&
      holds(held, difference, entry, options),
  );
}

/** Whether Studio's Instance is that of one of the states: its class, its source and its own properties. */
export function isInstanceOf(
  states: readonly (HeldItem | undefined)[],
  entry: Entry,
  { normalizer }: AspectOptions,
): boolean {
  const { studio } = entry;
  if (studio === undefined) return false;
  const view = normalizer.view(studio);
  return states.some((held) => {
    if (held === undefined || held.node.className !== studio.className) return false;
    const before = normalizer.view(held.node);
    if (before.source !== view.source) return false;
    for (const [key, { name, value }] of before.properties) {
      const now = view.properties.get(key)?.value ?? normalizer.default(studio.className, name);
      if (now === undefined || !normalizer.isSame(studio.className, name, value, now)) return false;
    }
    return [...before.attributes].every(([name, value]) => isSameAttribute(view.attributes.get(name), value));
  });
}

function holds(
  { parent, node, references }: HeldItem,
  { aspect, name = "", studio }: Difference,
  entry: Entry,
  { normalizer, entries }: AspectOptions,
): boolean {
  const view = normalizer.view(node);
  switch (aspect) {
    case "name":
      return node.name === entry.studio?.name;
    case "className":
      return node.className === entry.studio?.className;
    case "parent":
      return parent !== undefined && parent === entry.studioParent?.base?.item;
    case "source":
      return studio?.type === "text" && view.source === studio.value;
    case "property": {
      const className = entry.studio?.className ?? "";
      const key = normalizer.property(className, name)?.key ?? name;
      const before =
        view.properties.get(key)?.value ??
        node.studioOnly?.get(`property ${name}`) ??
        normalizer.default(className, name);
      const now = studio?.type === "value" ? studio.value : normalizer.default(className, name);
      return before !== undefined && now !== undefined && normalizer.isSame(className, name, before, now);
    }
    case "attribute":
      return isSameAttribute(view.attributes.get(name), studio?.type === "value" ? studio.value : undefined);
    case "tag":
      return (view.tags?.has(name) ?? false) === (studio !== undefined);
    case "reference": {
      const target = studio?.type === "instance" && studio.value !== null ? studio.value : undefined;
      const item = target === undefined ? undefined : entries.of(target)?.base?.item;
      return references.get(name) === item;
    }
  }
}
