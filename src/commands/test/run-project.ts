/** Runs the tests of a project once: it reads the project, selects tests, runs and reports them, and gives the verdict. */
import type { CommandContext } from "../../command/context.ts";
import { remark } from "../../command/remark.ts";
import { checkDataAsync, EarlyChild } from "../../headless/index.ts";
import { CoverageCollector, coveredScripts } from "../../testing/coverage/collector.ts";
import type { TestEvent } from "../../testing/events.ts";
import type { SourceOf } from "../../testing/report/failure-text.ts";
import type { FileResult } from "../../testing/report/tally.ts";
import type { NewRunner } from "../../testing/run/runner.ts";
import { type RunOptions, runTestsAsync } from "../../testing/run/run-tests.ts";
import { inOrderOf, shardText } from "../../testing/shard.ts";
import { type CloudTarget, targetText } from "../../testing/target.ts";
import { contextText } from "../../testing/test-context.ts";
import type { TestFile } from "../../testing/test-file.ts";
import { DEFAULT_INCLUDE } from "../../testing/discovery/find-files.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { version } from "../../version.ts";
import { COVERAGE_OF_PART, type CoverageResult, coverageResult, THRESHOLDS_UNCHECKED } from "./coverage.ts";
import { type OpenedProject, openProjectAsync } from "./open-project.ts";
import { replaceCoverageAsync } from "./project-coverage.ts";
import { NotedNeeds, ProjectGraph } from "./project-graph.ts";
import { ProjectHistory } from "./project-history.ts";
import { isForWholeSuite, obsoleteSnapshotsAsync } from "./obsolete-snapshots.ts";
import { openReporting } from "./reporting.ts";
import { checkCloudKey, runInCloudAsync } from "./run-in-cloud.ts";
import { runnersFor } from "./runners.ts";
import { type Selection, selectTestsAsync } from "./select-tests.ts";
import { SnapshotFiles } from "./snapshot-files.ts";
import type { TestWishes } from "./test-wishes.ts";
import { isCi, verdictOf } from "./verdict.ts";

export interface ProjectRun {
  readonly hasPassed: boolean;
  readonly files: readonly FileResult[];
  readonly durationMs: number;
  readonly sourceOf: SourceOf;
  /** Absent if no lines were counted. */
  readonly coverage?: CoverageResult;
}

export async function runProjectTestsAsync(wishes: TestWishes, context: CommandContext): Promise<ProjectRun> {
  // It starts while the files are searched and read.
  await using earlyChild = wishes.target.kind === "headless" && !wishes.list ? new EarlyChild() : undefined;
  const project = await openProjectAsync(wishes, context);
  const history = await ProjectHistory.openAsync(wishes.folder, wishes);
  const graph = new ProjectGraph(wishes.folder);
  const selection = await selectTestsAsync(wishes, { project, history, graph }, context);
  if (wishes.list) {
    for (const file of selection.files)
      context.emit({ stream: "stdout", text: () => listLine(file), json: listEntry(file) });
    return withoutRun(true);
  }
  const { runTimeoutMs } = wishes;
  const signal =
    runTimeoutMs === undefined
      ? context.signal
      : AbortSignal.any([context.signal, AbortSignal.timeout(runTimeoutMs)]);
  // A run without files needs no target. Its reports are written, because reports of an earlier run would be taken for its own.
  const newRunner =
    selection.files.length === 0 ? noRunner : await newRunnerAsync(wishes, project, context, { earlyChild });
  return await runSelectionAsync({ wishes, project, selection, history, graph, newRunner, signal }, context);
}

const noRunner: NewRunner = () => {
  throw new Error("a run without files has no runner");
};

const withoutRun = (hasPassed: boolean): ProjectRun => ({
  hasPassed,
  files: [],
  durationMs: 0,
  sourceOf: () => undefined,
});

interface RunnerStart {
  /** Gives the place if it has changed since the project was opened. */
  readonly placeAsync?: () => Promise<Uint8Array>;
  readonly earlyChild?: EarlyChild | undefined;
}

