/** Writes `.rbxlx` and `.rbxmx`, version 4 of the XML format. */
import { bytesOf, textOfByteString } from "../util/bytes.ts";
import type { ByteString } from "../util/bytes.ts";
import { childrenOf, type FileValue, isTuple, type Model, NO_PARENT } from "./model.ts";
import { FONT_STYLES } from "./fonts.ts";
import { base64Of, isXmlText } from "./xml-values.ts";
import { type Datatype, DATATYPES, nestedFields } from "../values/datatypes.ts";

interface WriteContext {
  /** The key of a shared string, which is added when it is new. */
  readonly sharedString: (value: ByteString) => string;
}

export function writeXmlModel(model: Model): string {
  const strings = new Map<string, ByteString>();
  const context: WriteContext = {
    sharedString: (value) => {
      const key = new Bun.CryptoHasher("md5").update(bytesOf(value)).digest("base64");
      strings.set(key, value);
      return key;
    },
  };
  const properties = propertiesById(model, context);
  const lines = ['<roblox version="4">', '<Meta name="ExplicitAutoJoints">true</Meta>'];
  const children = childrenOf(model);
  const classNames = classNamesById(model);
  // A number closes the Item of that id; what is on top comes next.
  const waiting: { readonly id: number; readonly isClosing: boolean }[] = [];
  const open = (ids: readonly number[] | undefined): void => {
    for (const id of (ids ?? []).toReversed()) waiting.push({ id, isClosing: false });
  };
  open(children.at(NO_PARENT));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.isClosing) {
      lines.push("</Item>");
      continue;
    }
    lines.push(`<Item class="${escape(classNames[next.id] ?? "")}" referent="${referent(next.id)}">`);
    lines.push("<Properties>", ...(properties[next.id] ?? []), "</Properties>");
    waiting.push({ id: next.id, isClosing: true });
    open(children[next.id]);
  }
  if (strings.size > 0) {
    lines.push("<SharedStrings>");
    for (const [key, value] of strings)
      lines.push(`<SharedString md5="${key}">${base64Of(value)}</SharedString>`);
    lines.push("</SharedStrings>");
  }
  return `${lines.join("\n")}\n</roblox>\n`;
}

const referent = (id: number): string => `RBX${id}`;

function classNamesById({ parents, classes }: Model): string[] {
  const names = new Array<string>(parents.length).fill("");
  for (const { className, members } of classes) for (const id of members) names[id] = className;
  return names;
}

function propertiesById({ parents, classes }: Model, context: WriteContext): string[][] {
  const properties: string[][] = parents.map(() => []);
  for (const { className, members, columns } of classes) {
    for (const [name, { values, rows }] of [...columns].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const texts = values.map((value) => propertyText(`${className}.${name}`, name, value, context));
      for (const [row, id] of members.entries()) {
        const text = texts[(rows[row] ?? 0) - 1];
        if (text !== undefined) properties[id]?.push(text);
      }
    }
  }
  return properties;
}

