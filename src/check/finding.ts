/** What a check finds: at one place of one file, with a code and a sentence. */

export interface Finding {
  /** Relative to the folder of the check, with slashes; absolute where the file is not in it. */
  readonly file: string;
  /** They count from 1; `endColumn` is the last column that belongs to the place. */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly severity: Severity;
  /** Such as `TypeError`, `LocalUnused` or `RequireLeadsNowhere`. */
  readonly code: string;
  readonly message: string;
}

export type Severity = "error" | "warning";

/** Every other code of a type checker is that of a lint. */
const ERROR_CODES: ReadonlySet<string> = new Set(["TypeError", "SyntaxError"]);

export const severityOf = (code: string): Severity => (ERROR_CODES.has(code) ? "error" : "warning");

/** By file, then by place. */
export const byPlace = (a: Finding, b: Finding): number =>
  compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column || compareTexts(a.code, b.code);

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
