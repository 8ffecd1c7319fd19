/** Runs the tests of a selection, reports them, writes what is kept of the run, and gives the verdict. */
import type { TestSurface } from "./test-surface.ts";
import { caveatRemark } from "../../output/caveat-remark.ts";
import { remark } from "../../output/remark.ts";
import { type CaveatFields, type Counted, hasCaveats, sumOf } from "../../protocol/caveats.ts";
import { CompiledSources } from "../../source-maps/compiled-sources.ts";
import { CoverageCollector } from "../coverage/collector.ts";
import { DEFAULT_INCLUDE } from "../discovery/find-files.ts";
import type { Report, TestEvent } from "../events.ts";
import type { SourceOf } from "../report/failure-text.ts";
import type { FileResult } from "../report/tally.ts";
import { type RunOptions, runTestsAsync } from "../run/run-tests.ts";
import type { NewRunner } from "../run/runner.ts";
import { inOrderOf, shardText } from "../shard.ts";
import { withSources } from "../source-events.ts";
import { type CloudTarget, targetText } from "../target.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { version } from "../../version.ts";
import { COVERAGE_OF_PART, type CoverageResult, coverageResult, THRESHOLDS_UNCHECKED } from "./coverage.ts";
import { pictureBooks } from "../pictures/open-book.ts";
import { obsoletePicturesAsync } from "../pictures/obsolete-pictures.ts";
import { isForWholeSuite, obsoleteSnapshotsAsync } from "./obsolete-snapshots.ts";
import type { OpenedProject } from "./open-project.ts";
import { replaceCoverageAsync } from "./project-coverage.ts";
import { NotedNeeds, type ProjectGraph } from "./project-graph.ts";
import type { ProjectHistory } from "./project-history.ts";
import { openReporting, type Reporting } from "./reporting.ts";
import { runInCloudAsync } from "./run-in-cloud.ts";
import type { Selection } from "./select-tests.ts";
import { SnapshotFiles } from "./snapshot-files.ts";
import type { TestWishes } from "./test-wishes.ts";
import { isCi } from "../../util/ci.ts";
import { verdictOf } from "./verdict.ts";

export interface ProjectRun {
  readonly hasPassed: boolean;
  readonly files: readonly FileResult[];
  readonly durationMs: number;
  readonly sourceOf: SourceOf;
  /** Absent if no lines were counted. */
  readonly coverage?: CoverageResult;
  /** What the headless Studios have done otherwise than Roblox Studio. */
  readonly caveats: CaveatFields;
  /** Sentences about source maps that were missing or not used. */
  readonly sourceRemarks: readonly string[];
  /** True if the run ended because of --bail. */
  readonly hasBailed?: boolean;
}

export interface SelectedRun {
  readonly wishes: TestWishes;
  readonly project: OpenedProject;
  readonly selection: Selection;
  readonly history: ProjectHistory;
  readonly graph: ProjectGraph;
  readonly newRunner: NewRunner | CloudTarget;
  /** Interrupts the run. */
  readonly signal: AbortSignal;
  /** Present if the run is a part of another one. */
  readonly reporting?: Reporting;
}

/** What takes part in a run. */
interface Parts {
  readonly report: Report;
  readonly noted: NotedNeeds;
  /** Absent if no lines are counted. */
  readonly collector: CoverageCollector | undefined;
  /** What each runner has counted. */
  readonly counted: Counted[];
  readonly sources: CompiledSources;
}

/** Why a run ended before all of its files had run. */
type Ended = Awaited<ReturnType<typeof runTestsAsync>>;

