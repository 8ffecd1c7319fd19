// Joins the two sources into the text of the class data file. The format is described at `compileClasses`;
// src/headless/engine/Reflection.luau is its only reader.
import { aliasOf, defaultText, escapeText, serializes, storedType, type Database } from "./database.ts";
import type { StoredClass, StoredProperty } from "./database.ts";
import type { DeclaredClass, DeclaredClasses, DeclaredMember, DeclaredProperty } from "./declarations.ts";
import { fileNames, hiddenDefaults } from "./files.ts";
import { LUAU_DATATYPES } from "../../src/values/datatypes.ts";
import { corrected, joined, parametersIn } from "./parameters.ts";
import { hoistDefaults, type ClassNode } from "./defaults.ts";
import { isSafeMethod, isUnsafeProperty } from "./thread-safety.ts";

interface PropertyEntry {
  type: string;
  flags: string;
}

interface ClassEntry {
  superclass: string | undefined;
  flags: string;
  properties: Map<string, PropertyEntry>;
  declared: DeclaredClass | undefined;
  stored: StoredClass | undefined;
}

/**
 * One line per class, then a blank line, then one line per enum.
 *
 *   Class|Super|flags|properties|defaults|methods|events|callbacks|files
 *     flags       c creatable, s service, d deprecated, b not browsable
 *     properties  Name:type:flags joined by `,`; a type `=Other` is another spelling of the property Other
 *                 flags: r read-only, p needs plugin security to read, w needs it to write, x for Roblox only,
 *                 o may be nil, s is saved with the place, c is known not to be, d deprecated, h hidden, u may not be read in parallel
 *     defaults    Name:value joined by `,`; only what differs from the superclass
 *     files       what place files call properties, as files.ts says
 *     members     Name:flags:parameters joined by `,` (p plugin security, y yields, d deprecated, t may be called in parallel); methods alone have
 *                 parameters, as parameters.ts says; `:` is left out before nothing
 *   Enum|Item=Number,Item=Number in ascending order, then old names of items with the numbers of those
 */
export function compileClasses(
  declared: DeclaredClasses,
  database: Database,
  enums: ReadonlyMap<string, ReadonlyMap<string, number>>,
): string {
  const entries = collectEntries(declared, database);
  const defaults = hoistDefaults(nodesOf(entries));
  const hidden = hiddenDefaults(database);
  const names = [...entries.keys()].sort();
  const classLines = names.map((name) =>
    classLine(name, entries, defaults.get(name) ?? new Map(), hidden.get(name) ?? []),
  );
  return `${classLines.join("\n")}\n\n${enumLines(database, enums).join("\n")}\n`;
}

function collectEntries(declared: DeclaredClasses, database: Database): Map<string, ClassEntry> {
  const entries = new Map<string, ClassEntry>();
  for (const name of new Set([...Object.keys(database.Classes), ...declared.keys()])) {
    const ours = declared.get(name);
    const stored = database.Classes[name];
    const tags = new Set([...(stored?.Tags ?? []), ...(ours?.tags ?? [])]);
    const deprecated = tags.has("Deprecated") || (stored === undefined && ours?.deprecated === true);
    entries.set(name, {
      superclass: ours?.superclass ?? stored?.Superclass ?? undefined,
      flags: flagText([
        [!tags.has("NotCreatable"), "c"],
        [tags.has("Service"), "s"],
        [deprecated, "d"],
        [tags.has("NotBrowsable"), "b"],
      ]),
      properties: joinProperties(ours, stored),
      declared: ours,
      stored,
    });
  }
  return entries;
}

function joinProperties(ours: DeclaredClass | undefined, stored: StoredClass | undefined) {
  const properties = new Map<string, PropertyEntry>();
  for (const [name, property] of Object.entries(stored?.Properties ?? {})) {
    const entry = propertyEntry(ours?.properties.get(name), property);
    if (entry !== undefined) properties.set(name, entry);
  }
  for (const [name, property] of ours?.properties ?? []) {
    const entry = properties.has(name) ? undefined : propertyEntry(property, undefined);
    if (entry !== undefined) properties.set(name, entry);
  }
  return properties;
}

function propertyEntry(
  declared: DeclaredProperty | undefined,
  stored: StoredProperty | undefined,
): PropertyEntry | undefined {
  const scriptable = stored !== undefined && stored.Scriptability.startsWith("Read");
  // Hidden from every script, unlike the ones that merely need Roblox's own security level.
  const unreachable = stored?.Tags.includes("NotScriptable") === true || stored?.Scriptability === "Custom";
  if (declared === undefined && !scriptable && unreachable) return undefined;
  const alias = stored === undefined ? undefined : aliasOf(stored);
  if (declared === undefined && alias !== undefined && !scriptable) return undefined;
  const locked = declared === undefined && !scriptable;
  const security = declared ?? undeclaredSecurity(stored);
  const readOnly = declared ? declared.writeSecurity === undefined : stored?.Scriptability === "Read";
  return {
    type: alias === undefined ? propertyType(declared, stored) : `=${alias}`,
    flags: flagText([
      [readOnly, "r"],
      [!locked && security.readSecurity === "plugin", "p"],
      [!locked && security.writeSecurity === "plugin", "w"],
      [locked, "x"],
      [declared?.type.includes("undefined") === true, "o"],
      [stored !== undefined && serializes(stored), "s"],
      [stored !== undefined && !serializes(stored), "c"],
      [declared?.deprecated === true || stored?.Tags.includes("Deprecated") === true, "d"],
      [declared?.hidden === true || stored?.Tags.includes("Hidden") === true, "h"],
    ]),
  };
}

