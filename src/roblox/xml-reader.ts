/** Reads `.rbxlx` and `.rbxmx`, version 4 of the XML format. */
import type { ByteString } from "../util/bytes.ts";
import type { ReadModel } from "./binary-reader.ts";
import { ModelBuilder, NO_PARENT } from "./model.ts";
import type { FileValue } from "./model.ts";
import { parseXml, type XmlElement, type XmlListener } from "./xml-parser.ts";
import { parseBase64, readXmlValue, type XmlReadContext } from "./xml-values.ts";

const VERSION = "4";
const FOREIGN = "not a Roblox file";

/** Throws an Error that says what is wrong with a file that is cut, foreign or inconsistent. */
export function readXmlModel(source: string): ReadModel {
  const reader = new Reader(source);
  parseXml(source, reader);
  return reader.finish();
}

/** The text of a file that is not binary. Throws an Error that says why it is no XML. */
export function xmlTextOf(file: Uint8Array): string {
  if (file.length === 0) throw new Error("the file is empty");
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(file);
    if (text.trimStart().startsWith("<")) return text;
  } catch (error) {
    throw new Error(FOREIGN, { cause: error });
  }
  throw new Error(FOREIGN);
}

/** Elements whose value depends on what may come later in the file. */
const LATE = new Set(["Ref", "Content", "ContentId", "SharedString", "NetAssetRef"]);

interface LateValue {
  readonly id: number;
  readonly className: string;
  readonly element: XmlElement;
}

/** A property's element as it was read before. */
interface KnownProperty {
  readonly text: string;
  readonly name: string;
  readonly value: FileValue;
  /** What stood behind it the last time, and will often stand there again. */
  next: KnownProperty | undefined;
}

/** Longer elements are rarely the same. */
const MAX_KNOWN_CHARS = 1_024;
/** When so many are known, the reader begins to collect them anew. */
const MAX_KNOWN = 50_000;

/**
 * Takes each property as it ends, so that no more of the tree stays than the way to it. In a place, most properties are
 * letter for letter the same for many Instances, so an element that was read before is recognised by its text.
 */
