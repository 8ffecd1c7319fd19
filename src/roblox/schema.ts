/** What the class data says about classes in files: which properties they have, of which types, under which names. */
import type { ClassData } from "./class-data.ts";

export interface SchemaProperty {
  readonly kind: "property";
  readonly name: string;
  /** As the class data writes types: `bool`, `Enum.Material`, `Ref.BasePart`, `Vector3`. */
  readonly type: string;
  readonly isSaved: boolean;
  /** Whether a plugin may write it. */
  readonly isWritable: boolean;
  readonly isDeprecated: boolean;
}

/** Saved with a place, but no script ever sees it. */
interface HiddenProperty {
  readonly kind: "hidden";
  /** As rbx-dom's database names types. */
  readonly type: string;
}

export const isHiddenNumber = (property: SchemaProperty | HiddenProperty | undefined): boolean =>
  property?.kind === "hidden" && property.type === "Float32";

/** The offset of a WeldConstraint, which the engine gives when it is saved. */
export const isHiddenFrame = (property: SchemaProperty | HiddenProperty | undefined): boolean =>
  property?.kind === "hidden" && property.type === "CFrame";

interface ClassEntry {
  readonly superclass: string;
  readonly isService: boolean;
  readonly isCreatable: boolean;
  readonly properties: ReadonlyMap<string, SchemaProperty>;
  /** As the class data writes them. */
  readonly defaults: ReadonlyMap<string, string>;
  readonly aliases: ReadonlyMap<string, string>;
  /** Property by file name. */
  readonly fromFile: ReadonlyMap<string, string>;
  /** File name by property. */
  readonly toFile: ReadonlyMap<string, string>;
  readonly hidden: ReadonlyMap<string, HiddenProperty>;
  /** Newer property by the one it replaced. */
  readonly replaced: ReadonlyMap<string, string>;
  /** Text of the default by file name, for what no script sees. */
  readonly hiddenDefaults: ReadonlyMap<string, string>;
}

export class FileSchema {
  readonly #data: ClassData;
  readonly #entries = new Map<string, ClassEntry | undefined>();
  /** What was found by class and name. */
  readonly #properties = new Map<string, Map<string, SchemaProperty | HiddenProperty | undefined>>();

  constructor(data: ClassData) {
    this.#data = data;
  }

  isClass(className: string): boolean {
    return this.#entry(className) !== undefined;
  }

  isService(className: string): boolean {
    return this.#entry(className)?.isService === true;
  }

  isCreatable(className: string): boolean {
    return this.#entry(className)?.isCreatable === true;
  }

