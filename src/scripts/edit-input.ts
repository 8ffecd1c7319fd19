/** Reads the edits of a call: what agents give as a list, and what people type as flags. */
import { limits } from "../protocol/limits.ts";
import { invalidInput } from "../protocol/messages.ts";
import { readRange } from "./line-range.ts";
import type { Edit } from "./apply-edits.ts";

/** An edit as agents write it. */
export interface GivenEdit {
  readonly path: string;
  readonly old?: string | undefined;
  readonly new?: string | undefined;
  readonly all?: boolean | undefined;
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
  readonly source?: string | undefined;
  readonly hash?: string | undefined;
}

/** An edit of the script at a path, and what the hash of its source must be. */
export interface ScriptEdit {
  readonly path: string;
  readonly edit: Edit;
  readonly hash?: string | undefined;
}

const LIMIT_EDITS = 5_000;
const { patchSources: LIMIT_SCRIPTS, patchSourceBytes: LIMIT_BYTES } = limits;

/** Throws INVALID_INPUT for edits that can be of no source, which names them. */
export function readEdits(given: readonly GivenEdit[]): readonly ScriptEdit[] {
  const edits = given.map((each, index) => ({
    path: each.path,
    edit: readEdit(each, given.length === 1 ? "" : `edits[${index}]: `),
    hash: each.hash,
  }));
  const scripts = new Set(edits.map(({ path }) => path)).size;
  if (edits.length > LIMIT_EDITS || scripts > LIMIT_SCRIPTS)
    throw invalidInput(
      `A call edits at most ${LIMIT_SCRIPTS} scripts with ${LIMIT_EDITS} edits; these are ${scripts} with ${edits.length}.`,
      "Split it into several calls.",
    );
  return edits;
}

/** Throws INVALID_INPUT for sources that are too much for one call. */
export function checkSize(sources: readonly string[]): void {
  const bytes = sources.reduce((sum, source) => sum + Buffer.byteLength(source), 0);
  if (bytes > LIMIT_BYTES)
    throw invalidInput(
      `A call writes at most ${LIMIT_BYTES / 1024 / 1024} MB of sources; these are ${(bytes / 1024 / 1024).toFixed(1)} MB.`,
      "Split it into several calls.",
    );
}

function readEdit(given: GivenEdit, where: string): Edit {
  const forms = [given.old, given.startLine, given.source].filter((form) => form !== undefined);
  if (forms.length !== 1)
    throw invalidInput(
      `${where}An edit has one of old, startLine and source.`,
      "old and new replace a text, startLine, endLine and new replace lines, source replaces everything.",
    );
  if (given.source !== undefined) return wholeEdit(given, given.source, where);
  const { old, startLine, new: text } = given;
  if (text === undefined)
    throw invalidInput(`${where}new is missing.`, "An empty text as new removes what is replaced.");
  if (old !== undefined) return textEdit(given, old, text, where);
  return lineEdit(given, startLine ?? 1, text, where);
}

function wholeEdit(given: GivenEdit, source: string, where: string): Edit {
  refuseStray(given, ["new", "all", "endLine"], "source", where);
  return { kind: "whole", source };
}

function textEdit(given: GivenEdit, old: string, text: string, where: string): Edit {
  refuseStray(given, ["endLine"], "old", where);
  if (old === "") throw invalidInput(`${where}old is empty.`, "source replaces a whole source.");
  return { kind: "text", old: withBreaks(old), new: withBreaks(text), all: given.all ?? false };
}

function lineEdit(given: GivenEdit, startLine: number, text: string, where: string): Edit {
  refuseStray(given, ["all"], "startLine", where);
  const endLine = given.endLine ?? startLine;
  if (endLine < startLine - 1)
    throw invalidInput(
      `${where}endLine ${endLine} is before startLine ${startLine}.`,
      `endLine ${startLine - 1} puts new in front of line ${startLine}.`,
    );
  return { kind: "lines", startLine, endLine, new: withBreaks(text) };
}

function refuseStray(
  given: GivenEdit,
  keys: readonly (keyof GivenEdit)[],
  form: string,
  where: string,
): void {
  const stray = keys.find((key) => given[key] !== undefined);
  if (stray !== undefined)
    throw invalidInput(`${where}${stray} does not go with ${form}.`, "Make it two edits, or leave it out.");
}

/** Texts and lines are looked for with line feeds alone, as Studio's script editor writes them. */
export function withBreaks(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** What people type about the one edit of a command. */
interface EditFlags extends Omit<GivenEdit, "startLine" | "endLine"> {
  readonly lines?: string | undefined;
  /** The line in front of which `new` is put. */
  readonly insert?: number | undefined;
}

/** The edit that flags describe; undefined where they describe none. Throws INVALID_INPUT. */
export function editOfFlags({ lines, insert, ...flags }: EditFlags): GivenEdit | undefined {
  const isNone = [lines, insert, flags.old, flags.new, flags.all, flags.source].every(
    (flag) => flag === undefined,
  );
  if (isNone) return undefined;
  if (flags.source === undefined) checkFlags({ lines, insert, ...flags });
  if (insert !== undefined) return { ...flags, startLine: insert, endLine: insert - 1 };
  return lines === undefined ? flags : { ...flags, ...replacedLines(lines) };
}

function checkFlags({ old, new: text, all, lines, insert }: EditFlags): void {
  if (all !== undefined && old === undefined)
    throw invalidInput("--all goes with --old.", "--old TEXT --new TEXT --all replaces every occurrence.");
  if (old === undefined && lines === undefined && insert === undefined)
    throw invalidInput(
      "--new does not say where the new text goes.",
      "Add --old TEXT, --lines A:B or --insert LINE.",
    );
  if (text === undefined) throw invalidInput("--new is missing.", "--new '' removes what is replaced.");
}

function replacedLines(lines: string): { readonly startLine: number; readonly endLine: number } {
  const { first, last } = readRange(lines);
  if (last === Number.POSITIVE_INFINITY)
    throw invalidInput(
      `Not a range of lines to replace: ${lines}`,
      "Write the first and the last, such as 10:20.",
    );
  return { startLine: first, endLine: last };
}
