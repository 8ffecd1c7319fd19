/** The lines that a search through scripts has found, as people read them. */
import type { Style } from "../util/style.ts";

/** A line with the lines around it that were asked for. */
export interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly before?: readonly string[] | undefined;
  readonly after?: readonly string[] | undefined;
}

interface ShownLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** With context, a line of dashes stands between lines that do not follow each other, and a colon marks those that match. */
export function matchLines(matches: readonly Match[], style: Style): string[] {
  const hasContext = matches.some(({ before, after }) => before !== undefined || after !== undefined);
  const lines = matches.flatMap(linesAround);
  return lines.flatMap(({ path, line, text, isMatch }, index) => {
    const mark = isMatch ? ":" : "-";
    const last = lines[index - 1];
    const isFollowing = last === undefined || (last.path === path && last.line === line - 1);
    return [
      ...(hasContext && !isFollowing ? [style.dim("--")] : []),
      `${style.cyan(style.body(path))}${style.dim(`${mark}${line}${mark}`)} ${style.body(text)}`,
    ];
  });
}

/** A match with its context, without the lines that the matches beside it show. */
function linesAround(match: Match, index: number, matches: readonly Match[]): ShownLine[] {
  const { path, line, text, before = [], after = [] } = match;
  const beside = (other: Match | undefined) => (other?.path === path ? other : undefined);
  const previous = beside(matches[index - 1]);
  const next = beside(matches[index + 1]);
  const shownUntil = previous === undefined ? 0 : previous.line + (previous.after ?? []).length;
  const around = (lines: readonly string[], first: number): ShownLine[] =>
    lines.map((each, at) => ({ path, line: first + at, text: each, isMatch: false }));
  return [
    ...around(before, line - before.length).filter((each) => each.line > shownUntil),
    { path, line, text, isMatch: true },
    ...around(after, line + 1).filter((each) => next === undefined || each.line < next.line),
  ];
}