/** A scriptable property that the declarations leave out is one that only plugins reach, unless it is merely old. */
function undeclaredSecurity(stored: StoredProperty | undefined) {
  const level = stored?.Tags.includes("Deprecated") === true ? ("none" as const) : ("plugin" as const);
  return { readSecurity: level, writeSecurity: level };
}

const DECLARED_TYPES: Record<string, string> = {
  boolean: "bool",
  number: "double",
  ProtectedString: "string",
  unknown: "any",
};

function propertyType(declared: DeclaredProperty | undefined, stored: StoredProperty | undefined): string {
  const type = declared?.type.replace(/ \| undefined$/, "") ?? "";
  const storedName = stored === undefined ? undefined : storedType(stored);
  if (storedName !== undefined && storedName !== "Ref") return storedName;
  if (storedName === undefined && DECLARED_VALUES.has(type)) return type;
  if (type.startsWith("Enum.")) return type;
  const plain = DECLARED_TYPES[type];
  if (plain !== undefined && storedName === undefined) return plain;
  return /^\w+$/.test(type) && type !== "Instance" ? `Ref.${type}` : "Ref";
}

/** Declared types that are values of their own, where the database does not know the property. */
const DECLARED_VALUES = new Set<string>([
  ...LUAU_DATATYPES,
  ..."string Axes BrickColor Content ContentId DateTime Faces Font QDir QFont SecurityCapabilities TweenInfo User".split(
    " ",
  ),
]);

function nodesOf(entries: ReadonlyMap<string, ClassEntry>): Map<string, ClassNode> {
  const nodes = new Map<string, ClassNode>();
  for (const [name, entry] of entries) {
    const known = inheritedProperties(name, entries);
    const defaults = new Map<string, string>();
    for (const [property, value] of Object.entries(entry.stored?.DefaultProperties ?? {})) {
      const text = known.has(property) ? defaultText(value) : undefined;
      if (text !== undefined) defaults.set(property, text);
    }
    nodes.set(name, { superclass: entry.superclass, declares: new Set(entry.properties.keys()), defaults });
  }
  return nodes;
}

function withSuperclasses(name: string, entries: ReadonlyMap<string, ClassEntry>): readonly string[] {
  const names: string[] = [];
  for (let at: string | undefined = name; at !== undefined; at = entries.get(at)?.superclass) names.push(at);
  return names;
}

/** Readable properties of a class and its superclasses. */
function inheritedProperties(name: string, entries: ReadonlyMap<string, ClassEntry>): Set<string> {
  const names = new Set<string>();
  for (let at: string | undefined = name; at !== undefined; at = entries.get(at)?.superclass) {
    for (const [property, entry] of entries.get(at)?.properties ?? []) {
      if (!entry.flags.includes("x")) names.add(property);
    }
  }
  return names;
}

function classLine(
  name: string,
  entries: ReadonlyMap<string, ClassEntry>,
  defaults: ReadonlyMap<string, string>,
  hidden: readonly string[],
): string {
  const entry = entries.get(name);
  const names = withSuperclasses(name, entries);
  const properties = [...(entry?.properties ?? [])].map(([property, { type, flags }]) =>
    [escapeText(property), type, `${flags}${isUnsafeProperty(names, property) ? "u" : ""}`].join(":"),
  );
  return [
    name,
    entry?.superclass ?? "",
    entry?.flags ?? "",
    properties.join(","),
    [...defaults].map(([property, value]) => `${escapeText(property)}:${value}`).join(","),
    memberText(
      entry?.declared?.methods,
      (method, declared) => parametersOf(name, method, declared, (type) => entries.has(type)),
      (method) => isSafeMethod(names, method),
    ),
    memberText(entry?.declared?.events),
    memberText(entry?.declared?.callbacks),
    fileNames(entry?.stored, hidden),
  ].join("|");
}

function parametersOf(
  className: string,
  method: string,
  { parameters }: DeclaredMember,
  isClass: (name: string) => boolean,
): string {
  const each = parameters.map((text) => parametersIn(text, isClass));
  return corrected(className, method, each.reduce(joined));
}

function memberText(
  members: ReadonlyMap<string, DeclaredMember> | undefined,
  parametersOfMember?: (name: string, member: DeclaredMember) => string,
  isSafe?: (name: string) => boolean,
): string {
  const texts = [...(members ?? [])].map(([name, member]) => {
    const flags = flagText([
      [member.security === "plugin", "p"],
      [member.yields, "y"],
      [member.deprecated, "d"],
      [isSafe?.(name) === true, "t"],
    ]);
    const parameters = parametersOfMember?.(name, member) ?? "";
    return [name, flags, parameters].join(":").replace(/:+$/, "");
  });
  return texts.join(",");
}

/** Both sources know enums; the one with more items is the newer. */
function enumLines(database: Database, enums: ReadonlyMap<string, ReadonlyMap<string, number>>): string[] {
  const names = new Set([...Object.keys(database.Enums), ...enums.keys()]);
  return [...names].sort().map((name) => {
    const stored = Object.entries(database.Enums[name]?.items ?? {});
    const declared = [...(enums.get(name) ?? [])];
    const numbers = declared.map(([, value]) => value);
    const current = declared.filter(([, value], at) => numbers.indexOf(value) === at);
    const oldNames = declared.filter(([, value], at) => numbers.indexOf(value) !== at);
    const items = stored.length > current.length ? stored : current;
    const sorted = [...items.toSorted((a, b) => a[1] - b[1]), ...oldNames];
    return `${name}|${sorted.map(([item, value]) => `${item}=${value}`).join(",")}`;
  });
}

function flagText(flags: ReadonlyArray<readonly [boolean, string]>): string {
  return flags.map(([on, letter]) => (on ? letter : "")).join("");
}