  /** Whether a class is another one, or inherits from it. A class that the data does not have is only itself. */
  isA(className: string, ancestor: string): boolean {
    for (let at = className; at !== ""; at = this.#entry(at)?.superclass ?? "")
      if (at === ancestor) return true;
    return false;
  }

  /** What a file, or a person, means by a name; undefined when neither class nor superclass has it. */
  property(className: string, name: string): SchemaProperty | HiddenProperty | undefined {
    let known = this.#properties.get(className);
    if (known === undefined) this.#properties.set(className, (known = new Map()));
    if (!known.has(name)) known.set(name, this.#findProperty(className, name));
    return known.get(name);
  }

  #findProperty(className: string, name: string): SchemaProperty | HiddenProperty | undefined {
    for (const entry of this.#lineage(className)) {
      const target = entry.fromFile.get(name) ?? entry.aliases.get(name);
      if (target !== undefined && target !== name) return this.property(className, target) ?? unknownTarget;
      const found = entry.properties.get(name) ?? entry.hidden.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What files call a property. */
  fileName(className: string, property: string): string {
    for (const entry of this.#lineage(className)) {
      const name = entry.toFile.get(property);
      if (name !== undefined) return name;
    }
    return property;
  }

  /** The property that has replaced one of that name; undefined where none has. */
  replacement(className: string, name: string): string | undefined {
    for (const entry of this.#lineage(className)) {
      const newer = entry.replaced.get(name);
      if (newer !== undefined) return newer;
    }
    return undefined;
  }

  /** The default that the nearest class of the lineage gives, as the class data writes it; undefined for none. */
  defaultText(className: string, property: string): string | undefined {
    for (const entry of this.#lineage(className)) {
      const text = entry.defaults.get(property);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** The text of what a property that no script sees holds at first; undefined where that is a kind of zero. */
  hiddenDefaultText(className: string, fileName: string): string | undefined {
    for (const entry of this.#lineage(className)) {
      const text = entry.hiddenDefaults.get(fileName);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** The number of an enum's item; undefined for an item that does not exist. */
  enumNumber(enumName: string, itemName: string): number | undefined {
    for (const item of (this.#data.enumItems(enumName) ?? "").split(",")) {
      const [name, number] = item.split("=");
      if (name === itemName) return Number(number);
    }
    return undefined;
  }

  /** The name of an enum's item; undefined for an item that does not exist. */
  enumItemName(enumName: string, number: number): string | undefined {
    for (const item of (this.#data.enumItems(enumName) ?? "").split(",")) {
      const [name, value] = item.split("=");
      if (value === String(number)) return name;
    }
    return undefined;
  }

  *#lineage(className: string): Generator<ClassEntry> {
    for (let at = this.#entry(className); at !== undefined; at = this.#entry(at.superclass)) yield at;
  }

  #entry(className: string): ClassEntry | undefined {
    if (!this.#entries.has(className)) {
      const line = className === "" ? undefined : this.#data.classLine(className);
      this.#entries.set(className, line === undefined ? undefined : parseEntry(line));
    }
    return this.#entries.get(className);
  }
}

/** A file name of a property that scripts cannot see either. */
const unknownTarget: HiddenProperty = { kind: "hidden", type: "" };

const unescape = (text: string): string => (text.includes("%") ? decodeURIComponent(text) : text);

const listOf = (text: string | undefined): string[] =>
  text === undefined || text === "" ? [] : text.split(",");

function parseEntry(line: string): ClassEntry {
  const [superclass = "", flags = "", properties, defaults, , , , files] = line.split("|");
  const entry = {
    superclass,
    isService: flags.includes("s"),
    isCreatable: flags.includes("c"),
    properties: new Map<string, SchemaProperty>(),
    defaults: new Map<string, string>(),
    aliases: new Map<string, string>(),
    fromFile: new Map<string, string>(),
    toFile: new Map<string, string>(),
    hidden: new Map<string, HiddenProperty>(),
    replaced: new Map<string, string>(),
    hiddenDefaults: new Map<string, string>(),
  };
  for (const text of listOf(properties)) {
    const [escaped = "", type = "", propertyFlags = ""] = text.split(":");
    const name = unescape(escaped);
    if (type.startsWith("=")) entry.aliases.set(name, type.slice(1));
    else
      entry.properties.set(name, {
        kind: "property",
        name,
        type,
        isSaved: propertyFlags.includes("s"),
        isWritable: !/[rx]/.test(propertyFlags),
        isDeprecated: propertyFlags.includes("d"),
      });
  }
  for (const text of listOf(defaults)) {
    const colon = text.indexOf(":");
    entry.defaults.set(unescape(text.slice(0, colon)), text.slice(colon + 1));
  }
  for (const text of listOf(files)) addFileName(entry, text);
  return entry;
}

/** The forms are described in scripts/classes/files.ts. */
function addFileName(
  entry: {
    readonly fromFile: Map<string, string>;
    readonly toFile: Map<string, string>;
    readonly hidden: Map<string, HiddenProperty>;
    readonly replaced: Map<string, string>;
    readonly hiddenDefaults: Map<string, string>;
  },
  text: string,
): void {
  const [, name = "", sign = "", target = ""] = /^([^=~>:!]+)([=~>:!])(.*)$/.exec(text) ?? [];
  if (sign === ":") entry.hidden.set(name, { kind: "hidden", type: target });
  if (sign === "=") entry.toFile.set(target, name);
  if (sign === "!") entry.hiddenDefaults.set(name, target);
  if (sign === ">") entry.replaced.set(name, target);
  if (sign === "=" || sign === "~") entry.fromFile.set(name, target);
}
