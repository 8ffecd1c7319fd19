/** Finds the statements of a TOML text with their ranges. What the values mean is left to the TOML parser. */
import { TextFault } from "../util/text-fault.ts";

export interface TomlStatement {
  readonly kind: "table" | "tables" | "pair";
  /** The key as written; a pair's is relative to the table above it. */
  readonly path: readonly string[];
  /** Whole lines: from the start of its first to the start of the line behind it. */
  readonly start: number;
  readonly end: number;
  /** The value of a pair; empty for a header. */
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** Throws TextFault where the text is not made of statements. */
export function scanToml(text: string): TomlStatement[] {
  const statements: TomlStatement[] = [];
  const scanner = new Scanner(text);
  for (let next = scanner.next(); next !== undefined; next = scanner.next()) statements.push(next);
  return statements;
}

const KEY = /[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const STRINGS = [
  /"""(?:[^\\]|\\[^])*?"{3,5}(?!")/y,
  /'''[^]*?'{3,5}(?!')/y,
  /"(?!"")(?:[^"\\\n]|\\.)*"/y,
  /'(?!'')[^'\n]*'/y,
] as const;

class Scanner {
  #at: number;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith("\ufeff") ? 1 : 0;
  }

  next(): TomlStatement | undefined {
    this.#match(/(?:[ \t]*(?:#[^\n]*)?\r?\n)*/y);
    const start = this.#at;
    this.#match(/[ \t]*(?:#[^\n]*)?/y);
    if (this.#at >= this.#text.length) return undefined;
    const opening = this.#match(/\[\[?/y);
    if (opening !== "") return this.#header(start, opening);
    const path = this.#path();
    if (this.#match(/[ \t]*=[ \t]*/y) === "") throw this.#fault('expected "="');
    const valueStart = this.#at;
    const valueEnd = this.#value();
    return { kind: "pair", path, start, end: this.#lineEnd(), valueStart, valueEnd };
  }

  #header(start: number, opening: string): TomlStatement {
    this.#match(/[ \t]*/y);
    const path = this.#path();
    this.#match(/[ \t]*/y);
    if (this.#match(opening === "[" ? /\]/y : /\]\]/y) === "")
      throw this.#fault(`expected "${opening === "[" ? "]" : "]]"}"`);
    const end = this.#lineEnd();
    return { kind: opening === "[" ? "table" : "tables", path, start, end, valueStart: end, valueEnd: end };
  }

  #path(): string[] {
    const path: string[] = [];
    do {
      const key = this.#match(KEY);
      if (key === "") throw this.#fault("expected a key");
      path.push(plainKey(key));
    } while (this.#match(/[ \t]*\.[ \t]*/y) !== "");
    return path;
  }

  /** To the end of the value, which may span lines inside brackets. */
  #value(): number {
    let depth = 0;
    let end = this.#at;
    for (;;) {
      const character = this.#text.charAt(this.#at);
      if (character === "") break;
      if (character === '"' || character === "'") {
        if (!STRINGS.some((pattern) => this.#match(pattern) !== ""))
          throw this.#fault("a string that does not end");
      } else if (depth === 0 && (character === "\n" || character === "#")) break;
      else if (character === "#") this.#match(/[^\n]*/y);
      else {
        if (character === "[" || character === "{") depth += 1;
        if (character === "]" || character === "}") depth -= 1;
        this.#at += 1;
      }
      if (character.trim() !== "") end = this.#at;
    }
    if (depth > 0) throw this.#fault("a list or a table that does not end");
    return end;
  }

  #lineEnd(): number {
    this.#match(/[ \t]*(?:#[^\n]*)?\r?/y);
    if (this.#at < this.#text.length && this.#match(/\n/y) === "")
      throw this.#fault("expected the end of the line");
    return this.#at;
  }

  #match(pattern: RegExp): string {
    const sticky = new RegExp(pattern);
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #fault(message: string): TextFault {
    return new TextFault(message, Math.min(this.#at, this.#text.length));
  }
}

function plainKey(key: string): string {
  if (key.startsWith("'")) return key.slice(1, -1);
  return key.startsWith('"') ? key.slice(1, -1).replaceAll(/\\(.)/g, "$1") : key;
}
