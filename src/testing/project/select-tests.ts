/** Selects the test files of a run, and the cases in them, by the words, flags, changes and history. */
import type { RunSurface } from "../../output/run-surface.ts";
import { remark } from "../../output/remark.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { coverageFormats } from "../coverage/format-words.ts";
import { type Selector, selectorOfAsync } from "../discovery/caller-words.ts";
import { testMatcher } from "../discovery/find-files.ts";
import type { HarnessCase } from "../harness-events.ts";
import type { Scope } from "../history.ts";
import { filesOfShard } from "../shard.ts";
import { affectedBy } from "../graph/affected.ts";
import type { TestFile } from "../test-file.ts";
import { CompiledSources } from "../../source-maps/compiled-sources.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { changedFilesAsync } from "./changed-files.ts";
import { dataFolders, type OpenedProject } from "./open-project.ts";
import type { ProjectGraph } from "./project-graph.ts";
import type { ProjectHistory } from "./project-history.ts";
import type { TestWishes } from "./test-wishes.ts";

export interface Selection {
  readonly files: readonly TestFile[];
  /** Gives the ids of the cases to run in a file; undefined if all cases of all files run. */
  readonly choose: ((file: TestFile, cases: readonly HarnessCase[]) => readonly string[]) | undefined;
  readonly scope: Scope;
  readonly filesInAllShards: number;
  /** True if other shards have files, and this one has none. */
  readonly isEmptyShard: boolean;
  /** True if there are files, but no change affects them. */
  readonly isUnchanged: boolean;
}

export const NONE_FAILED = "No case is known to have failed, so all tests run.";

/** The project, and the memory of its earlier runs. */
export interface KnownProject {
  readonly project: OpenedProject;
  readonly history: ProjectHistory;
  readonly graph: ProjectGraph;
}

/** Throws INVALID_INPUT for a word that matches no test file, and if git cannot say what has changed. */
export async function selectTestsAsync(
  wishes: TestWishes,
  known: KnownProject,
  surface: RunSurface,
): Promise<Selection> {
  const { start, folder, files: texts, name, failed, changed, shard, sourceMap } = wishes;
  const { history } = known;
  const all = known.project.files;
  const pattern = name === undefined ? undefined : patternOf(name);
  const tests = all.map(({ path }) => path);
  const sources = new CompiledSources(folder, sourceMap);
  const named = await Promise.all(
    texts.map((text) => selectorOfAsync(text, { folder, start, tests, sources })),
  );
  checkSelectors(named, all, wishes.coverage !== undefined);
  const fitting =
    named.length === 0 ? all : all.filter(({ path }) => named.some((selector) => selector.matches(path)));
  const chosen =
    changed === undefined ? fitting : await affectedAsync(fitting, changed, wishes, known, surface);
  const lastFailed = failed ? chosen.filter((file) => history.failedIn(file).length > 0) : [];
  const onlyFailed = lastFailed.length > 0;
  if (failed && !onlyFailed && chosen.length > 0 && wishes.part === undefined)
    surface.emit(remark(NONE_FAILED));
  const whole = onlyFailed ? lastFailed : chosen;
  const files = shard === undefined ? whole : filesOfShard(whole, shard, (file) => history.givenMs(file));
  const isPartial = pattern !== undefined || named.some(({ line }) => line !== undefined);
  return {
    files,
    choose: chooser(named, {
      pattern,
      sources,
      failedIn: onlyFailed ? (file) => history.failedIn(file) : undefined,
    }),
    scope: isPartial ? "some" : onlyFailed ? "failed" : "all",
    filesInAllShards: whole.length,
    isEmptyShard: whole.length > 0 && files.length === 0,
    isUnchanged: fitting.length > 0 && chosen.length === 0,
  };
}

/**
 * The tests that changes since a commit affect, and those that failed the last time: what has fixed them may be no change that git
 * knows. Tells the user how many they are, and the reason if all are affected.
 */
