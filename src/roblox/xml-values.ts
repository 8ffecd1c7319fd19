/** Property values as elements of the XML format: the element of each type, and the types of each element. */
import { byteStringOf, bytesOf, textOfByteString, utf8ByteString } from "../util/bytes.ts";
import type { ByteString } from "../util/bytes.ts";
import { FONT_STYLES } from "./fonts.ts";
import {
  type Datatype,
  DATATYPES,
  fileStrideOf,
  nestedFields,
  TUPLE_TYPES,
  type TupleType,
  wholeForm,
} from "../values/datatypes.ts";
import type { FileValue, NumberType } from "./model.ts";
import type { XmlElement } from "./xml-parser.ts";

/** What elements refer to beyond themselves. */
export interface XmlReadContext {
  readonly idOf: (referent: string) => number | null;
  readonly sharedString: (key: string) => ByteString | undefined;
}

const fail = (why: string): never => {
  throw new Error(why);
};

const SPECIAL_NUMBERS: Readonly<Record<string, number>> = {
  INF: Number.POSITIVE_INFINITY,
  "+INF": Number.POSITIVE_INFINITY,
  "-INF": Number.NEGATIVE_INFINITY,
};

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Also what old versions of Studio wrote: `inf`, `-1.#IND` and the like. */
function parseNumber(text: string): number {
  if (PLAIN_NUMBER.test(text)) return Number(text);
  const trimmed = text.trim();
  const special = SPECIAL_NUMBERS[trimmed.toUpperCase()];
  if (special !== undefined) return special;
  if (/^[-+]?(nan|1\.#\w+)/i.test(trimmed)) return Number.NaN;
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(trimmed))
    fail(`"${trimmed.slice(0, 20)}" is not a number`);
  return Number(trimmed);
}

function parseBigInt(text: string): bigint {
  const trimmed = text.trim();
  if (!/^-?\d{1,20}$/.test(trimmed)) fail(`"${trimmed.slice(0, 20)}" is not a whole number`);
  return BigInt(trimmed);
}

export function parseBase64(text: string): ByteString {
  const packed = text.replace(/\s+/g, "");
  if (!/^[\w+/]*={0,2}$/.test(packed)) fail("the text is not Base64");
  return byteStringOf(Buffer.from(packed, "base64"));
}

function child(element: XmlElement, name: string): XmlElement {
  return element.children.find((candidate) => candidate.name === name) ?? fail(`<${name}> is missing`);
}

const parseFloat32 = (text: string): number => Math.fround(parseNumber(text));
const part = (element: XmlElement, name: string): number => parseFloat32(child(element, name).text);
const parts = (element: XmlElement, names: readonly string[]): number[] =>
  names.map((name) => part(element, name));
const list = (text: string, size: number): number[] => {
  const numbers = text.trim() === "" ? [] : text.trim().split(/\s+/).map(parseFloat32);
  if (numbers.length % size !== 0) fail(`${numbers.length} numbers do not make whole groups of ${size}`);
  return numbers;
};

type Reader = (element: XmlElement, context: XmlReadContext) => FileValue;

const text =
  (type: "String" | "ProtectedString"): Reader =>
  (element) => ({ type, value: utf8ByteString(element.text) });
const number =
  (type: NumberType): Reader =>
  (element) => ({ type, value: parseNumber(element.text) });
/** What is made of numbers, in the form that its row names. */
function numbersReader(type: TupleType, row: Datatype): Reader {
  const { fields, isSequence, xml } = row;
  if (xml?.parts === "nested") return nestedReader(type, fields);
  const names = xml?.parts ?? "list";
  if (names !== "list") return (element) => ({ type, value: parts(element, names) });
  if (isSequence === true) return (element) => ({ type, value: list(element.text, fileStrideOf(type)) });
  return (element) => {
    const value = list(element.text, fields.length);
    return value.length === fields.length
      ? { type, value }
      : fail(`${value.length} numbers do not make a ${type}`);
  };
}

function nestedReader(type: TupleType, fields: readonly string[]): Reader {
  const groups = [...nestedFields(fields)].map(([name, names]) => [name.toLowerCase(), names] as const);
  return (element) => ({
    type,
    value: groups.flatMap(([name, names]) => parts(child(element, name), names)),
  });
}

const COLOR_PARTS = DATATYPES.Color3.xml.parts;

const color: Reader = (element) => {
  // Old files pack it into one number, as Color3uint8 is written.
  if (element.children.length === 0 && element.text.trim() !== "") return packedColor("Color3", element);
  return { type: "Color3", value: parts(element, COLOR_PARTS) };
};

function packedColor(type: "Color3" | "Color3uint8", element: XmlElement): FileValue {
  const packed = parseNumber(element.text);
  const bytes = [(packed >>> 16) & 0xff, (packed >>> 8) & 0xff, packed & 0xff];
  return { type, value: type === "Color3" ? bytes.map((byte) => byte / 255) : bytes };
}

/** Elements named Content held asset ids before the type of that name existed; what is inside tells which. */
const content: Reader = (element, { idOf }) => {
  const [source] = element.children;
  if (source === undefined || NO_CONTENT.has(source.name))
    return element.name === "Content"
      ? { type: "Content", value: { kind: "none" } }
      : { type: "ContentId", value: "" };
  if (source.name === "url") return { type: "ContentId", value: utf8ByteString(source.text) };
  if (source.name === "uri")
    return { type: "Content", value: { kind: "uri", uri: utf8ByteString(source.text) } };
  if (source.name !== "Ref") fail(`<${source.name}> is not content`);
  const id = idOf(source.text);
  return { type: "Content", value: id === null ? { kind: "none" } : { kind: "object", id } };
};

/** `binary` and `hash` are of old versions, and mean nothing any more. */
const NO_CONTENT = new Set(["null", "binary", "hash"]);

const url = (element: XmlElement | undefined): ByteString => utf8ByteString(element?.children[0]?.text ?? "");

const font: Reader = (element) => {
  const style = FONT_STYLES.indexOf(child(element, "Style").text.trim());
  return {
    type: "Font",
    value: {
      family: url(child(element, "Family")),
      weight: part(element, "Weight"),
      style: style < 0 ? fail(`there is no font style "${child(element, "Style").text}"`) : style,
      cachedFaceId: url(element.children.find(({ name }) => name === "CachedFaceId")),
    },
  };
};

const physicalProperties: Reader = (element) => {
  if (child(element, "CustomPhysics").text.trim().toLowerCase() !== "true")
    return { type: "PhysicalProperties", value: null };
  const has = new Set(element.children.map(({ name }) => name));
  const given = DATATYPES.PhysicalProperties.fields.filter(
    (name, index, { length }) => index < length - 1 || has.has(name),
  );
  const value = wholeForm("PhysicalProperties", parts(element, given));
  return { type: "PhysicalProperties", value };
};

const UNIQUE_ID = /^[\da-f]{32}$/i;

/** In XML the random part comes first, with its bits turned by one, then time, then index. */
const uniqueId: Reader = (element) => {
  const digits = element.text.trim();
  if (!UNIQUE_ID.test(digits)) fail("the text is not a unique id");
  const random = BigInt(`0x${digits.slice(0, 16)}`);
  const turned = BigInt.asUintN(64, random << 1n) | (random >> 63n);
  const hex = digits.slice(24) + digits.slice(16, 24) + turned.toString(16).padStart(16, "0");
  return { type: "UniqueId", value: byteStringOf(Buffer.from(hex, "hex")) };
};

const shared =
  (type: "SharedString" | "NetAssetRef"): Reader =>
  (element, { sharedString }) => ({
    type,
    value: sharedString(element.text.trim()) ?? fail(`there is no shared string "${element.text.trim()}"`),
  });

const READERS: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(
    TUPLE_TYPES.flatMap((type): [string, Reader][] => {
      const row: Datatype = DATATYPES[type];
      return row.xml === undefined ? [] : [[row.xml.element, numbersReader(type, row)]];
    }),
  ),
  string: text("String"),
  ProtectedString: text("ProtectedString"),
  BinaryString: (element) => ({ type: "BinaryString", value: parseBase64(element.text) }),
  bool: (element) => ({ type: "Bool", value: element.text.trim().toLowerCase() === "true" }),
  int: number("Int32"),
  int64: (element) => ({ type: "Int64", value: parseBigInt(element.text) }),
  SecurityCapabilities: (element) => ({ type: "SecurityCapabilities", value: parseBigInt(element.text) }),
  float: (element) => ({ type: "Float32", value: parseFloat32(element.text) }),
  double: number("Float64"),
  token: number("Enum"),
  BrickColor: number("BrickColor"),
  Axes: (element) => ({ type: "Axes", value: part(element, "axes") }),
  Faces: (element) => ({ type: "Faces", value: part(element, "faces") }),
  Color3: color,
  Color3uint8: (element) => packedColor("Color3uint8", element),
  OptionalCoordinateFrame: (element) => {
    const [frame] = element.children;
    const value = frame === undefined ? null : parts(frame, DATATYPES.CFrame.xml.parts);
    return { type: "OptionalCFrame", value };
  },
  PhysicalProperties: physicalProperties,
  Content: content,
  ContentId: content,
  Font: font,
  Ref: (element, { idOf }) => ({ type: "Ref", value: idOf(element.text.trim()) }),
  SharedString: shared("SharedString"),
  NetAssetRef: shared("NetAssetRef"),
  UniqueId: uniqueId,
};

/** The value of a property's element; undefined for an element that this format does not have. */
export function readXmlValue(element: XmlElement, context: XmlReadContext): FileValue | undefined {
  return READERS[element.name]?.(element, context);
}

/** Whether a string can be the text of an element. */
export function isXmlText(value: ByteString): boolean {
  const text = textOfByteString(value);
  // eslint-disable-next-line no-control-regex
  return !/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text) && utf8ByteString(text) === value;
}

export const base64Of = (value: ByteString): string => Buffer.from(bytesOf(value)).toString("base64");
