/**
 * Finds what edits of one source replace, and replaces it. Every edit means the source as it was before all of them. Pure.
 */
import { bareLine, linesWithBreaks } from "../util/text-lines.ts";
import { matchingLines, similarLines } from "./near-lines.ts";
import type { NumberedLine } from "./near-lines.ts";

/** A text and its replacement, lines and their replacement, what a search found, or the whole source. */
export type Edit =
  | { readonly kind: "text"; readonly old: string; readonly new: string; readonly all: boolean }
  /** `endLine` right before `startLine` inserts in front of `startLine`. */
  | { readonly kind: "lines"; readonly startLine: number; readonly endLine: number; readonly new: string }
  | { readonly kind: "found"; readonly replacements: readonly Replacement[] }
  | { readonly kind: "whole"; readonly source: string };

/** `end` is the first character behind what is replaced. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Why an edit cannot be made, and lines that may be meant. */
export interface EditFault {
  readonly code: string;
  readonly message: string;
  readonly nearest?: readonly NumberedLine[];
}

/** What each edit replaces, in the order given; a fault takes nothing away from the edits after it. */
export type Planned = { readonly replacements: readonly Replacement[] } | { readonly fault: EditFault };

export function planEdits(source: string, edits: readonly Edit[]): readonly Planned[] {
  const taken: Replacement[] = [];
  return edits.map((edit) => {
    const planned = plan(source, edit, taken);
    if ("replacements" in planned) taken.push(...planned.replacements);
    return planned;
  });
}

/** The replacements do not overlap; those at one place come in the order given. */
export function replaceIn(source: string, replacements: readonly Replacement[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text } of replacements.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    pieces.push(source.slice(at, start), text);
    at = end;
  }
  return [...pieces, source.slice(at)].join("");
}

/**
 * The same in a source whose lines may end with a carriage return too, which the replacements do not count. Each line end
 * that is not replaced stays; a new one is as that of the line in which its replacement begins.
 */
export function replaceInSource(source: string, replacements: readonly Replacement[]): string {
  const carried = Array.from(source.matchAll(/\r\n/g), ({ index }, count) => index - count);
  const placeOf = (at: number): number => at + countBelow(carried, at);
  return replaceIn(
    source,
    replacements.map(({ start, end, text }) => {
      const place = placeOf(start);
      return { start: place, end: placeOf(end), text: text.replaceAll("\n", breakAt(source, place)) };
    }),
  );
}

/** How many of rising numbers are below a limit. */
function countBelow(rising: readonly number[], limit: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** That of the line around a place, or else the last one before. */
function breakAt(source: string, place: number): string {
  const next = source.indexOf("\n", place);
  const at = next === -1 ? source.lastIndexOf("\n") : next;
  return source[at - 1] === "\r" ? "\r\n" : "\n";
}

function plan(source: string, edit: Edit, taken: readonly Replacement[]): Planned {
  if (edit.kind === "text") return planText(source, edit, taken);
  if (edit.kind === "found") return { replacements: edit.replacements };
  const replacement = edit.kind === "whole" ? wholeOf(source, edit) : linesOf(source, edit);
  if ("fault" in replacement) return replacement;
  return taken.some((other) => overlap(other, replacement)) ? overlapping() : { replacements: [replacement] };
}

type Kind<K extends Edit["kind"]> = Extract<Edit, { readonly kind: K }>;

function wholeOf(source: string, edit: Kind<"whole">): Replacement {
  return { start: 0, end: source.length, text: edit.source };
}

function linesOf(source: string, edit: Kind<"lines">): Replacement | { readonly fault: EditFault } {
  const { startLine, endLine } = edit;
  const lines = linesWithBreaks(source);
  const wrong = startLine > lines.length + 1 ? startLine : endLine > lines.length ? endLine : undefined;
  if (wrong !== undefined) {
    const there = lines.length === 1 ? "1 line" : `${lines.length} lines`;
    return {
      fault: { code: "LINE_NOT_FOUND", message: `There is no line ${wrong}; the source has ${there}.` },
    };
  }
  const before = lines.slice(0, startLine - 1).join("");
  const meant = lines.slice(startLine - 1, endLine).join("");
  const isLast = endLine >= lines.length;
  // Lines stay apart, also where the last one has no line break.
  const lead = before !== "" && !before.endsWith("\n") && edit.new !== "" ? "\n" : "";
  const needsBreak = edit.new !== "" && !edit.new.endsWith("\n") && (!isLast || meant.endsWith("\n"));
  return {
    start: before.length,
    end: before.length + meant.length,
    text: `${lead}${edit.new}${needsBreak ? "\n" : ""}`,
  };
}

function planText(source: string, edit: Kind<"text">, taken: readonly Replacement[]): Planned {
  const everywhere = occurrences(source, edit);
  if (everywhere.length === 0) return notFound(source, edit.old);
  const free = everywhere.filter((each) => !taken.some((other) => overlap(other, each)));
  if (free.length === 0 || (edit.all && free.length < everywhere.length)) return overlapping();
  return edit.all || free.length === 1 ? { replacements: free } : notUnique(source, free);
}

function occurrences(source: string, { old, new: text }: Kind<"text">): Replacement[] {
  const found: Replacement[] = [];
  for (let at = source.indexOf(old); at !== -1; at = source.indexOf(old, at + old.length))
    found.push({ start: at, end: at + old.length, text });
  return found;
}

/** What is inserted between two characters overlaps only what is replaced around them. */
function overlap(a: Replacement, b: Replacement): boolean {
  if (a.start === a.end && b.start === b.end) return false;
  return a.start < b.end && b.start < a.end;
}

function overlapping(): Planned {
  const message = "It changes the same text as an edit before it in this call.";
  return { fault: { code: "EDITS_OVERLAP", message } };
}

function notFound(source: string, old: string): Planned {
  const nearest = similarLines(source, old);
  const differsInBlanks = nearest.some(({ text }) => bare(text) === bare(bareLine(firstLine(old))));
  const reason = differsInBlanks ? " A line differs from it only in whitespace." : "";
  return {
    fault: { code: "TEXT_NOT_FOUND", message: `The source does not have this text.${reason}`, nearest },
  };
}

function notUnique(source: string, found: readonly Replacement[]): Planned {
  const message = `The source has this text ${found.length} times; give more of the lines around it, or replace all of them.`;
  const nearest = matchingLines(
    source,
    found.map(({ start }) => start),
  );
  return { fault: { code: "TEXT_NOT_UNIQUE", message, nearest } };
}

const bare = (line: string) => line.replaceAll(/\s+/g, "");
const firstLine = (text: string) => linesWithBreaks(text).find((line) => line.trim() !== "") ?? "";
