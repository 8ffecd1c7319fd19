/**
 * Sets or removes one server in a JSON configuration. Comments, order, indentation and line ends stay as they are; only
 * the members that differ are touched. The edits are ours: `modify` of jsonc-parser puts a new member before the comment
 * that belongs to the last one, and writes that neighbour and files of one line in its own format.
 */
import { memberOf, membersOf, nextTokenOffset, parseJsonc, valueOf } from "../../util/jsonc.ts";
import type { JsoncMember, JsoncNode } from "../../util/jsonc.ts";
import { TextFault } from "../../util/text-fault.ts";
import { applyEdits, lineEndOf, lineStart } from "./text-edit.ts";

type Json = { readonly [key: string]: unknown };

/** Members of the entry that `entry` does not name stay. Throws TextFault. */
export function setJsonServer(text: string, serversKey: string, name: string, entry: Json): string {
  const root = rootOf(text);
  if (root === undefined) {
    const lineEnd = lineEndOf(text);
    const fresh = JSON.stringify({ [serversKey]: { [name]: entry } }, null, 2).replaceAll("\n", lineEnd);
    return `${text}${fresh}${lineEnd}`;
  }
  const servers = objectMember(root, serversKey);
  if (servers === undefined) return insert(text, root, root, serversKey, { [name]: entry });
  const server = memberOf(servers, name)?.value;
  if (server === undefined) return insert(text, root, servers, name, entry);
  if (server.type !== "object") return replace(text, root, server, entry);
  return Object.entries(entry).reduce((changed, [key, value]) => {
    const at = objectMember(objectMember(rootOf(changed) ?? root, serversKey) ?? servers, name) ?? server;
    const present = memberOf(at, key)?.value;
    if (present === undefined) return insert(changed, root, at, key, value);
    return Bun.deepEquals(valueOf(present), value) ? changed : replace(changed, root, present, value);
  }, text);
}

/** The text as it is where there is no such server. Throws TextFault. */
export function removeJsonServer(text: string, serversKey: string, name: string): string {
  const root = rootOf(text);
  const servers = root === undefined ? undefined : objectMember(root, serversKey);
  const member = servers === undefined ? undefined : memberOf(servers, name);
  return servers === undefined || member === undefined ? text : remove(text, servers, member);
}

/** Throws TextFault. */
export function readJson(text: string): unknown {
  const root = rootOf(text);
  return root === undefined ? {} : valueOf(root);
}

function rootOf(text: string): JsoncNode | undefined {
  const root = parseJsonc(text);
  if (root === undefined || root.type === "object") return root;
  throw new TextFault("expected an object", root.offset);
}

function objectMember(node: JsoncNode, key: string): JsoncNode | undefined {
  const value = memberOf(node, key)?.value;
  if (value === undefined || value.type === "object") return value;
  throw new TextFault(`expected ${JSON.stringify(key)} to be an object`, value.offset);
}

/** Adds a member behind the last one, in the style of its neighbours. */
function insert(text: string, root: JsoncNode, parent: JsoncNode, key: string, value: unknown): string {
  const last = membersOf(parent).at(-1);
  const parentEnd = endOf(parent);
  const contentEnd = endOfContent(
    text,
    last === undefined ? parent.offset + 1 : endOf(last.value),
    parentEnd - 1,
  );
  const isOnOneLine = last !== undefined && !text.slice(parent.offset, parentEnd).includes("\n");
  const unit = indentUnit(text, root);
  const outer = lineIndent(text, parent.offset);
  const own = last === undefined || isOnOneLine ? outer + unit : lineIndent(text, last.keyStart);
  const lineEnd = lineEndOf(text);
  const comma = last === undefined || commaBehind(text, last) === undefined ? "" : ",";
  if (isOnOneLine) {
    const member = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    const edit = `${comma === "" ? "," : ""} ${member}${comma}`;
    return applyEdits(text, [{ start: contentEnd, end: contentEnd, text: edit }]);
  }
  const member = `${JSON.stringify(key)}: ${valueText(value, own, unit, lineEnd)}`;
  const isClosedOnOwnLine = text.slice(contentEnd, parentEnd - 1).includes("\n");
  return applyEdits(text, [
    ...(last === undefined || comma !== ""
      ? []
      : [{ start: endOf(last.value), end: endOf(last.value), text: "," }]),
    {
      start: contentEnd,
      end: isClosedOnOwnLine ? contentEnd : parentEnd - 1,
      text: `${lineEnd}${own}${member}${comma}${isClosedOnOwnLine ? "" : lineEnd + outer}`,
    },
  ]);
}

