/** Localization tables as CSV (RFC 4180), and as the JSON that a LocalizationTable keeps. */

export interface CsvRow {
  readonly cells: readonly string[];
  /** As the file has it, without its line end. */
  readonly text: string;
}

/** A field that begins with a quote may hold commas, line ends and doubled quotes until the next. A mark at the start is no part of it. */
export function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  const field = /("(?:[^"]|"")*"|(?!")[^,\r\n]*)(,|\r\n|\n|\r|$)/y;
  const body = text.replace(/^\ufeff/, "");
  let cells: string[] = [];
  let start = 0;
  while (field.lastIndex < body.length) {
    const found = field.exec(body);
    if (found === null) throw new Error(`row ${rows.length + 1} is malformed`);
    const [, raw = "", end = ""] = found;
    cells.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === ",") continue;
    // A line with nothing in it is no row.
    if (cells.length > 1 || raw !== "")
      rows.push({ cells, text: body.slice(start, field.lastIndex - end.length) });
    cells = [];
    start = field.lastIndex;
  }
  if (cells.length > 0) rows.push({ cells: [...cells, ""], text: body.slice(start) });
  return rows;
}

/** The columns that are no translations, in the order that Rojo writes them in. */
const FIELDS = ["Key", "Context", "Example", "Source"];

/** Other columns are translations by locale. Rows without key and source are comments. Throws an Error for a malformed row. */
export function localizationContents(text: string): string {
  const [header = [], ...rows] = parseCsv(text).map(({ cells }) => cells);
  const entries: object[] = [];
  for (const [index, row] of rows.entries()) {
    if (row.length !== header.length)
      throw new Error(
        `row ${index + 2} has another number of fields than the header: ${row.length} and ${header.length}`,
      );
    const cells = new Map(header.map((column, index) => [column, row[index] ?? ""]));
    const filled = (columns: readonly string[], nameOf = (column: string) => column) =>
      columns.flatMap((column) => {
        const value = cells.get(column) ?? "";
        return value === "" ? [] : [[nameOf(column), value] as const];
      });
    const locales = header.filter((column) => column !== "" && !FIELDS.includes(column)).sort();
    const facts = filled(FIELDS, (column) => column.toLowerCase());
    if (facts.some(([field]) => field === "key" || field === "source"))
      entries.push({ ...Object.fromEntries(facts), values: Object.fromEntries(filled(locales)) });
  }
  return JSON.stringify(entries);
}
