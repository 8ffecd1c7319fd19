/** The lines that a change removes and adds, with a few lines around them, as one block: a configuration changes in one place. */
const CONTEXT_LINES = 2;

interface DiffLine {
  readonly sign: "-" | "+" | " ";
  readonly text: string;
}

/** Empty where nothing changes. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  if (head === old.length && head === fresh.length) return [];
  const as = (sign: DiffLine["sign"], lines: readonly string[]) => lines.map((text) => ({ sign, text }));
  return [
    ...as(" ", old.slice(Math.max(0, head - CONTEXT_LINES), head)),
    ...as("-", old.slice(head, old.length - tail)),
    ...as("+", fresh.slice(head, fresh.length - tail)),
    ...as(" ", old.slice(old.length - tail, old.length - tail + CONTEXT_LINES)),
  ];
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
