/**
 * Changes single values in a JSON text. Comments, order, indentation and line ends stay as they are; only the values that
 * differ are touched. The edits are ours: `modify` of jsonc-parser puts a new member before the comment that belongs to
 * the last one, and writes that neighbour and files of one line in its own format.
 */
import { exactValueOf, membersOf, nextTokenOffset, parseJsonc } from "./jsonc.ts";
import type { ExactJson, JsoncNode } from "./jsonc.ts";
import { applyEdits, lineEndOf, lineStart } from "./text-edit.ts";
import { TextFault } from "./text-fault.ts";

export type JsonValue = ExactJson;

/** Keys of objects and positions in lists, from the top. */
export type JsonPath = readonly (string | number)[];

/**
 * Sets the value at `path`, and makes the objects on the way that do not exist. The position behind the end of a list
 * adds to it. Throws TextFault for a text that is no JSON, and where the path leads through something else.
 */
export function setJson(text: string, path: JsonPath, value: JsonValue): string {
  const root = parseJsonc(text);
  if (root === undefined) {
    const lineEnd = lineEndOf(text);
    return `${text}${jsonText(wrapped(path, value), { indent: "", unit: "  ", lineEnd })}${lineEnd}`;
  }
  let parent: Entry | undefined;
  let node = root;
  for (const [depth, key] of path.entries()) {
    const next = entriesOf(node, key).find((entry) => entry.key === key);
    if (next === undefined) return insert(text, root, node, key, wrapped(path.slice(depth + 1), value));
    parent = { key, start: node.offset, value: node };
    node = next.value;
  }
  const isSame = jsonLine(exactValueOf(text, node)) === jsonLine(value);
  return isSame ? text : replace(text, root, parent?.value, node, value);
}

/** The text as it is where there is no such value. Throws TextFault. */
export function removeJson(text: string, path: JsonPath): string {
  let node = parseJsonc(text);
  let found: { readonly parent: JsoncNode; readonly entry: Entry } | undefined;
  for (const key of path) {
    const entry = node === undefined ? undefined : entriesOf(node, key).find((each) => each.key === key);
    if (node === undefined || entry === undefined) return text;
    found = { parent: node, entry };
    node = entry.value;
  }
  return found === undefined ? text : remove(text, found.parent, found.entry);
}

/** The value at `path`; undefined where there is none. Throws TextFault for a text that is no JSON. */
export function jsonAt(text: string, path: JsonPath): JsonValue | undefined {
  let node = parseJsonc(text);
  for (const key of path) node = node && listedEntries(node).findLast((entry) => entry.key === key)?.value;
  return node && exactValueOf(text, node);
}

/** The value with objects around it, one for each key. */
function wrapped(path: JsonPath, value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>(
    (inner, key) => (typeof key === "number" ? [inner] : { [key]: inner }),
    value,
  );
}

/** A member of an object, or an element of a list. */
interface Entry {
  readonly key: string | number;
  readonly start: number;
  readonly value: JsoncNode;
}

/** Of members with one name the last counts, and comes first here. Throws TextFault where `key` cannot be in `node`. */
function entriesOf(node: JsoncNode, key: string | number): Entry[] {
  const kind = typeof key === "number" ? "array" : "object";
  if (node.type !== kind)
    throw new TextFault(`expected ${kind === "array" ? "a list" : "an object"}`, node.offset);
  return listedEntries(node).toReversed();
}

const listedEntries = (node: JsoncNode): Entry[] =>
  node.type === "array"
    ? (node.children ?? []).map((value, key) => ({ key, start: value.offset, value }))
    : membersOf(node).map(({ key, keyStart, value }) => ({ key, start: keyStart, value }));

