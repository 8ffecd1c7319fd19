/**
 * Describes classes, their members and enums out of the class data and the signatures of methods, for people and agents who
 * look them up. scripts/classes/compile.ts and scripts/build-signatures.ts describe the formats of the two texts.
 */
import { openClassData } from "./class-data.ts";
import type { ClassData } from "./class-data.ts";

export type MemberKind = "property" | "method" | "event" | "callback";
/** Who may read or call: any script, plugins, or only Roblox's own scripts. */
export type Security = "None" | "PluginSecurity" | "RobloxSecurity";

export interface ApiMember {
  readonly name: string;
  /** The class that declares it. */
  readonly owner: string;
  readonly kind: MemberKind;
  /** Type of a property; parameters and result of a method or callback; what an event gives to its listeners. */
  readonly type: string;
  readonly security: Security;
  /** Of a property that can be written. */
  readonly writeSecurity?: Security;
  readonly tags: readonly string[];
  /** Of a property whose default the class data knows, as Luau writes it. */
  readonly default?: string;
}

export interface ApiClass {
  readonly name: string;
  /** The superclasses, the nearest first. */
  readonly bases: readonly string[];
  readonly tags: readonly string[];
  /** Its own, without inherited ones. */
  readonly members: readonly ApiMember[];
}

export interface ApiEnum {
  readonly name: string;
  readonly items: readonly { readonly name: string; readonly value: number }[];
}

const CLASS_TAGS: readonly (readonly [string, boolean, string])[] = [
  ["c", false, "NotCreatable"],
  ["s", true, "Service"],
  ["d", true, "Deprecated"],
  ["b", true, "NotBrowsable"],
];
const VALUE_TYPES: { readonly [stored: string]: string } = {
  float: "number",
  double: "number",
  int: "number",
  int64: "number",
  bool: "boolean",
  Ref: "Instance",
};

/** The entries of one class line, each still as text. */
interface ClassFields {
  readonly superclass: string;
  readonly flags: string;
  readonly properties: readonly string[];
  readonly defaults: readonly string[];
  readonly methods: readonly string[];
  readonly events: readonly string[];
  readonly callbacks: readonly string[];
}

export class ClassApi {
  readonly #data: ClassData;
  readonly #signatures: ReadonlyMap<string, string>;
  /** The lines that were read, because one edit asks for the same few classes thousands of times. */
  readonly #parsed = new Map<string, ClassFields>();

  /** Throws when `classText` is not class data. */
  constructor(classText: string, signatureText: string) {
    this.#data = openClassData(classText);
    this.#signatures = signatureLines(signatureText);
  }

  classNames(): string[] {
    return this.#data.classNames();
  }

  enumNames(): string[] {
    return this.#data.enumNames();
  }

  class(name: string): ApiClass | undefined {
    const fields = this.#fields(name);
    if (fields === undefined) return undefined;
    const bases = this.#lineage(name).slice(1);
    return { name, bases, tags: classTags(fields.flags), members: this.#members(name, fields) };
  }

  enum(name: string): ApiEnum | undefined {
    const text = this.#data.enumItems(name);
    if (text === undefined) return undefined;
    const items = text.split(",").map((entry) => {
      const [item = "", value = ""] = entry.split("=");
      return { name: item, value: Number(value) };
    });
    return { name, items };
  }

  /** The member of a class, declared there or inherited, with the default that this class gives it. */
  member(className: string, memberName: string): ApiMember | undefined {
    const member = this.#members(className, this.#fields(className)).find(({ name }) => name === memberName);
    if (member !== undefined) return member;
    const superclass = this.#fields(className)?.superclass ?? "";
    const inherited = superclass === "" ? undefined : this.member(superclass, memberName);
    if (inherited?.kind !== "property") return inherited;
    const value = this.#default(className, inherited);
    return value === undefined ? inherited : { ...inherited, default: value };
  }

  /** The classes that declare a member of this name. */
  ownersOf(memberName: string): string[] {
    return this.classNames().filter((name) => {
      const fields = this.#fields(name);
      const entries = [fields?.properties, fields?.methods, fields?.events, fields?.callbacks].flat();
      return entries.some((entry) => entry === memberName || entry?.startsWith(`${memberName}:`));
    });
  }

  #fields(className: string): ClassFields | undefined {
    const known = this.#parsed.get(className) ?? this.#parse(className);
    if (known !== undefined) this.#parsed.set(className, known);
    return known;
  }

