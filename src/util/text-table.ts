/**
 * Lays out rows under headings within a width: first the short forms, then narrower columns, then fewer columns. It
 * never colours and never escapes; cells arrive ready to print.
 */
import { cells, fit, pad } from "./text-width.ts";

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  /** Used for every row when the full values do not fit. */
  readonly shortValue?: (row: Row) => string;
  /** The narrowest this column may be cut to; absent means never cut. */
  readonly minWidth?: number;
  /** Columns with a rank go when nothing else helps, the highest first. */
  readonly dropRank?: number;
}

const GAP = "  ";

export function textTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
  indent = "",
): string[] {
  const available = width - cells(indent);
  let layout = measure(columns, rows, false);
  if (total(layout) > available) layout = measure(columns, rows, true);
  while (shrunk(layout) > available) {
    const dropped = nextToDrop(layout);
    if (dropped === undefined) break;
    layout = layout.filter((entry) => entry !== dropped);
  }
  cut(layout, available);
  const line = (texts: readonly string[]) => (indent + texts.join(GAP)).trimEnd();
  return [
    line(layout.map(({ column, width: size }) => pad(fit(column.title, size), size))),
    ...rows.map((_, index) =>
      line(layout.map(({ texts, width: size }) => pad(fit(texts[index] ?? "", size), size))),
    ),
  ];
}

interface Laid<Row> {
  readonly column: Column<Row>;
  readonly texts: readonly string[];
  width: number;
}

function measure<Row>(columns: readonly Column<Row>[], rows: readonly Row[], short: boolean): Laid<Row>[] {
  return columns.map((column) => {
    const value = short ? (column.shortValue ?? column.value) : column.value;
    const texts = rows.map(value);
    return { column, texts, width: Math.max(cells(column.title), ...texts.map(cells)) };
  });
}

function total<Row>(layout: readonly Laid<Row>[]): number {
  return layout.reduce((sum, entry) => sum + entry.width, GAP.length * (layout.length - 1));
}

function floorOf<Row>({ column, width }: Laid<Row>): number {
  return Math.min(width, column.minWidth ?? width);
}

function shrunk<Row>(layout: readonly Laid<Row>[]): number {
  return layout.reduce((sum, entry) => sum + floorOf(entry), GAP.length * (layout.length - 1));
}

function nextToDrop<Row>(layout: readonly Laid<Row>[]): Laid<Row> | undefined {
  return layout
    .filter(({ column }) => column.dropRank !== undefined)
    .toSorted((left, right) => (right.column.dropRank ?? 0) - (left.column.dropRank ?? 0))[0];
}

function cut<Row>(layout: Laid<Row>[], available: number): void {
  let excess = total(layout) - available;
  while (excess > 0) {
    const widest = layout
      .filter((entry) => entry.width > floorOf(entry))
      .toSorted((left, right) => right.width - left.width)[0];
    if (widest === undefined) return;
    widest.width -= 1;
    excess -= 1;
  }
}