/** Adds an entry behind the last one, in the style of its neighbours. */
function insert(
  text: string,
  root: JsoncNode,
  parent: JsoncNode,
  key: string | number,
  value: JsonValue,
): string {
  const last = listedEntries(parent).at(-1);
  const parentEnd = endOf(parent);
  const contentEnd = endOfContent(
    text,
    last === undefined ? parent.offset + 1 : endOf(last.value),
    parentEnd - 1,
  );
  const isOnOneLine = last === undefined ? isInOneLine(text, parent) : isOneLine(text, parent);
  const unit = indentUnit(text, root);
  const outer = lineIndent(text, parent.offset);
  const own = last === undefined || isOnOneLine ? outer + unit : lineIndent(text, last.start);
  const lineEnd = lineEndOf(text);
  const comma = last === undefined || commaBehind(text, last) === undefined ? "" : ",";
  const name = typeof key === "number" ? "" : `${JSON.stringify(key)}: `;
  if (isOnOneLine) {
    const entry = `${name}${jsonLine(value, lineStyleOf(text, parent))}`;
    if (last === undefined)
      return applyEdits(text, [{ start: parent.offset + 1, end: parentEnd - 1, text: ` ${entry} ` }]);
    const edit = `${comma === "" ? "," : ""} ${entry}${comma}`;
    return applyEdits(text, [{ start: contentEnd, end: contentEnd, text: edit }]);
  }
  const entry = `${name}${jsonText(value, { indent: own, unit, lineEnd })}`;
  const isClosedOnOwnLine = text.slice(contentEnd, parentEnd - 1).includes("\n");
  return applyEdits(text, [
    ...(last === undefined || comma !== ""
      ? []
      : [{ start: endOf(last.value), end: endOf(last.value), text: "," }]),
    {
      start: contentEnd,
      end: isClosedOnOwnLine ? contentEnd : parentEnd - 1,
      text: `${lineEnd}${own}${entry}${comma}${isClosedOnOwnLine ? "" : lineEnd + outer}`,
    },
  ]);
}

function replace(
  text: string,
  root: JsoncNode,
  parent: JsoncNode | undefined,
  node: JsoncNode,
  value: JsonValue,
): string {
  const style = {
    indent: lineIndent(text, node.offset),
    unit: indentUnit(text, root),
    lineEnd: lineEndOf(text),
  };
  const isShort = parent !== undefined && isOneLine(text, parent);
  const fresh = isShort ? jsonLine(value, lineStyleOf(text, parent)) : jsonText(value, style);
  return applyEdits(text, [{ start: node.offset, end: endOf(node), text: fresh }]);
}

/** Removes the entry with its comma, and its line where nothing else is on it. */
function remove(text: string, parent: JsoncNode, entry: Entry): string {
  const [valueEnd, parentEnd] = [endOf(entry.value), endOf(parent)];
  const entries = listedEntries(parent);
  const inside = text.slice(parent.offset + 1, entry.start) + text.slice(valueEnd, parentEnd - 1);
  if (entries.length === 1 && /^[\s,]*$/.test(inside))
    return applyEdits(text, [{ start: parent.offset + 1, end: parentEnd - 1, text: "" }]);
  const comma = commaBehind(text, entry);
  const former = entries.findLast(({ start }) => start < entry.start);
  const dangling = comma === undefined && former !== undefined ? commaBehind(text, former) : undefined;
  const ownEnd = comma === undefined ? valueEnd : comma + 1;
  const start = lineStart(text, entry.start);
  const isAlone = text.slice(start, entry.start).trim() === "" && /^[ \t]*\r?(\n|$)/.test(text.slice(ownEnd));
  if (dangling !== undefined && !isAlone && text.slice(dangling + 1, entry.start).trim() === "")
    return applyEdits(text, [{ start: dangling, end: ownEnd, text: "" }]);
  const range = isAlone
    ? { start: lineFeedBefore(text, start), end: lineFeedAfter(text, ownEnd) }
    : { start: entry.start, end: ownEnd + (/^[ \t]*/.exec(text.slice(ownEnd))?.[0].length ?? 0) };
  return applyEdits(text, [
    { ...range, text: "" },
    ...(dangling === undefined ? [] : [{ start: dangling, end: dangling + 1, text: "" }]),
  ]);
}

const endOf = ({ offset, length }: JsoncNode) => offset + length;

const isOneLine = (text: string, node: JsoncNode): boolean =>
  !text.slice(node.offset, endOf(node)).includes("\n");