function propertyText(label: string, name: string, value: FileValue, context: WriteContext): string {
  const [element, content] = elementOf(value, context) ?? [];
  if (element === undefined || content === undefined)
    throw new Error(`${label} cannot be written as ${value.type}`);
  return `<${element} name="${escape(name)}">${content}</${element}>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // A bare carriage return would be read as a line feed.
  "\r": "&#13;",
};
const escape = (text: string): string => text.replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? "");

function numberText(value: number): string {
  if (Number.isNaN(value)) return "NAN";
  if (!Number.isFinite(value)) return value > 0 ? "INF" : "-INF";
  return Object.is(value, -0) ? "-0" : String(value);
}

const tags = (names: readonly string[], values: readonly number[]): string =>
  names.map((name, index) => `<${name}>${numberText(values[index] ?? 0)}</${name}>`).join("");

const cdata = (text: string): string => `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;

function stringElement(element: string, value: ByteString): [string, string] {
  if (!isXmlText(value)) return ["BinaryString", base64Of(value)];
  const text = textOfByteString(value);
  return [element, element === "ProtectedString" && !text.includes("\r") ? cdata(text) : escape(text)];
}

const url = (value: ByteString): string =>
  value === "" ? "<null></null>" : `<url>${escape(textOfByteString(value))}</url>`;

/** The element of a value and what is inside it. */
function elementOf(value: FileValue, context: WriteContext): [string, string] | undefined {
  switch (value.type) {
    case "String":
      return stringElement("string", value.value);
    case "ProtectedString":
      return stringElement("ProtectedString", value.value);
    case "BinaryString":
      return ["BinaryString", base64Of(value.value)];
    case "ContentId":
      return ["ContentId", url(value.value)];
    case "SharedString":
    case "NetAssetRef":
      return [value.type, context.sharedString(value.value)];
    case "Bool":
      return ["bool", String(value.value)];
    case "Int32":
    case "BrickColor":
      return ["int", String(value.value)];
    case "Float32":
      return ["float", numberText(value.value)];
    case "Float64":
      return ["double", numberText(value.value)];
    case "Enum":
      return ["token", String(value.value)];
    case "Int64":
      return ["int64", String(value.value)];
    case "SecurityCapabilities":
      return ["SecurityCapabilities", String(value.value)];
    case "Axes":
      return ["Axes", tags(["axes"], [value.value])];
    case "Faces":
      return ["Faces", tags(["faces"], [value.value])];
    case "Ref":
      return ["Ref", value.value === null ? "null" : referent(value.value)];
    case "UniqueId":
      return ["UniqueId", uniqueIdText(value.value)];
    default:
      return compoundElement(value);
  }
}

function compoundElement(value: FileValue): [string, string] | undefined {
  switch (value.type) {
    case "OptionalCFrame":
      return [
        "OptionalCoordinateFrame",
        value.value === null ? "" : `<CFrame>${tags(DATATYPES.CFrame.xml.parts, value.value)}</CFrame>`,
      ];
    case "Color3uint8":
      return ["Color3uint8", String(packedColor(value.value))];
    case "PhysicalProperties": {
      if (value.value === null) return ["PhysicalProperties", "<CustomPhysics>false</CustomPhysics>"];
      const numbers = tags(DATATYPES.PhysicalProperties.fields, value.value);
      return ["PhysicalProperties", `<CustomPhysics>true</CustomPhysics>${numbers}`];
    }
    case "Font": {
      const { family, weight, style, cachedFaceId } = value.value;
      const face = cachedFaceId === "" ? "" : `<CachedFaceId>${url(cachedFaceId)}</CachedFaceId>`;
      const rest = `<Weight>${weight}</Weight><Style>${FONT_STYLES[style] ?? "Normal"}</Style>`;
      return ["Font", `<Family>${url(family)}</Family>${rest}${face}`];
    }
    case "Content": {
      const content = value.value;
      if (content.kind === "none") return ["Content", "<null></null>"];
      if (content.kind === "object") return ["Content", `<Ref>${referent(content.id)}</Ref>`];
      return ["Content", `<uri>${escape(textOfByteString(content.uri))}</uri>`];
    }
    default:
      return isTuple(value) ? numbersElement(DATATYPES[value.type], value.value) : undefined;
  }
}

function numbersElement({ fields, xml }: Datatype, value: readonly number[]): [string, string] | undefined {
  if (xml === undefined) return undefined;
  const { element, parts } = xml;
  if (parts === "list") return [element, value.map((number) => `${numberText(number)} `).join("")];
  if (parts !== "nested") return [element, tags(parts, value)];
  let at = 0;
  const groups = [...nestedFields(fields)].map(([group, names]) => {
    const name = group.toLowerCase();
    const inner = tags(names, value.slice(at, at + names.length));
    at += names.length;
    return `<${name}>${inner}</${name}>`;
  });
  return [element, groups.join("")];
}

const OPAQUE_ALPHA = 0xff;

function packedColor([red = 0, green = 0, blue = 0]: readonly number[]): number {
  return ((OPAQUE_ALPHA << 24) | (red << 16) | (green << 8) | blue) >>> 0;
}

/** The random part first, with its bits turned by one, then time, then index. */
function uniqueIdText(value: ByteString): string {
  const digits = Buffer.from(bytesOf(value)).toString("hex");
  const random = BigInt(`0x${digits.slice(16)}`);
  const turned = (random >> 1n) | ((random & 1n) << 63n);
  return turned.toString(16).padStart(16, "0") + digits.slice(8, 16) + digits.slice(0, 8);
}
