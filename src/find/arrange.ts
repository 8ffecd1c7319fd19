/**
 * Puts the answer to a query in the requested order, because Luau sends the members of a table in no fixed order, and writes
 * paths as all results have them.
 */
import type { DataModelInstance } from "../protocol/fields/instances.ts";
import { shownPath } from "../tree/instance-path.ts";
import { inOrder } from "../protocol/values.ts";
import type { SerializedValue } from "../protocol/values.ts";

interface Asked {
  readonly properties?: readonly string[] | undefined;
  readonly allProperties?: boolean;
  readonly includeAttributes: boolean;
}

type Values = { readonly [name: string]: SerializedValue };

const DEFAULT_PROPERTIES = ["Name", "ClassName", "Parent"];

/** Attributes that were not asked for are left out: an empty map would say that there are none. */
export function arranged(instance: DataModelInstance, asked: Asked): DataModelInstance {
  const { id, name, className, path, properties, attributes = {}, childCount, children } = instance;
  return {
    name,
    className,
    path: shownPath(path),
    ...(id === undefined ? {} : { id }),
    properties: inOrderOf(properties, namesOf(properties, asked)),
    ...(asked.includeAttributes ? { attributes: inOrderOf(attributes, Object.keys(attributes).sort()) } : {}),
    childCount,
    ...(children === undefined ? {} : { children: children.map((child) => arranged(child, asked)) }),
  };
}

/** All properties of a class come in the order of the alphabet. */
function namesOf(properties: Values, { properties: names, allProperties = false }: Asked): readonly string[] {
  return allProperties ? Object.keys(properties).sort() : (names ?? DEFAULT_PROPERTIES);
}

/** A property that the path names comes after those that were asked for. */
export function inOrderOf(values: Values, names: readonly string[]): Values {
  const all = new Set([...names.filter((name) => Object.hasOwn(values, name)), ...Object.keys(values)]);
  return Object.fromEntries([...all].map((name) => [name, inOrder(values[name] ?? null)]));
}
