/**
 * The operations of `sb edit` and studio_edit as people and agents write them, and the form in which the plugin
 * receives them.
 */
import type { PatchOperation } from "../protocol/fields/patches.ts";
import { limits } from "../protocol/limits.ts";
import { invalidInput } from "../protocol/messages.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf, Zod } from "../protocol/schema.ts";
import type { SerializedValue } from "../protocol/values.ts";
import { checkSize } from "../scripts/edit-input.ts";
import { tooLarge } from "./property-values.ts";
import { wirePath } from "../tree/instance-path.ts";

export const operationKinds = ["create", "set", "delete", "move", "rename", "clone", "tag"] as const;
type Kind = (typeof operationKinds)[number];

const values = (z: Zod, meaning: string) => z.record(z.string(), z.unknown()).optional().describe(meaning);

export const operationSchema = defineSchema((z) =>
  z.strictObject({
    op: z.enum(operationKinds).describe("What to do"),
    path: z.string().optional().describe("Path, id (@17) or $NAME of an earlier as; not for create"),
    className: z.string().optional().describe("create: the class"),
    parent: z.string().optional().describe("create, move, clone: the new parent"),
    name: z.string().optional().describe("create, clone, rename: the name"),
    as: z.string().optional().describe("not delete: name for later operations, as $NAME"),
    properties: values(z, "create, set: values, null for nil or the default"),
    attributes: values(z, "create, set: values, null to remove"),
    tags: z.array(z.string()).optional().describe("create"),
    children: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe("create: what create takes, without op and parent"),
    add: z.array(z.string()).optional().describe("tag: tags to add"),
    remove: z.array(z.string()).optional().describe("tag: tags to remove"),
    expect: z
      .strictObject({
        className: z.string().optional(),
        name: z.string().optional(),
        parent: z.string().optional(),
        properties: values(z, "Values"),
        attributes: values(z, "Values, null for none"),
      })
      .optional()
      .describe("What must hold before; else nothing changes"),
  }),
);
export type Operation = OutputOf<typeof operationSchema>;

interface Fields {
  readonly needed: readonly (keyof Operation)[];
  readonly allowed: readonly (keyof Operation)[];
}

const FIELDS: { readonly [K in Kind]: Fields } = {
  create: {
    needed: ["className", "parent"],
    allowed: ["name", "as", "properties", "attributes", "tags", "children"],
  },
  set: { needed: ["path"], allowed: ["properties", "attributes", "as", "expect"] },
  delete: { needed: ["path"], allowed: ["expect"] },
  move: { needed: ["path", "parent"], allowed: ["as", "expect"] },
  rename: { needed: ["path", "name"], allowed: ["as", "expect"] },
  clone: { needed: ["path"], allowed: ["parent", "name", "as", "expect"] },
  tag: { needed: ["path"], allowed: ["add", "remove", "as", "expect"] },
};

/** One operation of the wire, and the place of the operation in the caller's list that it is part of. */
export interface WireOperation {
  readonly item: number;
  /** Which child of that operation it makes, such as `children[2].children[0]`; empty for the operation itself. */
  readonly child: string;
  readonly operation: PatchOperation;
}

/** What is wrong with an operation before Studio has seen it. */
export interface OperationFault {
  readonly item: number;
  readonly code: "INVALID_INPUT" | "INVALID_VALUE" | "PROPERTY_NOT_FOUND";
  readonly message: string;
}

/** The list as the wire has it: flat, each child after its parent. Throws INVALID_INPUT where there are too many. */
export function wireOperations(operations: readonly Operation[]): {
  readonly wire: readonly WireOperation[];
  readonly faults: readonly OperationFault[];
} {
  const wire: WireOperation[] = [];
  const faults: OperationFault[] = [];
  operations.forEach((operation, item) => {
    const message = fieldFault(operation);
    if (message !== undefined) faults.push({ item, code: "INVALID_INPUT", message });
    else wire.push(...flatten(operation, { item, child: "", handle: `${item}` }, faults));
  });
  if (wire.length > limits.patchOperations)
    throw invalidInput(
      `These are ${wire.length} operations with their children; one call takes at most ${limits.patchOperations}.`,
      SEVERAL_CALLS,
    );
  const sources = wire.flatMap(({ operation }) => operation.properties?.["Source"] ?? []);
  if (sources.length > limits.patchSources)
    throw invalidInput(
      `These are ${sources.length} sources; one call writes at most ${limits.patchSources}.`,
      SEVERAL_CALLS,
    );
  checkSize(sources.map(String));
  return { wire, faults };
}

const SEVERAL_CALLS = "Split them into several calls.";

