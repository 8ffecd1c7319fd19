/** The coverage of a run: the files that count, the table, the written files, and the thresholds. */
import { mkdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { RunSurface } from "../../output/run-surface.ts";
import { remark } from "../../output/remark.ts";
import { unwritableFile } from "../../files/unwritable-file.ts";
import type { OpenedPlace } from "../../headless/index.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { type CoveredFile, coveredFiles } from "../coverage/covered-files.ts";
import { type FileCoverage, percentText, totalsOf } from "../coverage/file-coverage.ts";
import { coverageFileOf } from "../coverage/formats.ts";
import { coverageTable, isIncomplete, missedRanges } from "../coverage/text.ts";
import type { ReporterName, WantedReporter } from "../report/reporters.ts";
import type { Discovered } from "../discovery/discover.ts";
import { missedThresholds } from "../coverage/thresholds.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { writeWholeFileAsync } from "../../util/whole-file.ts";
import type { CoverageWishes, TestWishes } from "./test-wishes.ts";

export interface CoverageResult {
  readonly files: readonly FileCoverage[];
  /** One sentence for each threshold that was missed. */
  readonly missed: readonly string[];
  /** True if there are thresholds, but this run cannot be compared with them because not all tests ran. */
  readonly isUnchecked: boolean;
}

export const COVERAGE_OF_PART = "No coverage is reported, because the run ended early.";
export const THRESHOLDS_UNCHECKED = "The thresholds of coverage were not checked, because not all tests ran.";

/** Thresholds are checked only after a run of all tests, because a part of the tests covers less. */
export function coverageResult(
  files: readonly FileCoverage[],
  areAllTests: boolean,
  { thresholds = {} }: Partial<CoverageWishes> = {},
): CoverageResult {
  const hasThresholds = thresholds.lines !== undefined || thresholds.functions !== undefined;
  return {
    files,
    missed: areAllTests ? missedThresholds(files, thresholds) : [],
    isUnchecked: hasThresholds && !areAllTests,
  };
}

/** The files whose lines are counted; undefined if no lines are counted. Throws INVALID_INPUT if there are no such files. */
export function filesToCover(
  { coverage, folder, setup }: TestWishes,
  place: OpenedPlace | undefined,
  { files, isOfFramework }: Pick<Discovered, "files" | "isOfFramework">,
): readonly CoveredFile[] | undefined {
  if (coverage === undefined) return undefined;
  const tests = [...files.map(({ absolutePath }) => absolutePath), ...setup];
  const scripts = [...(place?.sources.scripts ?? [])].filter(([fullName]) => !isOfFramework(fullName));
  const covered = coveredFiles(folder, new Map(scripts), coverage, tests);
  if (covered.length > 0) return covered;
  throw invalidInput(
    "--coverage: the project mounts no Luau file whose lines could be counted.",
    "Lines are counted in the files of a Rojo project, without its tests and packages; see test.coverage.include.",
  );
}

/** Reporters whose text on the screen is read by programs. The table then goes to stderr. */
const FOR_PROGRAMS = new Set<ReporterName>(["tap", "junit", "json", "blob"]);

/** Shows the table if the format `text` is wanted. */
export function showCoverage(
  files: readonly FileCoverage[],
  { formats }: CoverageWishes,
  reporters: readonly WantedReporter[],
  { emit }: Pick<RunSurface, "emit">,
): void {
  if (!formats.includes("text") || !files.some(isIncomplete)) return;
  const isForPrograms = reporters.some(({ name, file }) => file === undefined && FOR_PROGRAMS.has(name));
  emit({
    stream: isForPrograms ? "stderr" : "stdout",
    text: (style) => coverageTable(files, style),
  });
}

/** Writes the file of each format, whole or not at all, and says where it is. */
export async function writeCoverageAsync(
  files: readonly FileCoverage[],
  { formats, directory }: CoverageWishes,
  run: { readonly folder: string; readonly startedAtMs: number },
  { emit }: Pick<RunSurface, "emit">,
): Promise<void> {
  for (const format of new Set(formats)) {
    const file = coverageFileOf(format, files, run);
    if (file === undefined) continue;
    const path = join(directory, file.name);
    try {
      await mkdir(directory, { recursive: true });
      await writeWholeFileAsync(path, Buffer.from(file.text));
    } catch (error) {
      throw unwritableFile(path, error);
    }
    const shown = visibleOnOneLine(relative(process.cwd(), path));
    emit(remark(`Wrote ${shown}`));
  }
}

/** The number of files that the answer for an agent lists. */
const MAX_AGENT_FILES = 10;

/** The coverage for an agent: the percentages, and the files with the most lines that did not run. */
export function coverageAnswer({ files, missed }: CoverageResult) {
  const { lines, functions } = totalsOf(files);
  const missedIn = (file: FileCoverage): number => file.lines.filter(([, hits]) => hits === 0).length;
  const worst = files
    .filter((file) => missedIn(file) > 0)
    .toSorted((left, right) => missedIn(right) - missedIn(left))
    .slice(0, MAX_AGENT_FILES);
  return {
    lines: Number(percentText(lines)),
    functions: Number(percentText(functions)),
    ...(missed.length === 0 ? {} : { missed: [...missed] }),
    notRun: Object.fromEntries(worst.map((file) => [file.path, missedRanges(file)])),
  };
}
