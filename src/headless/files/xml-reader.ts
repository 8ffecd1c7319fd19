/** Reads `.rbxlx` and `.rbxmx`, version 4 of the XML format. */
import type { ByteString } from "../../util/bytes.ts";
import type { ReadModel } from "./binary-reader.ts";
import { ModelBuilder, NO_PARENT } from "./model.ts";
import { parseXml, type XmlElement } from "./xml-parser.ts";
import { parseBase64, readXmlValue, type XmlReadContext } from "./xml-values.ts";

const VERSION = "4";

/** Throws an Error that says what is wrong with a file that is cut, foreign or inconsistent. */
export function readXmlModel(source: string): ReadModel {
  const root = parseXml(source);
  if (root.name !== "roblox") throw new Error("not a Roblox file");
  const version = root.attributes.get("version");
  if (version !== VERSION) throw new Error(`version ${version ?? "?"} of the format is not known`);
  const builder = new ModelBuilder();
  const ids = new Map<string, number>();
  const items: { readonly id: number; readonly item: XmlElement }[] = [];
  addItems(root, NO_PARENT, builder, ids, items);
  const strings = sharedStringsOf(root);
  const context: XmlReadContext = {
    idOf: (referent) => ids.get(referent) ?? null,
    sharedString: (key) => strings.get(key),
  };
  const problems = new Set<string>();
  // Values come when all Instances are known: a reference may lead to a later one.
  for (const { id, item } of items) readProperties(item, id, builder, context, problems);
  return { model: builder.finish(), problems: [...problems] };
}

function addItems(
  parent: XmlElement,
  parentId: number,
  builder: ModelBuilder,
  ids: Map<string, number>,
  items: { id: number; item: XmlElement }[],
): void {
  for (const item of parent.children) {
    if (item.name !== "Item") continue;
    const className = item.attributes.get("class");
    if (className === undefined || className === "") throw new Error("an Item has no class");
    const id = builder.add(className, parentId);
    const referent = item.attributes.get("referent");
    if (referent !== undefined) {
      if (ids.has(referent)) throw new Error(`two Items have the referent ${referent}`);
      ids.set(referent, id);
    }
    items.push({ id, item });
    addItems(item, id, builder, ids, items);
  }
}

function sharedStringsOf(root: XmlElement): ReadonlyMap<string, ByteString> {
  const strings = new Map<string, ByteString>();
  for (const list of root.children) {
    if (list.name !== "SharedStrings") continue;
    for (const { attributes, text } of list.children)
      strings.set(attributes.get("md5") ?? "", parseBase64(text));
  }
  return strings;
}

function readProperties(
  item: XmlElement,
  id: number,
  builder: ModelBuilder,
  context: XmlReadContext,
  problems: Set<string>,
): void {
  for (const list of item.children) {
    if (list.name !== "Properties") continue;
    for (const element of list.children) {
      const name = element.attributes.get("name");
      if (name === undefined) throw new Error(`a <${element.name}> property has no name`);
      const label = `${item.attributes.get("class")}.${name}`;
      const value = valueOf(element, label, context);
      if (value === undefined) problems.add(`${label} is a <${element.name}>, which is not known.`);
      else builder.set(id, name, value);
    }
  }
}

function valueOf(element: XmlElement, label: string, context: XmlReadContext) {
  try {
    return readXmlValue(element, context);
  } catch (error) {
    throw new Error(`${label}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
