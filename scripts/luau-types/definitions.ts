/**
 * Writes the Luau definitions of Roblox's globals, as luau-lsp reads them: classes, enums and their properties from
 * build/classes.txt, the signatures of methods and the datatypes from @rbxts/types.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildClassesAsync } from "../build-classes.ts";
import { libraryFunctions, neverNil, valueExtras, withoutLibrary } from "./datatype-extras.ts";
import { declaredInterfaces, type DeclaredInterface } from "./declared-interfaces.ts";
import { type KnownTypes, luauType, parameterTypes, resultType } from "./luau-type.ts";

const TYPES = join(import.meta.dir, "../../node_modules/@rbxts/types/include");
const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** The globals that belong to no class or datatype, and the types that the rest is written in. */
const GLOBALS = readFileSync(join(import.meta.dir, "globals.d.luau"), "utf8");

/** One class of build/classes.txt, whose format scripts/classes/compile.ts describes. */
export interface ClassLine {
  readonly name: string;
  readonly superclass: string;
  readonly flags: string;
  readonly properties: readonly string[];
  readonly methods: readonly string[];
  readonly events: readonly string[];
  readonly callbacks: readonly string[];
}

function readClass(line: string): ClassLine {
  const [name = "", superclass = "", flags = "", ...lists] = line.split("|");
  const [properties = [], , methods = [], events = [], callbacks = []] = lists.map((list) =>
    list.split(",").filter((item) => item !== ""),
  );
  return { name, superclass, flags, properties, methods, events, callbacks };
}

export const nameOf = (member: string): string => member.split(":")[0] ?? "";

/** A class follows the class that it extends. */
function bySuperclass(classes: readonly ClassLine[]): ClassLine[] {
  const byName = new Map(classes.map((each) => [each.name, each]));
  const sorted = new Set<ClassLine>();
  const add = (each: ClassLine): void => {
    const parent = byName.get(each.superclass);
    if (parent !== undefined) add(parent);
    sorted.add(each);
  };
  classes.forEach(add);
  return [...sorted];
}

const VALUE_TYPES: Readonly<Record<string, string>> = {
  bool: "boolean",
  float: "number",
  double: "number",
  int: "number",
  int64: "number",
  Ref: "Instance",
};

function propertyType(stored: string, flags: string, known: KnownTypes): string {
  const type = VALUE_TYPES[stored] ?? luauType(stored.replace(/^Ref\./, ""), known);
  return flags.includes("o") && type !== "any" ? `${type}?` : type;
}

function propertyLines(className: string, properties: readonly string[], known: KnownTypes): string[] {
  const entries = new Map(
    properties.map((property) => {
      const [name = "", type = "", flags = ""] = property.split(":");
      return [name, { type, flags }] as const;
    }),
  );
  return [...entries].flatMap(([name, { type, flags }]) => {
    if (!IDENTIFIER.test(name) || flags.includes("x")) return [];
    const target = type.startsWith("=") ? entries.get(type.slice(1)) : { type, flags };
    const luau = target === undefined ? "any" : propertyType(target.type, target.flags, known);
    return [`\t${name}: ${neverNil.has(`${className}.${name}`) ? luau.replace(/\?$/, "") : luau}`];
  });
}

export interface Signature {
  readonly parameters: readonly string[];
  readonly result: string;
}

/** Every declared signature of a member; several are an overload. */
export function signaturesOf(name: string, members: readonly string[], known: KnownTypes): Signature[] {
  const pattern = new RegExp(`^${name}(?:<.*?>)? ?\\((.*)\\): (.+)$`);
  const signatures = members.flatMap((member): Signature[] => {
    const [, parameters, result] = pattern.exec(member) ?? [];
    if (parameters === undefined || result === undefined) return [];
    return [{ parameters: parameterTypes(parameters, known), result: resultType(result, known) }];
  });
  return [...new Map(signatures.map((each) => [JSON.stringify(each), each])).values()];
}

/** The type of a function with these signatures; `self` is its first parameter, if it has one. */
function functionType(signatures: readonly Signature[], self: readonly string[]): string {
  const types = signatures.map(
    ({ parameters, result }) => `(${[...self, ...parameters].join(", ")}) -> ${result}`,
  );
  return types.length > 1 ? types.map((type) => `(${type})`).join(" & ") : (types[0] ?? "any");
}

function methodLine(name: string, members: readonly string[], known: KnownTypes): string {
  const signatures = signaturesOf(name, members, known);
  const [only] = signatures;
  if (only === undefined) return `\tfunction ${name}(self, ...: any): ...any`;
  if (signatures.length > 1) return `\t${name}: ${functionType(signatures, ["self: any"])}`;
  // A method names its rest parameter, a function type only gives the type of it.
  const parameters = only.parameters.map((parameter) => parameter.replace(/^\.\.\./, "...: "));
  return `\tfunction ${name}(${["self", ...parameters].join(", ")}): ${only.result}`;
}

function classText(each: ClassLine, members: readonly string[], known: KnownTypes): string {
  const lines = [
    ...propertyLines(each.name, each.properties, known),
    ...each.methods.map((method) => methodLine(nameOf(method), members, known)),
    ...each.events.map((event) => `\t${nameOf(event)}: RBXScriptSignal`),
    ...each.callbacks.map((callback) => `\t${nameOf(callback)}: ((...any) -> ...any)?`),
  ];
  const parent = each.superclass === "" ? "" : ` extends ${each.superclass}`;
  return [`declare extern type ${each.name}${parent} with`, ...lines, "end"].join("\n");
}

