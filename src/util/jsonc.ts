/**
 * Reads JSON as people write it in settings files, with comments and trailing commas, and remembers where everything
 * stands, so that a change can be made in place and a fault can be pointed at. It never writes.
 */
import { TextFault } from "./text-fault.ts";

export type JsoncNode = JsoncObject | JsoncArray | JsoncScalar;

interface Span {
  /** Offsets into the text, the end exclusive. */
  readonly start: number;
  readonly end: number;
}

export interface JsoncMember {
  readonly key: string;
  readonly keyStart: number;
  readonly value: JsoncNode;
  /** Of the comma behind it, which the last member may have too. */
  readonly commaStart: number | undefined;
}

export interface JsoncObject extends Span {
  readonly kind: "object";
  readonly members: readonly JsoncMember[];
}

interface JsoncArray extends Span {
  readonly kind: "array";
  readonly items: readonly JsoncNode[];
}

interface JsoncScalar extends Span {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
}

const DEPTH_LIMIT = 200;

/** Undefined for a text without any value. Throws TextFault. */
export function parseJsonc(text: string): JsoncNode | undefined {
  const reader = new Reader(text);
  reader.skip();
  if (reader.at === text.length) return undefined;
  const root = reader.value(0);
  reader.skip();
  if (reader.at < text.length) throw new TextFault("unexpected text after the end", reader.at);
  return root;
}

/** The plain value; of members with one name the last counts, as everywhere. */
export function valueOf(node: JsoncNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map(valueOf);
  return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOf(value)]));
}

export function memberOf(node: JsoncObject, key: string): JsoncMember | undefined {
  return node.members.findLast((member) => member.key === key);
}

/** Where the value at `path` stands, or the closest thing around it that is there. */
export function nodeAt(root: JsoncNode, path: readonly PropertyKey[]): JsoncNode {
  let node = root;
  for (const key of path) {
    const next =
      node.kind === "object"
        ? memberOf(node, String(key))?.value
        : node.kind === "array"
          ? node.items[Number(key)]
          : undefined;
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

class Reader {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith("\ufeff")) this.at = 1;
  }

  /** Blanks and comments. */
  skip(): void {
    for (;;) {
      const rest = /[ \t\r\n]*(\/\/[^\n]*|\/\*[^]*?\*\/)?/y;
      rest.lastIndex = this.at;
      const length = rest.exec(this.#text)?.[0].length ?? 0;
      if (length === 0) break;
      this.at += length;
    }
    if (this.#text.startsWith("/*", this.at)) throw new TextFault("a comment that does not end", this.at);
  }

  value(depth: number): JsoncNode {
    if (depth > DEPTH_LIMIT) throw new TextFault("nested too deeply", this.at);
    const character = this.#text.charAt(this.at);
    if (character === "{") return this.#object(depth);
    if (character === "[") return this.#array(depth);
    const start = this.at;
    const value = character === '"' ? this.#string() : this.#word();
    return { kind: "scalar", value, start, end: this.at };
  }

  #object(depth: number): JsoncObject {
    const start = this.at;
    const members: JsoncMember[] = [];
    this.#list("}", () => {
      const keyStart = this.at;
      if (this.#text.charAt(this.at) !== '"') throw this.#unexpected('a name in double quotes or "}"');
      const key = this.#string();
      this.skip();
      if (this.#text.charAt(this.at) !== ":") throw this.#unexpected('":"');
      this.at += 1;
      this.skip();
      const value = this.value(depth + 1);
      return (commaStart) => members.push({ key, keyStart, value, commaStart });
    });
    return { kind: "object", members, start, end: this.at };
  }

  #array(depth: number): JsoncArray {
    const start = this.at;
    const items: JsoncNode[] = [];
    this.#list("]", () => {
      const item = this.value(depth + 1);
      return () => items.push(item);
    });
    return { kind: "array", items, start, end: this.at };
  }

  /** From the opening to behind the closing bracket. What reads an item is then told where its comma is. */
  #list(close: string, readItem: () => (commaStart: number | undefined) => void): void {
    this.at += 1;
    for (;;) {
      this.skip();
      if (this.#text.charAt(this.at) === close) break;
      const add = readItem();
      this.skip();
      const hasComma = this.#text.charAt(this.at) === ",";
      add(hasComma ? this.at : undefined);
      if (hasComma) this.at += 1;
      else if (this.#text.charAt(this.at) !== close) throw this.#unexpected(`"," or "${close}"`);
    }
    this.at += 1;
  }

  #string(): string {
    const literal = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
    literal.lastIndex = this.at;
    const found = literal.exec(this.#text)?.[0];
    if (found === undefined) throw new TextFault("a string that is not well formed", this.at);
    this.at += found.length;
    return JSON.parse(found);
  }

  #word(): number | boolean | null {
    const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    literal.lastIndex = this.at;
    const found = literal.exec(this.#text)?.[0];
    if (found === undefined) throw this.#unexpected("a value");
    this.at += found.length;
    return JSON.parse(found);
  }

  #unexpected(wanted: string): TextFault {
    const character = this.#text.charAt(this.at);
    const found = character === "" ? "the end of the file" : JSON.stringify(character);
    return new TextFault(`expected ${wanted}, found ${found}`, this.at);
  }
}
