/** The text of localization tables as CSV. Rows that are as before, comments, and the order of columns stay. */
import { type CsvRow, localizationContents, parseCsv } from "../csv.ts";

const FACTS = ["Key", "Source", "Context", "Example"];

/**
 * Undefined for contents that such a file cannot hold, for example entries without key and source. `old` is the file
 * before.
 */
export function csvText(old: string | undefined, contents: string): string | undefined {
  const entries = entriesOf(contents);
  if (entries === undefined) return undefined;
  const before = old ?? "";
  const lineEnd = before.includes("\r\n") ? "\r\n" : "\n";
  const rows = parseCsv(before);
  const [header] = rows;
  const columns = columnsOf(header?.cells ?? [], entries);
  const isSameHeader = header !== undefined && header.cells.length === columns.length;
  const lines = [isSameHeader ? header.text : lineOf(columns), ...mergedLines(rows, columns, entries)];
  const isOpen = before !== "" && !/[\r\n]$/.test(before);
  const text = (before.startsWith("\ufeff") ? "\ufeff" : "") + lines.join(lineEnd) + (isOpen ? "" : lineEnd);
  return localizationContents(text) === canonicalContents(contents) ? text : undefined;
}

/** The contents as reading a file would give them, so that two can be compared; undefined for what is no table. */
export function canonicalContents(contents: string): string | undefined {
  const entries = entriesOf(contents);
  return entries && JSON.stringify(entries.map(({ facts, values }) => ({ ...factsJson(facts), values })));
}

interface Entry {
  /** By column, without those that are empty. */
  readonly facts: ReadonlyMap<string, string>;
  /** By locale, sorted. */
  readonly values: { readonly [locale: string]: string };
}

/** In the order in which the reader has them. */
const factsJson = (facts: ReadonlyMap<string, string>): object =>
  Object.fromEntries(
    ["Key", "Context", "Example", "Source"].flatMap((column) => {
      const value = facts.get(column);
      return value === undefined ? [] : [[column.toLowerCase(), value]];
    }),
  );

function entriesOf(contents: string): readonly Entry[] | undefined {
  try {
    const json: unknown = JSON.parse(contents === "" ? "[]" : contents);
    if (!Array.isArray(json)) return undefined;
    const entries = json.map(entryOf).filter((entry) => entry !== undefined);
    return entries.length === json.length ? entries : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function entryOf(json: unknown): Entry | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(json));
  const facts = new Map<string, string>();
  for (const column of FACTS) {
    const name = column.toLowerCase();
    // Roblox writes the example under another name: https://devforum.roblox.com/t/2908720
    const value = members.get(name) ?? (name === "example" ? members.get("examples") : undefined) ?? "";
    if (typeof value !== "string") return undefined;
    if (value !== "") facts.set(column, value);
  }
  const values = members.get("values") ?? {};
  if (typeof values !== "object" || values === null) return undefined;
  const texts: [string, string][] = [];
  for (const [locale, text] of Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (typeof text !== "string") return undefined;
    if (text !== "") texts.push([locale, text]);
  }
  return { facts, values: Object.fromEntries(texts) };
}

/** Those of the file in their order, then the locales that are new. */
function columnsOf(header: readonly string[], entries: readonly Entry[]): string[] {
  const usual = header.length === 0 ? FACTS : header;
  const needed = entries.flatMap(({ facts, values }) => [...facts.keys(), ...Object.keys(values).sort()]);
  return [...new Set([...usual, ...needed.sort()])];
}

/** The lines without the header. Comments stay behind the row that they followed. */
function mergedLines(
  [, ...old]: readonly CsvRow[],
  columns: readonly string[],
  entries: readonly Entry[],
): string[] {
  const isComment = ({ cells }: CsvRow): boolean =>
    ["Key", "Source"].every((column) => (cells[columns.indexOf(column)] ?? "") === "");
  /** A row with the comments behind it. */
  const blocks = old.reduce<CsvRow[][]>(
    (made, row) => {
      if (isComment(row)) made.at(-1)?.push(row);
      else made.push([row]);
      return made;
    },
    [[]],
  );
  const [leading = [], ...waiting] = blocks;
  const lines = [leading];
  for (const entry of entries) {
    const cells = cellsOf(entry, columns);
    const same = waiting.findIndex(([row]) => columns.every((_, at) => (row?.cells[at] ?? "") === cells[at]));
    const [found] = same < 0 ? [] : waiting.splice(same, 1);
    lines.push(found ?? [{ cells, text: lineOf(cells) }]);
  }
  for (const [, ...comments] of waiting) lines.push(comments);
  // Rojo refuses rows that lack a field, as old ones do where the header has got another column.
  return lines.flat().map(({ cells, text }) => text + ",".repeat(Math.max(0, columns.length - cells.length)));
}

const cellsOf = ({ facts, values }: Entry, columns: readonly string[]): string[] =>
  columns.map((column) => facts.get(column) ?? values[column] ?? "");

const lineOf = (cells: readonly string[]): string => cells.map(fieldOf).join(",");

const fieldOf = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
