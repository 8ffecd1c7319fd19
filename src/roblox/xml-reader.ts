/** Reads `.rbxlx` and `.rbxmx`, version 4 of the XML format. */
import type { ByteString } from "../util/bytes.ts";
import type { ReadModel } from "./binary-reader.ts";
import { ModelBuilder, NO_PARENT } from "./model.ts";
import { parseXml, type XmlElement, type XmlListener } from "./xml-parser.ts";
import { parseBase64, readXmlValue, type XmlReadContext } from "./xml-values.ts";

const VERSION = "4";
const FOREIGN = "not a Roblox file";

/** Throws an Error that says what is wrong with a file that is cut, foreign or inconsistent. */
export function readXmlModel(source: string): ReadModel {
  const reader = new Reader();
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

/** Takes each property as it ends, so that no more of the tree stays than the way to it. */
class Reader implements XmlListener {
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

  begin(element: XmlElement, path: readonly XmlElement[]): void {
    if (path.length === 0) checkRoot(element);
    else if (element.name === "Item" && path.every(isItemOrRoot)) this.#addItem(element, path.length);
  }

  end(element: XmlElement, path: readonly XmlElement[]): boolean {
    const list = path.at(-1);
    const owner = path.at(-2);
    if (list === undefined || owner === undefined) return false;
    if (list.name === "Properties" && owner.name === "Item") {
      if (path.slice(0, -1).every(isItemOrRoot)) this.#property(element, owner, path.length - 2);
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

  #property(element: XmlElement, owner: XmlElement, depth: number): void {
    const id = this.#ids[depth];
    const className = owner.attributes.get("class") ?? "";
    if (id === undefined) return;
    if (LATE.has(element.name)) this.#late.push({ id, className, element });
    else this.#set(id, className, element);
  }

  #set(id: number, className: string, element: XmlElement): void {
    const name = element.attributes.get("name");
    if (name === undefined) throw new Error(`a <${element.name}> property has no name`);
    const label = `${className}.${name}`;
    const value = valueOf(element, label, this.#context);
    if (value === undefined) this.#problems.add(`${label} is a <${element.name}>, which is not known.`);
    else this.#builder.set(id, name, value);
  }
}

/** The root is the first of a path. */
const isItemOrRoot = ({ name }: XmlElement, depth: number): boolean => depth === 0 || name === "Item";

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