async function affectedAsync(
  tests: readonly TestFile[],
  since: string,
  wishes: TestWishes,
  { project, history, graph }: KnownProject,
  surface: RunSurface,
): Promise<readonly TestFile[]> {
  const { folder } = wishes;
  const { contents, place } = project;
  const changes = await changedFilesAsync({
    folder,
    since,
    contents,
    placeFolders: [...(place?.sources.folders ?? []), ...dataFolders(wishes)],
    isTest: testMatcher(wishes),
  });
  const { files, unknown, why } = affectedBy(changes, tests, await graph.readAsync(), contents);
  const reason = why === undefined || tests.length === 0 ? "" : `, because ${visibleOnOneLine(why)}`;
  const more = unknown.size === 1 ? "1 more runs" : `${unknown.size} more run`;
  const others = unknown.size === 0 ? "" : ` ${more}, because it is not known what they use now.`;
  const failed = new Set(tests.filter((file) => !files.has(file.path) && history.failedIn(file).length > 0));
  const again = failed.size === 0 ? "" : ` ${failed.size} more, with cases that failed the last time.`;
  const lead = wishes.part === undefined ? "" : `${wishes.part}: `;
  const text = `${lead}Changes since ${since} affect ${files.size - unknown.size} of ${tests.length} test files${reason}.${others}${again}`;
  surface.emit(remark(text));
  return tests.filter((file) => files.has(file.path) || failed.has(file));
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidInput(`Not a regular expression: ${text} (${reason})`, "Put a backslash before ( or [.");
  }
}

/** A mark of the error for a word that matches no test file: in a run of several projects, another one may have the file. */
export const NO_MATCH = "noMatch";

/** Throws for a word that matches no test file. With --coverage, the word may be a mistyped format, so that the hint lists them. */
function checkSelectors(
  selectors: readonly Selector[],
  files: readonly TestFile[],
  countsLines: boolean,
): void {
  const unmatched = selectors.find((selector) => !files.some(({ path }) => selector.matches(path)));
  if (unmatched === undefined) return;
  const formats = countsLines ? ` The formats of --coverage are ${coverageFormats.join(", ")}.` : "";
  throw new StudioBridgeError("INVALID_INPUT", `No test file matches ${JSON.stringify(unmatched.text)}.`, {
    data: { [NO_MATCH]: true },
    hint: `sb test --list shows them all.${formats}`,
    agentHint: "Name a test file, a folder or a part of their paths, or leave out `files` to run all tests.",
  });
}

interface CaseWishes {
  readonly pattern: RegExp | undefined;
  readonly sources: CompiledSources;
  /** Gives the ids of the cases that failed; undefined if other cases run too. */
  readonly failedIn: ((file: TestFile) => readonly string[]) | undefined;
}

/** Makes `Selection.choose`. */
function chooser(selectors: readonly Selector[], { pattern, sources, failedIn }: CaseWishes) {
  const lined = selectors.filter(({ line }) => line !== undefined);
  if (pattern === undefined && lined.length === 0 && failedIn === undefined) return undefined;
  return (file: TestFile, cases: readonly HarnessCase[]): readonly string[] => {
    const failed = failedIn?.(file);
    // If a failed case is not in the plan, such as the case "(file)" of a file that could not be loaded, all cases run.
    const isWhole = failed === undefined || !failed.every((id) => cases.some((known) => known.id === id));
    const fitting = lined.filter((selector) => selector.matches(file.path));
    const starts = new Set(fitting.map((selector) => startOfCase(inLinesOf(selector, file, cases, sources))));
    return cases
      .filter(({ id }) => isWhole || failed.includes(id))
      .filter(({ names }) => pattern === undefined || pattern.test(names.join(" › ")))
      .filter(({ line }) => fitting.length === 0 || (line !== undefined && starts.has(line)))
      .map(({ id }) => id);
  };
}

/** The lines of cases that begin at or before the line of a selector, each with the line by which the selector knows it. */
function inLinesOf(
  { line: wanted = 0, isOfSource = false }: Selector,
  { path }: TestFile,
  cases: readonly HarnessCase[],
  sources: CompiledSources,
): readonly CaseLine[] {
  return cases
    .flatMap(({ line }) => {
      const known = line === undefined || !isOfSource ? line : sources.positionOf(path, line)?.line;
      return line === undefined || known === undefined ? [] : [{ line, known }];
    })
    .filter(({ known }) => known <= wanted);
}

interface CaseLine {
  readonly line: number;
  /** The same line in the source, if the selector names one of the source. */
  readonly known: number;
}

/** The line of the last case; -Infinity for none. */
const startOfCase = (cases: readonly CaseLine[]): number =>
  cases.reduce((last, each) => (each.known >= last.known ? each : last), {
    line: -Infinity,
    known: -Infinity,
  }).line;