/** Whether something without entries and comments stands inside an object or list of one line. */
const isInOneLine = (text: string, node: JsoncNode): boolean =>
  /^[{[][ \t]*[}\]]$/.test(text.slice(node.offset, endOf(node))) &&
  /[[{]/.test(text.slice(lineStart(text, node.offset), node.offset).replace(/"(?:[^"\\]|\\.)*"/g, ""));

/** Where the comma behind an entry stands; the last one may have one too. */
function commaBehind(text: string, { value }: Entry): number | undefined {
  const offset = nextTokenOffset(text, endOf(value));
  return text.charAt(offset) === "," ? offset : undefined;
}

/** The line feed itself stays; the one before the entry's line goes instead. */
function lineFeedAfter(text: string, offset: number): number {
  const feed = text.indexOf("\n", offset);
  const end = feed === -1 ? text.length : feed;
  return text.charAt(end - 1) === "\r" ? end - 1 : end;
}

function lineFeedBefore(text: string, lineStarts: number): number {
  if (lineStarts === 0) return 0;
  return text.charAt(lineStarts - 2) === "\r" ? lineStarts - 2 : lineStarts - 1;
}

/** The end of the last entry, its comma and its comments, before the blanks that lead to the closing bracket. */
function endOfContent(text: string, from: number, to: number): number {
  return from + text.slice(from, to).trimEnd().length;
}

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? "";
}

/** The indentation of one level: that of the first member, or two spaces. */
function indentUnit(text: string, root: JsoncNode): string {
  const [first] = listedEntries(root);
  const indent = first === undefined ? "" : lineIndent(text, first.start);
  return indent === "" ? "  " : indent;
}

export interface JsonStyle {
  /** Of the line on which the value begins. */
  readonly indent: string;
  /** What each level adds to it. */
  readonly unit: string;
  readonly lineEnd: string;
}

/** A value as people write it: lists of numbers are on one line. */
export function jsonText(value: JsonValue, style: JsonStyle): string {
  if (!isNested(value)) return jsonLine(value);
  const inner = { ...style, indent: style.indent + style.unit };
  const lines = partsOf(value, (part) => jsonText(part, inner)).map(
    (part) => style.lineEnd + inner.indent + part,
  );
  const [open, close] = isList(value) ? "[]" : "{}";
  return `${open}${lines.join(",")}${style.lineEnd}${style.indent}${close}`;
}

/** The elements of a list, or the members of an object with their keys. */
function partsOf(value: JsonValue, textOf: (part: JsonValue) => string): string[] {
  if (isList(value)) return value.map(textOf);
  if (!isObject(value)) return [];
  return Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${textOf(part)}`);
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
const isObject = (value: JsonValue): value is { readonly [key: string]: JsonValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether it takes several lines. */
const isNested = (value: JsonValue): boolean =>
  isList(value)
    ? value.some((part) => typeof part === "string" || isObject(part) || isNested(part))
    : isObject(value) && Object.keys(value).length > 0;

/** Where an object of one line has blanks. */
interface LineStyle {
  readonly colon: string;
  readonly comma: string;
  /** Inside the braces. */
  readonly pad: string;
}

const DENSE: LineStyle = { colon: ":", comma: ",", pad: "" };

/** The style of what is around a value. */
function lineStyleOf(text: string, around: JsoncNode): LineStyle {
  const sample = text.slice(lineStart(text, around.offset), endOf(around));
  return {
    colon: /":\s/.test(sample) ? ": " : ":",
    comma: /,\s/.test(sample) ? ", " : ",",
    pad: /\{ +"/.test(sample) ? " " : "",
  };
}

/** Lists of numbers have blanks, as they have on a line of their own. */
function jsonLine(value: JsonValue, style = DENSE): string {
  if (isList(value)) {
    const separator = value.some((part) => typeof part === "number" || isList(part)) ? ", " : style.comma;
    return `[${value.map((part) => jsonLine(part, style)).join(separator)}]`;
  }
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([key, part]) => `${JSON.stringify(key)}${style.colon}${jsonLine(part, style)}`,
    );
    return members.length === 0 ? "{}" : `{${style.pad}${members.join(style.comma)}${style.pad}}`;
  }
  if (Object.is(value, -0)) return "-0";
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