function fieldFault(operation: Operation): string | undefined {
  const { op } = operation;
  const { needed, allowed } = FIELDS[op];
  const missing = needed.find((field) => operation[field] === undefined);
  if (missing !== undefined) return `${op} needs ${missing}.`;
  const stray = operationSchema
    .keys()
    .find(
      (key) =>
        key !== "op" &&
        Reflect.get(operation, key) !== undefined &&
        ![...needed, ...allowed].some((field) => field === key),
    );
  if (stray !== undefined) return `${op} takes no ${stray}; it takes ${[...needed, ...allowed].join(", ")}.`;
  if (operation.as !== undefined && !/^[A-Za-z_]\w*$/.test(operation.as))
    return `"${operation.as}" cannot be a name for later operations: use letters, digits and _.`;
  const { add = [], remove = [] } = operation;
  const both = add.find((tag) => remove.includes(tag));
  if (both !== undefined) return `The tag ${JSON.stringify(both)} is in add and in remove.`;
  return infiniteFault(operation);
}

/** JSON writes an infinite number as null, which would mean the default. */
function infiniteFault({ properties, attributes, expect }: Operation): string | undefined {
  const maps = [properties, attributes, expect?.properties, expect?.attributes];
  const found = maps
    .flatMap((map) => Object.entries(map ?? {}))
    .find(([, value]) => hasInfiniteNumber(value));
  return found === undefined ? undefined : tooLarge(found[0]);
}

function hasInfiniteNumber(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasInfiniteNumber);
}

interface Place extends Pick<WireOperation, "item" | "child"> {
  /** Names the Instance to its children, where the caller gives it no name of its own. */
  readonly handle: string;
}

function flatten(
  operation: Operation,
  { item, child: ownPlace, handle }: Place,
  faults: OperationFault[],
): WireOperation[] {
  const { children = [], as = children.length === 0 ? undefined : `#${handle}` } = operation;
  const own = {
    item,
    child: ownPlace,
    operation: wireOperation(as === undefined ? operation : { ...operation, as }),
  };
  const below = children.flatMap((child, index) => {
    const place = `${ownPlace}${ownPlace === "" ? "" : "."}children[${index}]`;
    const read = operationSchema.read({ ...child, op: "create", parent: `$${as}` });
    const isWhole = !("op" in child || "parent" in child);
    const message = read === undefined ? childFault(child) : isWhole ? fieldFault(read.value) : NO_PARENT;
    if (read !== undefined && message === undefined)
      return flatten(read.value, { item, child: place, handle: `${handle}_${index}` }, faults);
    faults.push({ item, code: "INVALID_INPUT", message: `${place}: ${message}` });
    return [];
  });
  return [own, ...below];
}

/** A message about an operation of the wire, for a caller who knows only the operation that it is part of. */
export const placed = ({ child }: Pick<WireOperation, "child">, message: string): string =>
  child === "" ? message : `${child}: ${message}`;

const NO_PARENT = "a child is created below its parent, so it has no op and no parent.";

function childFault(child: object): string {
  const known = operationSchema.keys();
  const stray = Object.keys(child).find((key) => !known.includes(key));
  const taken = `${FIELDS.create.allowed.join(", ")} and className`;
  if (stray !== undefined) return `unknown field ${JSON.stringify(stray)}; a child takes ${taken}.`;
  return `expected what create takes: ${taken}.`;
}

/** A name among the properties of what is created is its name. */
function wireOperation({ children: _, ...operation }: Operation): PatchOperation {
  const { op, path, parent, properties, attributes, expect } = operation;
  const { Name: given, ...others } = properties ?? {};
  const isNamed = op === "create" && typeof given === "string" && operation.name === undefined;
  return {
    ...operation,
    ...(isNamed ? { name: given } : {}),
    ...(path === undefined ? {} : { path: wirePath(path) }),
    ...(parent === undefined ? {} : { parent: wirePath(parent) }),
    properties: wireValues(isNamed ? others : properties),
    attributes: wireValues(attributes),
    expect:
      expect === undefined
        ? undefined
        : {
            ...expect,
            ...(expect.parent === undefined ? {} : { parent: wirePath(expect.parent) }),
            properties: wireValues(expect.properties),
            attributes: wireValues(expect.attributes),
          },
  };
}

/** Luau drops a null of JSON, so nil travels as a value of its own. */
function wireValues(
  map: { readonly [name: string]: unknown } | undefined,
): { [name: string]: SerializedValue } | undefined {
  if (map === undefined) return undefined;
  return Object.fromEntries(
    // Anything that JSON can say is a serialized value; the plugin looks whether it fits.
    Object.entries(map).map(([name, value]) => [
      name,
      value === null ? { type: "nil" } : (value as SerializedValue),
    ]),
  );
}
