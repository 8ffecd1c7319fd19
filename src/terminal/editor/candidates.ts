/** What can be said about several candidates of a completion: the beginning they share, and a list that fits the screen. */
import { cells, fit, pad } from "../../util/text-width.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { characters } from "./edited-text.ts";

const GAP = 2;

export function sharedBeginning(candidates: readonly string[]): string {
  const [first = [], ...others] = candidates.map(characters);
  const end = first.findIndex((character, index) => others.some((other) => other[index] !== character));
  return (end === -1 ? first : first.slice(0, end)).join("");
}

/** In columns, read downwards; those that do not fit into `maxRows` are counted. */
export function candidateList(candidates: readonly string[], columns: number, maxRows: number): string {
  const names = candidates.map((name) => fit(visibleOnOneLine(name), columns - 1));
  const width = Math.max(...names.map(cells)) + GAP;
  const perRow = Math.max(1, Math.floor(columns / width));
  const rowCount = Math.ceil(names.length / perRow);
  if (rowCount > maxRows) {
    const shown = names.slice(0, perRow * maxRows);
    return `${inColumns(shown, maxRows, width)}\n… and ${names.length - shown.length} more`;
  }
  return inColumns(names, rowCount, width);
}

function inColumns(names: readonly string[], rowCount: number, width: number): string {
  const rows = Array.from({ length: rowCount }, (_, row) =>
    names.filter((_name, index) => index % rowCount === row),
  );
  return rows
    .map((row) =>
      row
        .map((name) => pad(name, width))
        .join("")
        .trimEnd(),
    )
    .join("\n");
}
