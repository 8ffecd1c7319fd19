// Reads the generated declaration files of @rbxts/types into plain records: which class has which members,
// behind which security level. Knows nothing of defaults or serialisation.

type Security = "none" | "plugin";

export interface DeclaredProperty {
  type: string;
  readSecurity: Security | undefined;
  writeSecurity: Security | undefined;
  deprecated: boolean;
  hidden: boolean;
}

export interface DeclaredMember {
  security: Security;
  yields: boolean;
  deprecated: boolean;
  /** Of methods: what stands between the parentheses of each declaration. */
  parameters: readonly string[];
}

export interface DeclaredClass {
  superclass: string | undefined;
  tags: ReadonlySet<string>;
  deprecated: boolean;
  properties: Map<string, DeclaredProperty>;
  methods: Map<string, DeclaredMember>;
  events: Map<string, DeclaredMember>;
  callbacks: Map<string, DeclaredMember>;
}

export type DeclaredClasses = Map<string, DeclaredClass>;

/** Interfaces of the generated files that are lists of classes, not classes. */
const LISTS = new Set(["Services", "CreatableInstances", "Instances", "Objects"]);
const CLASS_HEADER = /^interface (\w+)(?:<[^>]*>)?(?: extends (\w+))?.* \{$/;
const ACCESSOR = /^(get|set) (\w+|"[^"]+")\((?:value: (.+))?\)(?:: (.+))?;$/;
const METHOD = /^(\w+)(?:<.*?>)?\(/;
const PARAMETERS = /^\w+(?:<.*?>)?\((.*)\): .+;$/;
const FIELD = /^(readonly )?(\w+|"[^"]+")\??: (.+);$/;

/** Merges the members of one declaration file into `classes`; every one of them needs `security`. */
export function readDeclarations(text: string, security: Security, classes: DeclaredClasses): void {
  let doc = "";
  let current: DeclaredClass | undefined;
  let pending = "";
  let inDoc = false;
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (inDoc || trimmed.startsWith("/**")) {
      doc = inDoc ? `${doc}\n${trimmed}` : trimmed;
      inDoc = !trimmed.endsWith("*/");
    } else if (current === undefined) {
      pending = pending !== "" || trimmed.startsWith("interface ") ? `${pending}${trimmed}` : "";
      if (!pending.endsWith(" {")) continue;
      current = openClass(pending, doc, classes);
      pending = "";
      doc = "";
    } else if (line === "}") {
      current = undefined;
      doc = "";
    } else if (trimmed !== "") {
      pending = pending === "" ? trimmed : `${pending} ${trimmed}`;
      if (!pending.endsWith(";") || !isBalanced(pending)) continue;
      addMember(current, pending, doc, security);
      pending = "";
      doc = "";
    }
  }
}

function openClass(line: string, doc: string, classes: DeclaredClasses): DeclaredClass | undefined {
  const header = CLASS_HEADER.exec(line);
  const name = header?.[1];
  if (name === undefined || LISTS.has(name)) return undefined;
  const known = classes.get(engineName(name));
  if (known !== undefined) return known;
  const opened: DeclaredClass = {
    superclass: header?.[2] === undefined ? undefined : engineName(header[2]),
    tags: new Set(tagsOf(doc)),
    deprecated: isDeprecated(doc),
    properties: new Map(),
    methods: new Map(),
    events: new Map(),
    callbacks: new Map(),
  };
  classes.set(engineName(name), opened);
  return opened;
}

function addMember(owner: DeclaredClass, text: string, doc: string, security: Security): void {
  if (text.includes("_nominal_")) return;
  const member: DeclaredMember = {
    security,
    yields: tagsOf(doc).includes("Yields"),
    deprecated: isDeprecated(doc),
    parameters: [],
  };
  const accessor = ACCESSOR.exec(text);
  if (accessor !== null) {
    addAccessor(owner, accessor, doc, security);
    return;
  }
  const method = METHOD.exec(text);
  const field = FIELD.exec(text);
  if (method?.[1] !== undefined) {
    const known = owner.methods.get(method[1]) ?? member;
    const [, parameters = ""] = PARAMETERS.exec(text) ?? [];
    owner.methods.set(method[1], { ...known, parameters: [...known.parameters, parameters] });
  } else if (field?.[2] !== undefined && field[3] !== undefined) {
    const name = unquote(field[2]);
    const type = field[3];
    // `Changed` is declared loosely where its signature differs between subclasses.
    if (type.startsWith("RBXScriptSignal") || name === "Changed") addEvent(owner, name, member);
    else if (type.includes("=>") || type === "T | undefined") owner.callbacks.set(name, member);
    // `never` hides an inherited method from TypeScript; the engine knows no such property.
    else if (type !== "never") {
      const property = propertyOf(owner, name, type, doc);
      property.readSecurity ??= security;
      if (field[1] === undefined) property.writeSecurity ??= security;
    }
  } else {
    throw new Error(`Member not understood: ${text.slice(0, 120)}`);
  }
}

function addEvent(owner: DeclaredClass, name: string, member: DeclaredMember): void {
  if (!owner.events.has(name)) owner.events.set(name, member);
}

function addAccessor(owner: DeclaredClass, match: RegExpExecArray, doc: string, security: Security): void {
  const [, kind, name, setType, getType] = match;
  const type = setType ?? getType;
  if (name === undefined || type === undefined) throw new Error(`Accessor not understood: ${match[0]}`);
  const property = propertyOf(owner, unquote(name), type, doc);
  if (kind === "get") property.readSecurity ??= security;
  else property.writeSecurity ??= security;
}

function propertyOf(owner: DeclaredClass, name: string, type: string, doc: string): DeclaredProperty {
  const known = owner.properties.get(name);
  if (known !== undefined) return known;
  const created: DeclaredProperty = {
    type,
    readSecurity: undefined,
    writeSecurity: undefined,
    deprecated: isDeprecated(doc),
    hidden: tagsOf(doc).includes("Hidden"),
  };
  owner.properties.set(name, created);
  return created;
}

/** Item name → number for every enum of the declaration file; an old name of an item comes after it. */
export function readEnums(text: string): Map<string, Map<string, number>> {
  const enums = new Map<string, Map<string, number>>();
  let items = new Map<string, number>();
  let itemName = "";
  const pattern =
    /^ {4}export namespace (\w+)|^ {8}export interface (\w+) extends|^ {12}Value: (-?\d+);|^ {8}export const (\w+): (\w+);/gm;
  for (const [, enumName, name, value, constant, current = ""] of text.matchAll(pattern)) {
    if (enumName !== undefined) {
      items = new Map();
      enums.set(enumName, items);
    } else if (name !== undefined) {
      itemName = name;
    } else if (value !== undefined) {
      items.set(itemName, Number(value));
    } else if (constant !== undefined) {
      const number = items.get(current);
      if (number !== undefined) items.set(constant, number);
    }
  }
  return enums;
}

function engineName(declaredName: string): string {
  return declaredName === "RBXObject" ? "Object" : declaredName;
}

function unquote(name: string): string {
  return name.replaceAll('"', "");
}

function tagsOf(doc: string): string[] {
  const tags = /\*\*Tags\*\*: (.+)/.exec(doc)?.[1];
  return tags === undefined ? [] : tags.split(",").map((tag) => tag.trim());
}

function isDeprecated(doc: string): boolean {
  return /@deprecated/.test(doc);
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text.replaceAll("=>", "")) {
    if ("({[<".includes(char)) depth += 1;
    else if (")}]>".includes(char)) depth -= 1;
  }
  return depth === 0;
}