/** Runs the tests of a selection, reports them and writes the history. */
export async function runSelectionAsync(run: SelectedRun, surface: TestSurface): Promise<ProjectRun> {
  const { wishes, project, selection, history } = run;
  const again = isCi() ? {} : { again: wishes.again };
  const reporting = run.reporting ?? openReporting({ ...wishes, ...again }, surface);
  const snapshotFiles = new SnapshotFiles(wishes.folder, selection.files);
  const report = (event: TestEvent): void => {
    reporting.report(event);
    snapshotFiles.add(event);
  };
  const scripts = project.place?.sources.scripts ?? new Map();
  const noted = new NotedNeeds({ folder: wishes.folder, scripts });
  const startedAt = Date.now();
  const startedMs = performance.now();
  report(startOf(run, startedAt));
  const sources = new CompiledSources(wishes.folder, wishes.sourceMap);
  const collector = await openCollectorAsync(run, sources);
  const parts: Parts = { report: withSources(sources, report), noted, collector, counted: [], sources };
  const ended = await runFilesAsync(run, parts, surface);
  const coverage = await coverageAsync(run, parts, ended);
  const obsoleteFiles = await obsoleteFilesAsync(run, report, ended);
  const results = reporting.reporters.tally.files();
  const facts = { scope: selection.scope, isRetrying: wishes.retries > 0, at: startedAt };
  for (const event of history.flakeRates(results, facts)) report(event);
  const durationMs = performance.now() - startedMs;
  for (const path of parts.collector?.uncompiled ?? [])
    surface.emit(remark(`Coverage leaves out ${visibleOnOneLine(path)}, because it does not compile.`));
  const caveats = await surface.caveatFieldsAsync(sumOf(parts.counted));
  if (hasCaveats(caveats)) report({ type: "caveats", ...caveats });
  report({ type: "run-end", durationMs, ...(ended === undefined ? {} : { ended }) });
  await snapshotFiles.writeAsync();
  await reporting.writeFilesAsync();
  const fault =
    (await history.addAsync(results, facts)) ??
    (await run.graph.addAsync(noted.byFile, project.files, project.contents));
  if (fault !== undefined) surface.note(`The history of tests cannot be written: ${fault}`);
  if (parts.collector !== undefined && ended !== undefined) surface.emit(remark(COVERAGE_OF_PART));
  const hasPassed = judge(run, { results, ended, obsoleteFiles, coverage }, surface);
  const sourceRemarks = sources.remarks();
  for (const text of sourceRemarks) surface.emit(remark(text, "yellow"));
  if (hasCaveats(caveats)) surface.emit(caveatRemark(caveats));
  return {
    hasPassed,
    caveats,
    sourceRemarks,
    // With the rates of flaky cases, which the results did not have yet.
    files: reporting.reporters.tally.files(),
    durationMs,
    sourceOf: reporting.sourceOf,
    ...(ended === "bail" ? { hasBailed: true } : {}),
    ...(coverage === undefined ? {} : { coverage }),
  };
}

function startOf({ wishes, selection }: SelectedRun, startedAt: number): TestEvent {
  const { seed, retries, shard } = wishes;
  const { files, scope, filesInAllShards } = selection;
  return {
    type: "run",
    id: crypto.randomUUID(),
    version,
    target: targetText(wishes.target),
    startedAt,
    ...(seed === undefined ? {} : { seed }),
    ...(retries === 0 ? {} : { retries }),
    ...(scope === "all" ? {} : { scope }),
    ...(shard === undefined ? {} : { shard: shardText(shard), filesInAllShards }),
    files: files.map(({ path }) => path),
  };
}

/** The scripts whose lines are counted. Without a test, the coverage says nothing about the project. */
function coveredIn({ project }: SelectedRun): OpenedProject["covered"] {
  return project.files.length === 0 ? undefined : project.covered;
}

async function openCollectorAsync(
  run: SelectedRun,
  sources: CompiledSources,
): Promise<CoverageCollector | undefined> {
  const covered = coveredIn(run);
  return covered === undefined ? undefined : CoverageCollector.openAsync(covered, sources);
}

async function runFilesAsync(run: SelectedRun, parts: Parts, surface: TestSurface): Promise<Ended> {
  const { wishes, project, newRunner } = run;
  const options = optionsOf(run, parts);
  return typeof newRunner === "function"
    ? runTestsAsync({ ...options, newRunner, workers: wishes.workers })
    : runInCloudAsync(
        options,
        newRunner,
        { ...wishes, covered: coveredIn(run), setup: project.setup },
        surface,
      );
}

function optionsOf(
  { wishes, project, selection, history, signal }: SelectedRun,
  { report, noted, collector, counted, sources }: Parts,
): Omit<RunOptions, "newRunner" | "workers"> {
  const { bail, seed, isolation } = wishes;
  const { files, choose, scope } = selection;
  const longestFirst = history.longestFirst(files);
  const ordered = wishes.watch === true ? history.failedFirst(longestFirst) : longestFirst;
  return {
    files: seed === undefined ? ordered : inOrderOf(files, seed),
    expectedMs: (file) => history.expectedMs(file),
    caseTimeoutMs: wishes.caseTimeoutMs,
    fileTimeoutMs: wishes.fileTimeoutMs,
    retries: wishes.retries,
    repeats: wishes.repeat,
    ...(isolation === undefined ? {} : { isolation }),
    ...(seed === undefined ? {} : { seed }),
    snapshots: wishes.snapshots,
    openPictures: pictureBooks(wishes, sources),
    ...(bail === undefined ? {} : { bail }),
    ...(choose === undefined ? {} : { choose }),
    fileOfScript: project.fileOfScript,
    isOfFramework: project.isOfFramework,
    allowedErrors: wishes.allowedErrors,
    report,
    ...(collector === undefined ? {} : { addHits: (scripts) => collector.add(scripts) }),
    // A run of some cases records nothing, because the other cases may use other scripts.
    ...(scope === "all" ? { onUsed: noted.note } : {}),
    ...(wishes.quiet ? {} : { onCounted: (each) => void counted.push(each) }),
    signal,
  };
}