/**
 * Makes the runners for a target. For the cloud, the target itself is returned, because the cloud takes all files at once and
 * has no runner.
 */
export async function newRunnerAsync(
  { target, placeFile, data, dataKey }: TestWishes,
  { place, covered, setup, files }: OpenedProject,
  context: CommandContext,
  { placeAsync, earlyChild }: RunnerStart,
): Promise<NewRunner | CloudTarget> {
  if (target.kind === "cloud") {
    checkCloudKey();
    return target;
  }
  if (data !== undefined) await checkDataAsync(data.place, false, dataKey);
  return runnersFor(target, {
    ...(place === undefined
      ? {}
      : { placeAsync: placeAsync ?? (async () => place.place), placeName: place.placeName }),
    ...(data === undefined ? {} : { data }),
    ...(covered === undefined ? {} : { covered: coveredScripts(covered, target.kind === "headless") }),
    setup,
    warn: onceEach((text) => context.emit(remark(text, "yellow"))),
    earlyChild,
    frameworks: [...new Set(files.map(({ framework }) => framework))],
    placeFile,
    context,
  });
}

/** Shows each text only once, because several workers may send the same one. */
function onceEach(show: (text: string) => void): (text: string) => void {
  const shown = new Set<string>();
  return (text) => {
    if (!shown.has(text)) show(text);
    shown.add(text);
  };
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
}

