/** The part of the lines and functions that a project wants its tests to run. */
import { type FileCoverage, percentOf, percentText, totalsOf } from "./file-coverage.ts";

export interface Thresholds {
  /** In percent. */
  readonly lines?: number | undefined;
  readonly functions?: number | undefined;
  /** Each file has to reach them, and not only all files together. */
  readonly perFile?: boolean | undefined;
}

/** A sentence for each threshold that was missed. */
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
