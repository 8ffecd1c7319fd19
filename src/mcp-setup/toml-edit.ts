/** Sets or removes one server in a TOML configuration. Every other byte stays as it is. */
import { TextFault } from "../util/text-fault.ts";
import { applyEdits, lineEndOf } from "../util/text-edit.ts";
import type { TextEdit } from "../util/text-edit.ts";
import { scanToml } from "./toml-scan.ts";
import type { TomlStatement } from "./toml-scan.ts";

type Entry = { readonly [key: string]: string | readonly string[] };

/** Keys of the entry that `entry` does not name stay. Throws TextFault. */
export function setTomlServer(text: string, serversKey: string, name: string, entry: Entry): string {
  readToml(text);
  const statements = scanToml(text);
  refuseInline(statements, serversKey, name);
  const header = statements.find((each) => each.kind === "table" && isPath(each, serversKey, name));
  const lineEnd = lineEndOf(text);
  if (header === undefined) {
    const gap = text === "" ? "" : text.endsWith("\n") ? lineEnd : lineEnd.repeat(2);
    const lines = Object.entries(entry).map(([key, value]) => `${key} = ${valueText(value)}`);
    return text + gap + [`[${serversKey}.${name}]`, ...lines, ""].join(lineEnd);
  }
  const own = pairsOf(statements, header);
  const edits = Object.entries(entry).flatMap(([key, value]): TextEdit[] => {
    const pair = own.find(({ path }) => path.length === 1 && path[0] === key);
    if (pair === undefined)
      return [{ start: header.end, end: header.end, text: `${key} = ${valueText(value)}${lineEnd}` }];
    const { valueStart: start, valueEnd: end } = pair;
    return isSame(text.slice(start, end), value) ? [] : [{ start, end, text: valueText(value) }];
  });
  const needsLineEnd = edits.some(({ start }) => start === text.length) && !text.endsWith("\n");
  return applyEdits(
    text,
    needsLineEnd ? [{ start: text.length, end: text.length, text: lineEnd }, ...edits] : edits,
  );
}

/** Takes the server's table and those below it. The text as it is where there is none. Throws TextFault. */
export function removeTomlServer(text: string, serversKey: string, name: string): string {
  readToml(text);
  const statements = scanToml(text);
  refuseInline(statements, serversKey, name);
  const headers = statements.filter((each) => each.kind !== "pair" && startsWith(each, serversKey, name));
  const edits = headers.map((header): TextEdit => {
    const end = pairsOf(statements, header).at(-1)?.end ?? header.end;
    const before = /(?:^|\n)([ \t]*\r?\n)$/.exec(text.slice(0, header.start))?.[1] ?? "";
    return { start: header.start - before.length, end, text: "" };
  });
  return applyEdits(text, edits);
}

/** Throws TextFault at the first statement that does not parse together with those before it. */
export function readToml(text: string): unknown {
  try {
    return Bun.TOML.parse(text);
  } catch (error) {
    const statements = scanToml(text);
    const fails = ({ end }: TomlStatement) => !parses(text.slice(0, end));
    let [good, bad] = [-1, statements.length];
    while (bad - good > 1) {
      const middle = (good + bad) >> 1;
      const statement = statements[middle];
      if (statement !== undefined && fails(statement)) bad = middle;
      else good = middle;
    }
    const message = error instanceof Error ? error.message.replace(/^TOML Parse error: /, "") : String(error);
    throw new TextFault(message, statements[bad]?.start ?? text.length);
  }
}

function parses(text: string): boolean {
  try {
    Bun.TOML.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A server may also be written as an inline value. Such a file is refused, because only tables are edited here. */
function refuseInline(statements: readonly TomlStatement[], serversKey: string, name: string): void {
  let table: readonly string[] = [];
  for (const statement of statements) {
    if (statement.kind !== "pair") table = statement.path;
    else if (!isPrefix([serversKey, name], table)) {
      const path = [...table, ...statement.path];
      const holdsAll = path.length === 1 && path[0] === serversKey;
      if (holdsAll || isPrefix([serversKey, name], path))
        throw new TextFault(
          `${path.join(".")} is written as a value; sb edits only tables such as [${serversKey}.${name}]`,
          statement.start,
        );
    }
  }
}

/** The pairs directly below a header. */
function pairsOf(statements: readonly TomlStatement[], header: TomlStatement): TomlStatement[] {
  const behind = statements.slice(statements.indexOf(header) + 1);
  const next = behind.findIndex(({ kind }) => kind !== "pair");
  return next === -1 ? behind : behind.slice(0, next);
}

function isPath({ path }: TomlStatement, ...wanted: readonly string[]): boolean {
  return path.length === wanted.length && isPrefix(wanted, path);
}

function startsWith({ path }: TomlStatement, ...wanted: readonly string[]): boolean {
  return isPrefix(wanted, path);
}

function isPrefix(prefix: readonly string[], path: readonly string[]): boolean {
  return prefix.every((key, index) => path[index] === key);
}

function isSame(raw: string, value: string | readonly string[]): boolean {
  return Bun.deepEquals(Bun.TOML.parse(`value = ${raw}`), { value });
}

/** JSON's strings are TOML's, but for DEL. */
function valueText(value: string | readonly string[]): string {
  const text = JSON.stringify(value).replaceAll("\x7f", String.raw`\u007f`);
  return text.replaceAll('","', '", "');
}
