/** Finds the lines of a source that are most like a text which is missing or occurs more than once. Pure. */
import { bareLine, linesWithBreaks } from "../util/text-lines.ts";

export interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

/** How many lines are told. */
const LINES = 5;
/** A source with more lines is not compared line by line, which would take too long. */
const COMPARED_LINES = 50_000;
const LEAST_LIKENESS = 0.5;
const LINE_CHARACTERS = 200;

/** The lines that begin at or around these characters. */
export function matchingLines(source: string, starts: readonly number[]): NumberedLine[] {
  const lines = linesWithBreaks(source);
  return starts.slice(0, LINES).map((start) => {
    const line = source.slice(0, start).split("\n").length;
    return numbered(lines, line);
  });
}

/**
 * The lines most like the first line of `text` that says something, the likest first; where no line is, those with a part
 * that is like it.
 */
export function similarLines(source: string, text: string): NumberedLine[] {
  const wanted = linesWithBreaks(text).find((line) => line.trim() !== "");
  const lines = linesWithBreaks(source);
  if (wanted === undefined || lines.length > COMPARED_LINES) return [];
  const pairs = pairsOf(wanted);
  const compared = lines.map((line, index) => ({ line: index + 1, ...likeness(pairs, pairsOf(line)) }));
  const alike = compared.filter(({ whole }) => whole >= LEAST_LIKENESS);
  return (alike.length > 0 ? alike : compared.filter(({ part }) => part >= LEAST_LIKENESS))
    .toSorted((a, b) => b.whole - a.whole || a.line - b.line)
    .slice(0, LINES)
    .map(({ line }) => numbered(lines, line));
}

function numbered(lines: readonly string[], line: number): NumberedLine {
  const text = bareLine(lines[line - 1] ?? "");
  return { line, text: text.length > LINE_CHARACTERS ? `${text.slice(0, LINE_CHARACTERS)}…` : text };
}

/** How often each pair of neighbouring characters is in a line, without blanks. */
function pairsOf(line: string): ReadonlyMap<string, number> {
  const text = line.replaceAll(/\s+/g, "").slice(0, LINE_CHARACTERS);
  const pairs = new Map<string, number>();
  for (let at = 0; at < Math.max(1, text.length - 1); at += 1) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/**
 * How many of the pairs a text and a line have in common, from 0 to 1: `whole` of those of both (the coefficient of
 * Sørensen and Dice), `part` of those of the text alone, which may be a small part of the line.
 */
function likeness(text: ReadonlyMap<string, number>, line: ReadonlyMap<string, number>) {
  let common = 0;
  for (const [pair, count] of text) common += Math.min(count, line.get(pair) ?? 0);
  return { whole: (2 * common) / (countOf(text) + countOf(line)), part: common / countOf(text) };
}

function countOf(pairs: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of pairs.values()) total += count;
  return total;
}
