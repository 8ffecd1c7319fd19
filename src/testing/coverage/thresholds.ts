/** Checks coverage against the thresholds of the settings. */
import { type FileCoverage, percentOf, percentText, totalsOf } from "./file-coverage.ts";

export interface Thresholds {
  /** The smallest percentage of lines that is enough. */
  readonly lines?: number | undefined;
  /** The smallest percentage of functions that is enough. */
  readonly functions?: number | undefined;
  /** Each file has to reach the thresholds, and not only all files together. */
  readonly perFile?: boolean | undefined;
}

/** One sentence for each threshold that was missed. */
export function missedThresholds(
  files: readonly FileCoverage[],
  { perFile = false, ...wanted }: Thresholds,
): string[] {
  const groups = perFile
    ? files.map((file) => ({ where: ` in ${file.path}`, files: [file] }))
    : [{ where: "", files }];
  return groups.flatMap(({ where, files: inside }) => {
    const totals = totalsOf(inside);
    return (["lines", "functions"] as const).flatMap((kind) => {
      const limit = wanted[kind];
      if (limit === undefined || percentOf(totals[kind]) >= limit) return [];
      return [
        `Coverage: ${percentText(totals[kind])} % of ${kind}${where} ran, and test.coverage.thresholds wants ${limit} %.`,
      ];
    });
  });
}