/** Runs the tests of a selection, reports them and writes the history. */
export async function runSelectionAsync(
  { wishes, project, selection, history, graph, newRunner, signal }: SelectedRun,
  context: CommandContext,
): Promise<ProjectRun> {
  const { bail, name, shard, seed, isolation, retries } = wishes;
  const { files, choose, scope, isEmptyShard, isUnchanged, filesInAllShards } = selection;
  const again = isCi() ? {} : { again: wishes.again };
  const {
    reporters,
    report: show,
    sourceOf,
    writeFilesAsync,
  } = openReporting({ ...wishes, ...again }, context);
  const snapshotFiles = new SnapshotFiles(wishes.folder, files);
  const report = (event: TestEvent): void => {
    show(event);
    snapshotFiles.add(event);
  };
  const noted = new NotedNeeds({
    folder: wishes.folder,
    scripts: project.place?.sources.scripts ?? new Map(),
  });
  const startedAt = Date.now();
  const startedMs = performance.now();
  report({
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
  });
  // Without a test, the coverage says nothing about the project.
  const covered = project.files.length === 0 ? undefined : project.covered;
  const longestFirst = history.longestFirst(files);
  const ordered = wishes.watch === true ? history.failedFirst(longestFirst) : longestFirst;
  const collector =
    covered === undefined ? undefined : await CoverageCollector.openAsync(covered, wishes.folder);
  const options: Omit<RunOptions, "newRunner" | "workers"> = {
    files: seed === undefined ? ordered : inOrderOf(files, seed),
    expectedMs: (file) => history.expectedMs(file),
    caseTimeoutMs: wishes.caseTimeoutMs,
    fileTimeoutMs: wishes.fileTimeoutMs,
    retries,
    repeats: wishes.repeat,
    ...(isolation === undefined ? {} : { isolation }),
    ...(seed === undefined ? {} : { seed }),
    snapshots: wishes.snapshots,
    ...(bail === undefined ? {} : { bail }),
    ...(choose === undefined ? {} : { choose }),
    fileOfScript: project.fileOfScript,
    isOfFramework: project.isOfFramework,
    report,
    ...(collector === undefined ? {} : { addHits: (scripts) => collector.add(scripts) }),
    // A run of some cases records nothing, because the other cases may use other scripts.
    ...(scope === "all" ? { onUsed: noted.note } : {}),
    signal,
  };
  const ended =
    typeof newRunner === "function"
      ? await runTestsAsync({ ...options, newRunner, workers: wishes.workers })
      : await runInCloudAsync(options, newRunner, { ...wishes, covered, setup: project.setup }, context);
  const ranAllTests = scope === "all" && files.length === project.files.length && ended === undefined;
  // The coverage of a run that ended early says nothing about the project, and would replace the files of a whole run.
  const coverage =
    collector === undefined || ended !== undefined
      ? undefined
      : coverageResult(collector.coverage(), ranAllTests, wishes.coverage);
  if (coverage !== undefined) {
    const isComparable = ranAllTests && shard === undefined;
    const linesBefore = isComparable ? await replaceCoverageAsync(wishes, coverage.files) : undefined;
    const change = linesBefore === undefined ? {} : { linesBefore };
    report({ type: "coverage", files: [...coverage.files], ...change });
  }
  const obsoleteFiles =
    ended === undefined && isForWholeSuite(selection, shard, project.files.length)
      ? await obsoleteSnapshotsAsync(wishes.folder, project.place)
      : [];
  const areRemoved = wishes.snapshots === "all";
  if (obsoleteFiles.length > 0) report({ type: "obsolete-snapshots", files: [...obsoleteFiles], areRemoved });
  const results = reporters.tally.files();
  const facts = { scope, isRetrying: retries > 0, at: startedAt };
  for (const event of history.flakeRates(results, facts)) report(event);
  const durationMs = performance.now() - startedMs;
  for (const path of collector?.uncompiled ?? [])
    context.emit(remark(`Coverage leaves out ${visibleOnOneLine(path)}, because it does not compile.`));
  report({
    type: "run-end",
    durationMs,
    ...(ended === undefined ? {} : { ended }),
  });
  await snapshotFiles.writeAsync();
  await writeFilesAsync();
  const fault =
    (await history.addAsync(results, facts)) ??
    (await graph.addAsync(noted.byFile, project.files, project.contents));
  if (fault !== undefined) context.note(`The history of tests cannot be written: ${fault}`);
  const { hasPassed, remarks } = verdictOf(results, ended === undefined, {
    forbidsFocus: isCi() && !wishes.allowOnly,
    forbidsObsolete: isCi(),
    obsoleteFiles: areRemoved ? [] : obsoleteFiles,
    failsOnFlaky: wishes.failOnFlaky,
    // A shard without files passes, because the other shards have files.
    passWithNoTests: wishes.passWithNoTests || isEmptyShard || isUnchanged,
    missed: coverage?.missed ?? [],
    name,
  });
  // For shards, `sb test merge` checks the thresholds.
  if (collector !== undefined && ended !== undefined) context.emit(remark(COVERAGE_OF_PART));
  if (coverage?.isUnchecked === true && shard === undefined) context.emit(remark(THRESHOLDS_UNCHECKED));
  for (const text of files.length === 0 ? emptyRemarks(selection, wishes) : remarks)
    context.emit(remark(text));
  return {
    hasPassed,
    // With the rates of flaky cases, which the results did not have yet.
    files: reporters.tally.files(),
    durationMs,
    sourceOf,
    ...(coverage === undefined ? {} : { coverage }),
  };
}

function listEntry({ path, framework, why, instance, context, fault }: TestFile) {
  const { kind, players } = context;
  return {
    path,
    framework,
    why,
    ...(instance === undefined ? {} : { instance: instance.join(".") }),
    context: kind,
    ...(players === 0 ? {} : { players }),
    ...(fault === undefined ? {} : { fault }),
  };
}

function listLine({ path, framework, why, instance, context, fault }: TestFile): string {
  const place = instance?.join(".") ?? "not in the place";
  return `${path}  ${framework}  ${place}  ${contextText(context)}  (${fault ?? why})`;
}

/** Why a run has no files. The selection itself has said that no change affects a file. */
function emptyRemarks({ isEmptyShard, isUnchanged }: Selection, wishes: TestWishes): readonly string[] {
  if (isEmptyShard) return ["No test file falls into this shard."];
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
