/**
 * Reads Instances of a `dataModelResult` without the schema's machinery: a place has tens of thousands of them. It
 * accepts exactly what the schema in actions.ts accepts; what is wrong with the rest, the schema says.
 */
import type { DataModelInstance } from "./fields/instances.ts";
import { isSerializedValue } from "./values.ts";
import type { SerializedValue } from "./values.ts";

type Values = { readonly [name: string]: SerializedValue };

/** Undefined for anything that the schema would refuse. */
export function readDataModelInstance(value: unknown): DataModelInstance | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!("name" in value && "className" in value && "path" in value && "childCount" in value))
    return undefined;
  const { name, className, path, childCount } = value;
  if (typeof name !== "string" || typeof className !== "string" || typeof path !== "string") return undefined;
  if (typeof childCount !== "number" || !Number.isSafeInteger(childCount) || childCount < 0) return undefined;
  const properties = "properties" in value ? readValues(value.properties) : undefined;
  if (properties === undefined) return undefined;
  const hasAttributes = "attributes" in value && value.attributes !== undefined;
  const attributes = hasAttributes ? readValues(value.attributes) : undefined;
  if (hasAttributes && attributes === undefined) return undefined;
  const id = "id" in value ? value.id : undefined;
  if (id !== undefined && typeof id !== "string") return undefined;
  const instance = {
    ...(id === undefined ? {} : { id }),
    name,
    className,
    path,
    properties,
    ...(attributes === undefined ? {} : { attributes }),
    childCount,
  };
  if (!("children" in value) || value.children === undefined) return instance;
  const children = Array.isArray(value.children) ? readAll(value.children) : undefined;
  return children === undefined ? undefined : { ...instance, children };
}

function readAll(values: readonly unknown[]): DataModelInstance[] | undefined {
  const instances: DataModelInstance[] = [];
  for (const value of values) {
    const instance = readDataModelInstance(value);
    if (instance === undefined) return undefined;
    instances.push(instance);
  }
  return instances;
}

/** Luau writes an empty map as `[]`. */
function readValues(value: unknown): Values | undefined {
  if (Array.isArray(value)) return value.length === 0 ? {} : undefined;
  return isValues(value) ? value : undefined;
}

function isValues(value: unknown): value is Values {
  if (typeof value !== "object" || value === null) return false;
  for (const name in value) if (!isSerializedValue(Reflect.get(value, name))) return false;
  return true;
}
