/**
 * Reads JSON with comments and trailing commas, as people write it in settings files. The parser is VS Code's; this module
 * turns its list of errors into the first fault, with its place, and finds members in its tree.
 */
import { createScanner, getNodeValue, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Node, ParseError } from "jsonc-parser";
import { TextFault } from "./text-fault.ts";

/** A value, a member, or a list of them; `offset` and `length` say where it stands in the text. */
export type JsoncNode = Node;

export interface JsoncMember {
  readonly key: string;
  readonly keyStart: number;
  readonly value: JsoncNode;
}

/** The parser calls itself at every level, so that a deeper text could exhaust the stack. */
const DEPTH_LIMIT = 200;

/** Undefined for a text without any value. Throws TextFault. */
export function parseJsonc(text: string): JsoncNode | undefined {
  checkDepth(text);
  const errors: ParseError[] = [];
  const root = parseTree(withoutMark(text), errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first !== undefined) throw faultOf(text, first);
  return root;
}

/** Throws TextFault where something stands behind the first value. Other faults are not looked for. */
export function refuseRest(text: string): void {
  checkDepth(text);
  const errors: ParseError[] = [];
  const root = parseTree(withoutMark(text), errors, { allowTrailingComma: true });
  if (root === undefined) return;
  const rest = errors.find(({ offset }) => offset >= root.offset + root.length);
  if (rest !== undefined) throw new TextFault("unexpected text after the end", rest.offset);
}

/** The plain value; of members with one name the last counts. */
export function valueOf(node: JsoncNode): unknown {
  return getNodeValue(node);
}

/** JSON data in which whole numbers that a double cannot hold are bigints. */
export type ExactJson =
  null | boolean | number | bigint | string | readonly ExactJson[] | { readonly [key: string]: ExactJson };

/** The plain value of a node of `text`, with all digits of its numbers. */
export function exactValueOf(text: string, node: JsoncNode): ExactJson {
  if (node.type === "array") return (node.children ?? []).map((child) => exactValueOf(text, child));
  if (node.type === "object")
    return Object.fromEntries(membersOf(node).map(({ key, value }) => [key, exactValueOf(text, value)]));
  if (node.type === "number") return exactNumber(text.slice(node.offset, node.offset + node.length));
  const value: unknown = valueOf(node);
  return typeof value === "string" || typeof value === "boolean" ? value : null;
}

function exactNumber(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(digits) ? number : BigInt(digits);
}

/** None where the node is no object. */
export function membersOf({ type, children = [] }: JsoncNode): JsoncMember[] {
  if (type !== "object") return [];
  return children.flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [{ key: String(key.value), keyStart: key.offset, value }],
  );
}

export function memberOf(node: JsoncNode, key: string): JsoncMember | undefined {
  return membersOf(node).findLast((member) => member.key === key);
}

/** The value at `path`, or the closest value around it that exists. */
export function nodeAt(root: JsoncNode, path: readonly PropertyKey[]): JsoncNode {
  let node = root;
  for (const key of path) {
    const next = node.type === "array" ? node.children?.[Number(key)] : memberOf(node, String(key))?.value;
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

/** The offset of the first character at or behind `offset` that is neither blank nor part of a comment. */
export function nextTokenOffset(text: string, offset: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return scanner.getTokenOffset();
}

/** The parser knows no byte order mark. A blank in its place keeps every offset. */
function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? ` ${text.slice(1)}` : text;
}

function checkDepth(text: string): void {
  const scanner = createScanner(text, true);
  let depth = 0;
  do {
    scanner.scan();
    const token = scanner.getTokenLength() === 1 ? text.charAt(scanner.getTokenOffset()) : "";
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (depth > DEPTH_LIMIT) throw new TextFault("nested too deeply", scanner.getTokenOffset());
  } while (scanner.getPosition() < text.length);
}

/** Continued with the text that stands at the place of the fault. */
const sentences: { readonly [name in ReturnType<typeof printParseErrorCode>]?: string } = {
  InvalidSymbol: "expected a value, or a name in double quotes",
  PropertyNameExpected: 'expected a name in double quotes or "}"',
  ValueExpected: "expected a value",
  ColonExpected: 'expected ":"',
  CommaExpected: 'expected ","',
  CloseBraceExpected: 'expected "," or "}"',
  CloseBracketExpected: 'expected "," or "]"',
};

/** Faults for which the text at their place adds nothing. */
const wholeSentences: typeof sentences = {
  EndOfFileExpected: "unexpected text after the end",
  InvalidNumberFormat: "a number that is not well formed",
  InvalidCommentToken: "a comment that is not well formed",
  UnexpectedEndOfComment: "a comment that does not end",
  UnexpectedEndOfString: "a string that does not end",
  UnexpectedEndOfNumber: "a number that does not end",
  InvalidUnicode: "a string that is not well formed",
  InvalidEscapeCharacter: "a string that is not well formed",
  InvalidCharacter: "a string that is not well formed",
};

function faultOf(text: string, { error, offset, length }: ParseError): TextFault {
  const name = printParseErrorCode(error);
  const found =
    offset >= text.length ? "the end of the file" : JSON.stringify(text.slice(offset, offset + length));
  const message = wholeSentences[name] ?? `${sentences[name] ?? name}, found ${found}`;
  return new TextFault(message, offset);
}
