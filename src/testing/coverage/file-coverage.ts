/** The coverage of files: how often each line and each function has run, and the share that has run at all. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf, Zod } from "../../protocol/schema.ts";

export const hitFields = (z: Zod) => ({
  /** Pairs of a line on which a statement begins and the number of its runs, in the order of lines. */
  lines: z.array(z.tuple([z.int().positive(), z.int().nonnegative()])),
  /** `line` is where the function begins. The name is empty for an anonymous function. */
  functions: z.array(z.object({ name: z.string(), line: z.int().positive(), hits: z.int().nonnegative() })),
});

export const fileCoverageSchema = defineSchema((z) =>
  z.object({
    /** Relative to the project's folder, with slashes. */
    path: z.string(),
    ...hitFields(z),
  }),
);
export type FileCoverage = OutputOf<typeof fileCoverageSchema>;
export type FunctionCoverage = FileCoverage["functions"][number];

/** `covered` of `total` lines or functions have run. */
export interface Share {
  readonly covered: number;
  readonly total: number;
}

export interface Totals {
  readonly lines: Share;
  readonly functions: Share;
}

export function totalsOf(files: readonly FileCoverage[]): Totals {
  const lines = files.flatMap((file) => file.lines.map(([, hits]) => hits));
  const functions = files.flatMap((file) => file.functions.map(({ hits }) => hits));
  return { lines: shareOf(lines), functions: shareOf(functions) };
}

const shareOf = (hits: readonly number[]): Share => ({
  covered: hits.filter((count) => count > 0).length,
  total: hits.length,
});

/** The percentage that has run; 100 if there is nothing to run. */
export const percentOf = ({ covered, total }: Share): number => (total === 0 ? 100 : (covered / total) * 100);

/** Rounded down to one digit after the point, so that only a complete share shows 100. */
export const shownPercent = (percent: number): number => Math.floor(percent * 10) / 10;

/** The percentage with one digit after the point. */
export const percentText = (share: Share): string => shownPercent(percentOf(share)).toFixed(1);

/** Adds up the coverage of several runs, each of which may have other files. */
export function mergeCoverage(runs: readonly (readonly FileCoverage[])[]): FileCoverage[] {
  const sums = new Map<string, FileSum>();
  for (const file of runs.flat()) {
    const sum = sums.get(file.path) ?? new FileSum(file.path);
    sums.set(file.path, sum);
    sum.add(file);
  }
  return [...sums.values()]
    .map((sum) => sum.coverage())
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** Sums up the counts of one file. Functions with the same name on the same line count as one. */
export class FileSum {
  readonly path: string;
  readonly #lines = new Map<number, number>();
  readonly #functions = new Map<string, FunctionCoverage>();

  constructor(path: string) {
    this.path = path;
  }

  add({ lines, functions }: Pick<FileCoverage, "lines" | "functions">): void {
    for (const [line, hits] of lines) this.#lines.set(line, (this.#lines.get(line) ?? 0) + hits);
    for (const each of functions) {
      const key = keyOf(each);
      const known = this.#functions.get(key)?.hits ?? 0;
      this.#functions.set(key, { ...each, hits: known + each.hits });
    }
  }

  /** Adds the counts of lines and functions that were added before, and ignores others. */
  addKnown({ lines, functions }: Pick<FileCoverage, "lines" | "functions">): void {
    this.add({
      lines: lines.filter(([line]) => this.#lines.has(line)),
      functions: functions.filter((each) => this.#functions.has(keyOf(each))),
    });
  }

  coverage(): FileCoverage {
    return {
      path: this.path,
      lines: [...this.#lines].sort(([left], [right]) => left - right),
      functions: [...this.#functions.values()].sort((left, right) => left.line - right.line),
    };
  }
}

const keyOf = ({ line, name }: FunctionCoverage): string => `${line}\0${name}`;

/** Names for the functions of a file, each unique in it, because the formats of coverage identify a function by its name. */
export function functionNames(functions: readonly FunctionCoverage[]): string[] {
  const counts = new Map<string, number>();
  for (const { name } of functions) counts.set(name, (counts.get(name) ?? 0) + 1);
  return functions.map(({ name, line }) => {
    if (name === "") return `(anonymous):${line}`;
    return counts.get(name) === 1 ? name : `${name}:${line}`;
  });
}