  #parse(className: string): ClassFields | undefined {
    const line = this.#data.classLine(className);
    if (line === undefined) return undefined;
    const [superclass = "", flags = "", ...lists] = line.split("|");
    const [properties = [], defaults = [], methods = [], events = [], callbacks = []] = lists.map((list) =>
      list === "" ? [] : list.split(","),
    );
    return { superclass, flags, properties, defaults, methods, events, callbacks };
  }

  /** The class itself, then its superclasses. */
  #lineage(className: string): string[] {
    const superclass = this.#fields(className)?.superclass ?? "";
    return superclass === "" ? [className] : [className, ...this.#lineage(superclass)];
  }

  #members(owner: string, fields: ClassFields | undefined): ApiMember[] {
    if (fields === undefined) return [];
    const signatures = signaturesIn(this.#signatures.get(owner));
    const functions = (kind: MemberKind, entries: readonly string[]) =>
      entries.map((entry) => functionMember(owner, kind, entry, signatures));
    return [
      ...this.#properties(owner, fields.properties),
      ...functions("method", fields.methods),
      ...functions("event", fields.events),
      ...functions("callback", fields.callbacks),
    ];
  }

  #properties(owner: string, entries: readonly string[]): ApiMember[] {
    const parts = entries.map((entry) => {
      const [name = "", type = "", flags = ""] = entry.split(":");
      return { name: unescape(name), type, flags };
    });
    return parts.map(({ name, type, flags }) => {
      const isAlias = type.startsWith("=");
      const stored = isAlias ? (parts.find((other) => other.name === type.slice(1))?.type ?? "any") : type;
      const isReadOnly = flags.includes("r");
      const member: ApiMember = {
        name,
        owner,
        kind: "property",
        type: luauType(stored, flags),
        security: securityOf(flags, "p"),
        ...(isReadOnly ? {} : { writeSecurity: securityOf(flags, "w") }),
        tags: propertyTags(flags),
      };
      const value = this.#default(owner, member);
      return value === undefined ? member : { ...member, default: value };
    });
  }

  /** The default that the nearest class of the lineage gives to the property. */
  #default(className: string, { name, type }: ApiMember): string | undefined {
    for (const each of this.#lineage(className)) {
      const entries = this.#fields(each)?.defaults ?? [];
      const entry = entries.find((text) => unescape(text.slice(0, text.indexOf(":"))) === name);
      if (entry !== undefined) return this.#valueText(type, entry.slice(entry.indexOf(":") + 1));
    }
    return undefined;
  }

  /** `text` is the default as the class data has it: its components, with blanks between them. */
  #valueText(type: string, text: string): string {
    if (type.startsWith("Enum.")) {
      const item = this.enum(type.slice("Enum.".length))?.items.find(({ value }) => value === Number(text));
      return item === undefined ? text : `${type}.${item.name}`;
    }
    if (type === "number" || type === "boolean") return text;
    if (type === "string" || type.startsWith("Content")) return JSON.stringify(unescape(text));
    return `${type}.new(${text.split(" ").map(unescape).join(", ")})`;
  }
}

function signatureLines(text: string): Map<string, string> {
  const lines = text.split("\n").slice(1);
  return new Map(lines.map((line) => [line.slice(0, line.indexOf("|")), line.slice(line.indexOf("|") + 1)]));
}

function signaturesIn(line: string | undefined): ReadonlyMap<string, string> {
  const entries = line === undefined ? [] : line.split("\t");
  return new Map(
    entries.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
}

const UNKNOWN_SIGNATURE: { readonly [Kind in MemberKind]: string } = {
  property: "any",
  method: "(...any) -> ...any",
  event: "(...any)",
  callback: "(...any) -> ...any",
};

function functionMember(
  owner: string,
  kind: MemberKind,
  entry: string,
  signatures: ReadonlyMap<string, string>,
): ApiMember {
  const [name = "", flags = ""] = entry.split(":");
  const tags = [...(flags.includes("y") ? ["Yields"] : []), ...(flags.includes("d") ? ["Deprecated"] : [])];
  const type = signatures.get(name) ?? UNKNOWN_SIGNATURE[kind];
  return { name, owner, kind, type, security: securityOf(flags, "p"), tags };
}

function securityOf(flags: string, pluginFlag: string): Security {
  if (flags.includes("x")) return "RobloxSecurity";
  return flags.includes(pluginFlag) ? "PluginSecurity" : "None";
}

function classTags(flags: string): string[] {
  return CLASS_TAGS.flatMap(([flag, isTagWith, tag]) => (flags.includes(flag) === isTagWith ? [tag] : []));
}

function propertyTags(flags: string): string[] {
  return [
    ...(flags.includes("r") ? ["ReadOnly"] : []),
    ...(flags.includes("d") ? ["Deprecated"] : []),
    ...(flags.includes("h") ? ["Hidden"] : []),
    ...(flags.includes("c") ? ["NotSaved"] : []),
  ];
}

function luauType(stored: string, flags: string): string {
  const type = VALUE_TYPES[stored] ?? stored.replace(/^Ref\./, "");
  const mayBeNil = flags.includes("o") && type !== "any";
  return mayBeNil ? `${type}?` : type;
}

/** The reverse of `escapeText` in scripts/classes/database.ts. */
function unescape(text: string): string {
  return text.includes("%") ? decodeURIComponent(text) : text;
}