function replace(text: string, root: JsoncNode, node: JsoncNode, value: unknown): string {
  const indent = lineIndent(text, node.offset);
  const fresh = valueText(value, indent, indentUnit(text, root), lineEndOf(text));
  return applyEdits(text, [{ start: node.offset, end: endOf(node), text: fresh }]);
}

/** Removes the member with its comma, and its line where nothing else is on it. */
function remove(text: string, parent: JsoncNode, member: JsoncMember): string {
  const [valueEnd, parentEnd] = [endOf(member.value), endOf(parent)];
  const members = membersOf(parent);
  const inside = text.slice(parent.offset + 1, member.keyStart) + text.slice(valueEnd, parentEnd - 1);
  if (members.length === 1 && /^[\s,]*$/.test(inside))
    return applyEdits(text, [{ start: parent.offset, end: parentEnd, text: "{}" }]);
  const comma = commaBehind(text, member);
  const former = members.findLast(({ keyStart }) => keyStart < member.keyStart);
  const dangling = comma === undefined && former !== undefined ? commaBehind(text, former) : undefined;
  const ownEnd = comma === undefined ? valueEnd : comma + 1;
  const start = lineStart(text, member.keyStart);
  const isAlone =
    text.slice(start, member.keyStart).trim() === "" && /^[ \t]*\r?(\n|$)/.test(text.slice(ownEnd));
  if (dangling !== undefined && !isAlone && text.slice(dangling + 1, member.keyStart).trim() === "")
    return applyEdits(text, [{ start: dangling, end: ownEnd, text: "" }]);
  const range = isAlone
    ? { start: lineFeedBefore(text, start), end: lineFeedAfter(text, ownEnd) }
    : { start: member.keyStart, end: ownEnd + (/^[ \t]*/.exec(text.slice(ownEnd))?.[0].length ?? 0) };
  return applyEdits(text, [
    { ...range, text: "" },
    ...(dangling === undefined ? [] : [{ start: dangling, end: dangling + 1, text: "" }]),
  ]);
}

const endOf = ({ offset, length }: JsoncNode) => offset + length;

/** Where the comma behind a member stands; the last member may have one too. */
function commaBehind(text: string, { value }: JsoncMember): number | undefined {
  const offset = nextTokenOffset(text, endOf(value));
  return text.charAt(offset) === "," ? offset : undefined;
}

/** The line feed itself stays; the one before the member's line goes instead. */
function lineFeedAfter(text: string, offset: number): number {
  const feed = text.indexOf("\n", offset);
  const end = feed === -1 ? text.length : feed;
  return text.charAt(end - 1) === "\r" ? end - 1 : end;
}

function lineFeedBefore(text: string, lineStarts: number): number {
  if (lineStarts === 0) return 0;
  return text.charAt(lineStarts - 2) === "\r" ? lineStarts - 2 : lineStarts - 1;
}

/** The end of the last member, its comma and its comments, before the blanks that lead to the closing bracket. */
function endOfContent(text: string, from: number, to: number): number {
  return from + text.slice(from, to).trimEnd().length;
}

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? "";
}

/** The indentation of one level: that of the first member, or two spaces. */
function indentUnit(text: string, root: JsoncNode): string {
  const [first] = membersOf(root);
  const indent = first === undefined ? "" : lineIndent(text, first.keyStart);
  return indent === "" ? "  " : indent;
}

function valueText(value: unknown, indent: string, unit: string, lineEnd: string): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", lineEnd + indent);
}
