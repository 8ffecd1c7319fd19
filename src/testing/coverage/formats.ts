/** Makes the file of coverage for a format. The format `text` has no file: `text.ts` makes its table for the screen. */
import { coberturaText } from "./cobertura.ts";
import type { FileCoverage } from "./file-coverage.ts";
import type { CoverageFormat } from "./format-words.ts";
import { istanbulText } from "./istanbul.ts";
import { lcovText } from "./lcov.ts";

export interface CoverageFile {
  readonly name: string;
  readonly text: string;
}

interface ReportedRun {
  /** The project's folder, from which paths start. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
}

/** The file of a format; undefined for `text`, which goes to the screen. */
export function coverageFileOf(
  format: CoverageFormat,
  files: readonly FileCoverage[],
  { folder, startedAtMs }: ReportedRun,
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