/** The coverage of a run that ended early says nothing about the project, and would replace the files of a whole run. */
async function coverageAsync(
  { wishes, project, selection: { scope, files } }: SelectedRun,
  { report, collector }: Parts,
  ended: Ended,
): Promise<CoverageResult | undefined> {
  if (collector === undefined || ended !== undefined) return undefined;
  const ranAllTests = scope === "all" && files.length === project.files.length;
  const coverage = coverageResult(collector.coverage(), ranAllTests, wishes.coverage);
  if (coverage === undefined) return undefined;
  const isComparable = ranAllTests && wishes.shard === undefined;
  const linesBefore = isComparable ? await replaceCoverageAsync(wishes, coverage.files) : undefined;
  const change = linesBefore === undefined ? {} : { linesBefore };
  report({ type: "coverage", files: [...coverage.files], ...change });
  return coverage;
}

/** The files of snapshots and the expected pictures whose test is gone. */
async function obsoleteFilesAsync(
  { wishes, project, selection }: SelectedRun,
  report: Report,
  ended: Ended,
): Promise<readonly string[]> {
  if (ended !== undefined || !isForWholeSuite(selection, wishes.shard, project.files.length)) return [];
  const found = await Promise.all([
    obsoleteSnapshotsAsync(wishes.folder, project.place),
    obsoletePicturesAsync(wishes.folder, project.files, project.place?.sources.folders ?? []),
  ]);
  const files = found.flat();
  if (files.length > 0)
    report({ type: "obsolete-snapshots", files: [...files], areRemoved: wishes.snapshots === "all" });
  return files;
}

interface Outcome {
  readonly results: readonly FileResult[];
  readonly ended: Ended;
  readonly obsoleteFiles: readonly string[];
  readonly coverage: CoverageResult | undefined;
}

/** Shows what there is to remark about the run. True if it has passed. */
function judge(
  { wishes, selection }: SelectedRun,
  { results, ended, obsoleteFiles, coverage }: Outcome,
  surface: TestSurface,
): boolean {
  const { files, isEmptyShard, isUnchanged } = selection;
  const { hasPassed, remarks } = verdictOf(results, ended === undefined, {
    forbidsFocus: isCi() && !wishes.allowOnly,
    forbidsObsolete: isCi(),
    obsoleteFiles: wishes.snapshots === "all" ? [] : obsoleteFiles,
    failsOnFlaky: wishes.failOnFlaky,
    // A shard without files passes, because the other shards have files.
    passWithNoTests: wishes.passWithNoTests || isEmptyShard || isUnchanged,
    missed: coverage?.missed ?? [],
    name: wishes.name,
  });
  // For shards, `sb test merge` checks the thresholds.
  if (coverage?.isUnchecked === true && wishes.shard === undefined)
    surface.emit(remark(THRESHOLDS_UNCHECKED));
  const lead = wishes.part === undefined ? "" : `${wishes.part}: `;
  for (const text of files.length === 0 ? emptyRemarks(selection, wishes) : remarks)
    surface.emit(remark(`${lead}${text}`));
  return hasPassed;
}

export const EMPTY_SHARD = "No test file falls into this shard.";

/** Why a run has no files. The selection itself has said that no change affects a file. */
function emptyRemarks({ isEmptyShard, isUnchanged }: Selection, wishes: TestWishes): readonly string[] {
  if (isEmptyShard) return wishes.part !== undefined ? [] : [EMPTY_SHARD];
  return isUnchanged ? [] : [noTests(wishes)];
}

function noTests({ folder, include, exclude }: TestWishes): string {
  if (include === DEFAULT_INCLUDE && exclude.length === 0)
    return (
      `No tests below ${folder}. Tests are *.spec.luau, *.test.luau, and files in __tests__; ` +
      "sb init writes a first one."
    );
  const left = exclude.length === 0 ? "" : ` but not ${exclude.join(", ")}`;
  return `No tests below ${folder}. The settings look for ${include.join(", ")}${left}: see test in sb.config.json.`;
}