class Reader implements XmlListener {
  readonly #source: string;
  readonly #known = new Map<string, KnownProperty>();
  /** The property before the one that is read, where its text is known. */
  #last: KnownProperty | undefined;
  /** The Properties that are read, and whose they are. */
  #properties: XmlElement | undefined;
  #owner = { id: NO_PARENT, className: "" };
  readonly #builder = new ModelBuilder();
  /** Ids of the Items around the element that is read, by depth. */
  readonly #ids: number[] = [];
  readonly #referents = new Map<string, number>();
  readonly #strings = new Map<string, ByteString>();
  readonly #problems = new Set<string>();
  readonly #late: LateValue[] = [];
  readonly #context: XmlReadContext = {
    idOf: (referent) => this.#referents.get(referent) ?? null,
    sharedString: (key) => this.#strings.get(key),
  };

  constructor(source: string) {
    this.#source = source;
  }

  take(startAt: number, path: readonly XmlElement[]): number | undefined {
    if (this.#properties === undefined || path.at(-1) !== this.#properties) return undefined;
    const expected = this.#last?.next;
    const isExpected = expected !== undefined && this.#source.startsWith(expected.text, startAt);
    const known = isExpected ? expected : this.#known.get(this.#elementText(startAt));
    if (known === undefined) return undefined;
    this.#builder.set(this.#owner.id, known.name, known.value);
    this.#follow(known);
    return startAt + known.text.length;
  }

  #follow(property: KnownProperty | undefined): void {
    if (this.#last !== undefined && property !== undefined) this.#last.next = property;
    this.#last = property;
  }

  /** Up to what may be the end of the element; empty where it has none nearby. */
  #elementText(startAt: number): string {
    const text = this.#source.slice(startAt, startAt + MAX_KNOWN_CHARS);
    const closing = `</${text.slice(1, text.indexOf(" "))}>`;
    const closingAt = text.indexOf(closing);
    return closingAt < 0 ? "" : text.slice(0, closingAt + closing.length);
  }

  begin(element: XmlElement, path: readonly XmlElement[]): void {
    if (path.length === 0) checkRoot(element);
    else if (element.name === "Item" && path.every(isItemOrRoot)) this.#addItem(element, path.length);
    else if (element.name === "Properties" && path.length > 1 && path.every(isItemOrRoot)) {
      this.#properties = element;
      this.#owner = { id: this.#ids[path.length - 1] ?? NO_PARENT, className: classOf(path.at(-1)) };
    }
  }

  end(element: XmlElement, path: readonly XmlElement[], endAt: number): boolean {
    if (element === this.#properties) this.#properties = undefined;
    const list = path.at(-1);
    const owner = path.at(-2);
    if (list === undefined || owner === undefined) return false;
    if (list.name === "Properties" && owner.name === "Item") {
      if (list === this.#properties) this.#property(element, endAt);
      return false;
    }
    if (list.name === "SharedStrings" && path.length === 2) {
      this.#strings.set(element.attributes.get("md5") ?? "", parseBase64(element.text));
      return false;
    }
    // Parts of a property's value are kept until it ends itself.
    return !isItemOrRoot(list, path.length - 1) && element.name !== "Item";
  }

  /** Values that lead to other parts of the file come when all of it is known. */
  finish(): ReadModel {
    for (const { id, className, element } of this.#late) this.#set(id, className, element);
    return { model: this.#builder.finish(), problems: [...this.#problems] };
  }

  #addItem({ attributes }: XmlElement, depth: number): void {
    const className = attributes.get("class");
    if (className === undefined || className === "") throw new Error("an Item has no class");
    const id = this.#builder.add(className, this.#ids[depth - 1] ?? NO_PARENT);
    this.#ids[depth] = id;
    const referent = attributes.get("referent");
    // Of several Items with one referent, as people write them, the last is meant.
    if (referent !== undefined) this.#referents.set(referent, id);
  }

  #property(element: XmlElement, endAt: number): void {
    const { id, className } = this.#owner;
    if (LATE.has(element.name)) {
      this.#late.push({ id, className, element });
      this.#follow(undefined);
      return;
    }
    const property = this.#set(id, className, element);
    this.#follow(property === undefined ? undefined : this.#remember(property, element, endAt));
  }

  /** Undefined for an element that will hardly come again. */
  #remember(
    property: { readonly name: string; readonly value: FileValue },
    { name, startAt }: XmlElement,
    endAt: number,
  ): KnownProperty | undefined {
    if (endAt - startAt > MAX_KNOWN_CHARS || name === "UniqueId") return undefined;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const known = { ...property, text: this.#source.slice(startAt, endAt), next: undefined };
    this.#known.set(known.text, known);
    return known;
  }

  /** Undefined for an element that this format does not have. */
  #set(id: number, className: string, element: XmlElement) {
    const name = element.attributes.get("name");
    if (name === undefined) throw new Error(`a <${element.name}> property has no name`);
    const label = `${className}.${name}`;
    const value = valueOf(element, label, this.#context);
    if (value === undefined) {
      this.#problems.add(`${label} is a <${element.name}>, which is not known.`);
      return undefined;
    }
    this.#builder.set(id, name, value);
    return { name, value };
  }
}

/** The root is the first of a path. */
const isItemOrRoot = ({ name }: XmlElement, depth: number): boolean => depth === 0 || name === "Item";

const classOf = (item: XmlElement | undefined): string => item?.attributes.get("class") ?? "";

function checkRoot({ name, attributes }: XmlElement): void {
  if (name !== "roblox") throw new Error("not a Roblox file");
  const version = attributes.get("version");
  if (version !== VERSION) throw new Error(`version ${version ?? "?"} of the format is not known`);
}

function valueOf(element: XmlElement, label: string, context: XmlReadContext) {
  try {
    return readXmlValue(element, context);
  } catch (error) {
    throw new Error(`${label}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
