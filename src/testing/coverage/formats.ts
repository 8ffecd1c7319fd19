/** The forms in which coverage is reported: a table on the screen, and files for other programs. */
import { coberturaText } from "./cobertura.ts";
import type { FileCoverage } from "./file-coverage.ts";
import type { CoverageFormat } from "./format-words.ts";
import { istanbulText } from "./istanbul.ts";
import { lcovText } from "./lcov.ts";

export interface CoverageFile {
  readonly name: string;
  readonly text: string;
}

interface RunFacts {
  /** Of the project; paths start from it. */
  readonly folder: string;
  /** Since the epoch. */
  readonly startedAtMs: number;
}

/** The file of a format; undefined for one that goes to the screen. */
export function coverageFileOf(
  format: CoverageFormat,
  files: readonly FileCoverage[],
  { folder, startedAtMs }: RunFacts,
): CoverageFile | undefined {
  switch (format) {
    case "text":
      return undefined;
    case "lcov":
      return { name: "lcov.info", text: lcovText(files) };
    case "cobertura":
      return { name: "cobertura.xml", text: coberturaText(files, folder, startedAtMs) };
    case "json":
      return { name: "coverage.json", text: istanbulText(files, folder) };
  }
}
