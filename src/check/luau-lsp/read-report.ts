/** Reads what `luau-lsp analyze --formatter=gnu` prints. It is text of a program that the project may have chosen, so that nothing of it is taken on trust. */
import { byPlace, type Finding, severityOf } from "../finding.ts";

export interface Report {
  readonly findings: readonly Finding[];
  /** Lines that are neither a finding nor a usual remark, before the first finding. */
  readonly strange: readonly string[];
  /** What the program says it could not do: a file that it cannot open, settings that it cannot read. */
  readonly failures: readonly string[];
  /** How many findings there are, also those in files that were not asked for. */
  readonly total: number;
}

/** Gives the name of a file that was asked for; undefined for any other path. */
export type NameOf = (path: string) => string | undefined;

/** `NAME:LINE.COLUMN-LINE.COLUMN: CODE: MESSAGE`; with a colon for the first dot and one line in the form for machines. */
const FINDING =
  /^(.{1,4096}?):(\d{1,9})[.:](\d{1,9})-(?:(\d{1,9})\.)?(\d{1,9}): (?:\(W0\) )?(\w{1,64}): (.*)$/;
const REMARK = /^(?:\[(?:INFO|WARN|LOG)\] |WARNING: |warning: )/;
const FAILURE =
  /^(?:\[ERROR\] .*|Error opening .*|Cannot get .*|.*: Failed to .*|.*ASSERTION FAILED.*|.*\.(?:luaurc|robloxrc|config\.luau): .*)$/;

/** Longer ones say nothing to people, and would take long to read. */
const MAX_LINE = 16_384;
/** Lines of one message. */
const MAX_MESSAGE_LINES = 60;

export function readReport(text: string, nameOf: NameOf): Report {
  const found = new Map<string, Finding>();
  const strange: string[] = [];
  const failures: string[] = [];
  let total = 0;
  let open: { readonly finding: Finding | undefined; readonly lines: string[] } | undefined;
  const close = (): void => {
    if (open?.finding === undefined) return;
    const finding = { ...open.finding, message: open.lines.join("\n").trimEnd() };
    // A checker repeats the findings in a module for every file that requires it.
    found.set(JSON.stringify(finding), finding);
  };
  for (const whole of text.split(/\r?\n/)) {
    const line = whole.length > MAX_LINE ? `${whole.slice(0, MAX_LINE)}…` : whole;
    const opened = readOpening(line, nameOf);
    if (opened !== undefined) {
      close();
      open = opened;
      total += 1;
    } else if (FAILURE.test(line)) failures.push(line.replace(/^\[ERROR\] /, ""));
    else if (open === undefined) {
      if (line.trim() !== "" && !REMARK.test(line)) strange.push(line);
    } else if (open.lines.length < MAX_MESSAGE_LINES && !REMARK.test(line)) open.lines.push(line);
  }
  close();
  return { findings: [...found.values()].sort(byPlace), strange, failures, total };
}

function readOpening(line: string, nameOf: NameOf) {
  const match = FINDING.exec(line);
  if (match === null) return undefined;
  const [, path = "", startLine, startColumn, endLine = startLine, endColumn, code = "", message = ""] =
    match;
  const file = fileOf(path, nameOf);
  const finding: Finding | undefined =
    file === undefined
      ? undefined
      : {
          file,
          line: Number(startLine),
          column: Number(startColumn),
          endLine: Number(endLine),
          endColumn: Number(endColumn),
          severity: severityOf(code),
          code,
          message,
        };
  return { finding, lines: [message] };
}

/** A file that an Instance comes from stands as `FILE [game/PATH]`, and either part may hold brackets. */
function fileOf(path: string, nameOf: NameOf): string | undefined {
  const whole = nameOf(path);
  if (whole !== undefined || !path.endsWith("]")) return whole;
  for (let at = path.indexOf(" ["); at !== -1; at = path.indexOf(" [", at + 1)) {
    const name = nameOf(path.slice(0, at));
    if (name !== undefined) return name;
  }
  return undefined;
}
