/** Localization tables as CSV (RFC 4180), and as the JSON that a LocalizationTable keeps. */

/** Rows of fields; a field in quotes may hold commas, line ends and doubled quotes. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|\n|\r|$)/y;
  const body = text.replace(/^\ufeff/, "");
  let row: string[] = [];
  while (field.lastIndex < body.length) {
    const found = field.exec(body);
    if (found === null) throw new Error(`row ${rows.length + 1} is malformed`);
    const [, raw = "", end = ""] = found;
    row.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push([...row, ""]);
  return rows;
}

const FIELDS = new Map([
  ["Key", "key"],
  ["Source", "source"],
  ["Context", "context"],
  ["Example", "example"],
]);

/** Other columns are translations by locale. Rows without key and source are comments. */
export function localizationContents(text: string): string {
  const [header = [], ...rows] = parseCsv(text);
  const entries: object[] = [];
  for (const row of rows) {
    const entry: Record<string, string> = {};
    const values: Record<string, string> = {};
    for (const [index, column] of header.entries()) {
      const value = row[index] ?? "";
      const field = FIELDS.get(column);
      if (value === "" || column === "") continue;
      if (field === undefined) values[column] = value;
      else entry[field] = value;
    }
    if (entry["key"] !== undefined || entry["source"] !== undefined) entries.push({ ...entry, values });
  }
  return JSON.stringify(entries);
}