function enumText(line: string): string {
  const [name = "", items = ""] = line.split("|");
  const fields = items
    .split(",")
    .map((item) => item.split("=")[0] ?? "")
    .filter((item) => IDENTIFIER.test(item));
  return [
    `declare extern type Enum${name} extends EnumItem with end`,
    `declare extern type Enum${name}_INTERNAL extends Enum with`,
    ...fields.map((field) => `\t${field}: Enum${name}`),
    "end",
  ].join("\n");
}

function enumListText(names: readonly string[]): string {
  return [
    "declare extern type Enums with",
    "\tfunction GetEnums(self): { Enum }",
    ...names.map((name) => `\t${name}: Enum${name}_INTERNAL`),
    "end",
    "declare Enum: Enums",
  ].join("\n");
}

/** The members of a datatype's values, or of the table that makes them. */
function fieldLines(members: readonly string[], self: readonly string[], known: KnownTypes): string[] {
  const names = new Set(members.map((member) => /^(?:readonly )?(\w+)/.exec(member)?.[1] ?? ""));
  return [...names].flatMap((name) => {
    if (!IDENTIFIER.test(name) || name.startsWith("_nominal_")) return [];
    const field = members.find((member) => new RegExp(`^(?:readonly )?${name}\\??: `).test(member));
    const type = field === undefined ? undefined : luauType(field.slice(field.indexOf(": ") + 2), known);
    return [`\t${name}: ${type ?? functionType(signaturesOf(name, members, known), self)}`];
  });
}

interface Datatype {
  readonly name: string;
  readonly values: readonly string[];
  readonly library: readonly string[];
}

/** A datatype is an interface `X` beside the `XConstructor` that makes its values. */
function datatypesOf(interfaces: readonly DeclaredInterface[], classes: ReadonlySet<string>): Datatype[] {
  const membersOf = (name: string): string[] =>
    interfaces.filter((each) => each.name === name).flatMap(({ members }) => members);
  return interfaces.flatMap(({ name }) => {
    const datatype = name.replace(/Constructor$/, "");
    const values = membersOf(datatype);
    if (withoutLibrary.has(name)) return [{ name, values, library: [] }];
    if (datatype === name || values.length === 0 || classes.has(datatype)) return [];
    return [{ name: datatype, values, library: membersOf(name) }];
  });
}

function libraryText(name: string, library: readonly string[], known: KnownTypes): string[] {
  const lines = fieldLines(library, [], known).map((line) => {
    const [field = ""] = line.trim().split(":", 1);
    const better = libraryFunctions[`${name}.${field}`];
    return better === undefined ? `${line},` : `\t${field}: ${better},`;
  });
  return [`declare ${name}: {`, ...lines, "}"];
}

function datatypeText({ name, values, library }: Datatype, known: KnownTypes): string {
  return [
    `declare extern type ${name} with`,
    ...fieldLines(values, [`self: ${name}`], known),
    ...(valueExtras[name] ?? []),
    "end",
    ...(library.length === 0 ? [] : libraryText(name, library, known)),
  ].join("\n");
}

/** What luau-lsp must know to give `GetService` and `Instance.new` their types. */
function metadata(classes: readonly ClassLine[]): string {
  const withFlag = (flag: string) =>
    classes.filter(({ flags }) => flags.includes(flag)).map(({ name }) => name);
  return `--#METADATA#${JSON.stringify({ CREATABLE_INSTANCES: withFlag("c"), SERVICES: withFlag("s") })}`;
}

/** The class data and the declarations, read and ready to be written as something else. */
interface Declarations {
  readonly classes: readonly ClassLine[];
  readonly enums: readonly string[];
  readonly datatypes: readonly Datatype[];
  readonly known: KnownTypes;
  readonly membersOf: (className: string) => readonly string[];
}

export async function declarationsAsync(): Promise<Declarations> {
  const data = await Bun.file(await buildClassesAsync()).text();
  const [classLines = "", enumLines = ""] = data.slice(data.indexOf("\n") + 1).split("\n\n");
  const classes = bySuperclass(classLines.split("\n").map(readClass));
  const enums = enumLines.trimEnd().split("\n");
  const enumNames = enums.map((line) => line.split("|")[0] ?? "");

  const read = (file: string) => declaredInterfaces(readFileSync(join(TYPES, file), "utf8"));
  const generated = [...read("generated/None.d.ts"), ...read("generated/PluginSecurity.d.ts")];
  const members = Map.groupBy(generated, ({ name }) => name);
  const datatypes = datatypesOf(read("roblox.d.ts"), new Set(classes.map(({ name }) => name)));

  const known = new Set([
    ...classes.map(({ name }) => name),
    ...datatypes.map(({ name }) => name),
    ...enumNames.map((name) => `Enum${name}`),
    "RBXScriptConnection",
    "RBXScriptSignal",
  ]);
  const membersOf = (name: string) => (members.get(name) ?? []).flatMap((each) => each.members);
  return { classes, enums, datatypes, known, membersOf };
}

export async function definitionsAsync(): Promise<string> {
  const { classes, enums, datatypes, known, membersOf } = await declarationsAsync();
  const enumNames = enums.map((line) => line.split("|")[0] ?? "");
  return [
    metadata(classes),
    [
      "declare extern type Enum with",
      "\tfunction GetEnumItems(self): { EnumItem }",
      "\tfunction FromName(self, name: string): EnumItem?",
      "\tfunction FromValue(self, value: number): EnumItem?",
      "end",
    ].join("\n"),
    "declare extern type EnumItem with\n\tName: string\n\tValue: number\n\tEnumType: Enum\nend",
    ...enums.map(enumText),
    enumListText(enumNames),
    ...datatypes.map((datatype) => datatypeText(datatype, known)),
    ...classes.map((each) => classText(each, membersOf(each.name), known)),
    GLOBALS,
  ].join("\n\n");
}
