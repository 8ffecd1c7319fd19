/** Runs the tests of a project once: it reads the project, selects tests, and runs them in the target of the caller. */
import type { TestSurface } from "./test-surface.ts";
import { remark } from "../../output/remark.ts";
import { checkDataAsync, EarlyChild } from "../../headless/index.ts";
import { coveredScripts } from "../coverage/collector.ts";
import type { NewRunner } from "../run/runner.ts";
import type { CloudTarget } from "../target.ts";
import { contextText } from "../test-context.ts";
import type { TestFile } from "../test-file.ts";
import { runBeforeAsync } from "./before.ts";
import { type OpenedProject, openProjectAsync } from "./open-project.ts";
import { ProjectGraph } from "./project-graph.ts";
import { type HistoryKey, ProjectHistory } from "./project-history.ts";
import { checkCloudKey } from "./run-in-cloud.ts";
import { type ProjectRun, runSelectionAsync, type SelectedRun } from "./run-selection.ts";
import { runnersFor } from "./runners.ts";
import { selectTestsAsync } from "./select-tests.ts";
import type { TestWishes } from "./test-wishes.ts";

export async function runProjectTestsAsync(wishes: TestWishes, surface: TestSurface): Promise<ProjectRun> {
  const failed = wishes.list ? undefined : await runBeforeAsync(wishes, surface);
  if (failed !== undefined) return failed;
  // It starts while the files are searched and read.
  await using earlyChild = wishes.target.kind === "headless" && !wishes.list ? new EarlyChild() : undefined;
  const prepared = await prepareRunAsync(wishes, surface);
  const { project, selection } = prepared;
  if (wishes.list) {
    tellListed(selection.files, surface);
    return withoutRun(true);
  }
  const { runTimeoutMs } = wishes;
  const signal =
    runTimeoutMs === undefined
      ? surface.signal
      : AbortSignal.any([surface.signal, AbortSignal.timeout(runTimeoutMs)]);
  // A run without files needs no target. Its reports are written, because reports of an earlier run would be taken for its own.
  const newRunner =
    selection.files.length === 0 ? noRunner : await newRunnerAsync(wishes, project, surface, { earlyChild });
  return await runSelectionAsync({ wishes, ...prepared, newRunner, signal }, surface);
}

export type PreparedRun = Pick<SelectedRun, "project" | "selection" | "history" | "graph">;

/** Reads the project and selects its tests. It runs nothing. `keyOf` says how histories name a file; by its path by default. */
export async function prepareRunAsync(
  wishes: TestWishes,
  surface: TestSurface,
  keyOf?: HistoryKey,
): Promise<PreparedRun> {
  const project = await openProjectAsync(wishes, surface);
  const history = await ProjectHistory.openAsync(wishes.folder, wishes, keyOf);
  const graph = new ProjectGraph(wishes.folder);
  const selection = await selectTestsAsync(wishes, { project, history, graph }, surface);
  return { project, history, graph, selection };
}

/** Shows the files of --list. `shown` gives the path that people see. */
export function tellListed(
  files: readonly TestFile[],
  surface: TestSurface,
  shown: (path: string) => string = (path) => path,
): void {
  for (const file of files) {
    const listed = { ...file, path: shown(file.path) };
    surface.emit({ stream: "stdout", text: () => listLine(listed), json: listEntry(listed) });
  }
}

const noRunner: NewRunner = () => {
  throw new Error("a run without files has no runner");
};

const withoutRun = (hasPassed: boolean): ProjectRun => ({
  hasPassed,
  files: [],
  durationMs: 0,
  sourceOf: () => undefined,
  caveats: {},
  sourceRemarks: [],
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
  { target, folder, placeFile, data, dataKey, world, screen, allowStale, quiet }: TestWishes,
  { place, covered, setup, files }: OpenedProject,
  surface: TestSurface,
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
    ...(world === undefined ? {} : { world }),
    ...(screen === undefined ? {} : { screen }),
    ...(covered === undefined ? {} : { covered: coveredScripts(covered, target.kind === "headless") }),
    setup,
    countsCaveats: !quiet,
    warn: onceEach((text) => surface.emit(remark(text, "yellow"))),
    earlyChild,
    frameworks: [...new Set(files.map(({ framework }) => framework))],
    opening: { placeFile, folder, allowStale, scripts: [...(place?.sources.scripts.values() ?? [])] },
    surface,
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
