/** From the wishes of a person to a run: opens the place, finds the tests, runs those that are wanted, reports. */
import { basename } from "node:path";
import type { CommandContext } from "../../command/context.ts";
import { checkSourcesAsync } from "../../command/readable-file.ts";
import { readScriptFileAsync } from "../../command/scripts/script-source.ts";
import { checkDataAsync, type OpenedPlace, readPlaceAsync } from "../../headless/index.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { discoverAsync } from "../../testing/discovery/discover.ts";
import { type Wish, wishOfAsync } from "../../testing/discovery/find-files.ts";
import type { Framework } from "../../testing/events.ts";
import type { HarnessCase } from "../../testing/harness-events.ts";
import type { SourceOf } from "../../testing/report/failure-text.ts";
import type { WantedReporter } from "../../testing/report/reporters.ts";
import type { FileResult } from "../../testing/report/tally.ts";
import { runTestsAsync } from "../../testing/run/run-tests.ts";
import { type Target, targetText } from "../../testing/target.ts";
import type { TestFile } from "../../testing/test-file.ts";
import { isInShard, type Shard, shardText } from "../../testing/shard.ts";
import { version } from "../../version.ts";
import { ProjectHistory } from "./project-history.ts";
import { openReporting } from "./reporting.ts";
import { runnersFor } from "./runners.ts";
import { isCi, verdictOf } from "./verdict.ts";

export interface TestWishes {
  readonly folder: string;
  readonly target: Target;
  readonly placeFile: string | undefined;
  /** Where data stores keep what scripts save, as `--data` says it. */
  readonly data?: string | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Scripts that run before the place is kept for the tests. */
  readonly setup: readonly string[];
  readonly files: readonly string[];
  readonly name?: string | undefined;
  /** Only what failed the last time, where something did. */
  readonly failed: boolean;
  readonly list: boolean;
  /** What runs the files, where the settings name it. */
  readonly framework?: Framework | undefined;
  readonly workers: number;
  readonly retries: number;
  readonly bail?: number | undefined;
  readonly caseTimeoutMs: number;
  readonly fileTimeoutMs: number;
  readonly slowest: number;
  readonly reporters: readonly WantedReporter[];
  readonly showOutput: boolean;
  readonly passWithNoTests: boolean;
  readonly failOnFlaky: boolean;
  readonly allowOnly: boolean;
  readonly shard?: Shard | undefined;
}

export interface ProjectRun {
  readonly hasPassed: boolean;
  readonly files: readonly FileResult[];
  readonly durationMs: number;
  readonly sourceOf: SourceOf;
}

export async function runProjectTestsAsync(wishes: TestWishes, context: CommandContext): Promise<ProjectRun> {
  const { folder, target, placeFile, name, bail } = wishes;
  const pattern = name === undefined ? undefined : patternOf(name);
  const again = isCi() ? {} : { again: "sb test --failed" };
  const { reporters, report, sourceOf } = openReporting({ ...wishes, ...again }, context);
  const without = (hasPassed: boolean): ProjectRun => ({ hasPassed, files: [], durationMs: 0, sourceOf });
  context.status("Reading the project");
  const place = placeFile === undefined ? undefined : await readPlaceAsync(placeFile);
  const { files: all, fileOfScript } = await discoverAsync(folder, place, wishes);
  await checkReadAsync(wishes, place, all, context);
  const wanted = await Promise.all(wishes.files.map((text) => wishOfAsync(text, folder, process.cwd())));
  checkWishes(wanted, all);
  const known = await ProjectHistory.openAsync(folder);
  const chosen =
    wanted.length === 0 ? all : all.filter(({ path }) => wanted.some((wish) => wish.matches(path)));
  const lastFailed = wishes.failed ? chosen.filter((file) => known.failedIn(file).length > 0) : [];
  const onlyFailed = lastFailed.length > 0;
  if (wishes.failed && !onlyFailed && chosen.length > 0)
    context.emit({ stream: "stderr", text: () => "Nothing is known to have failed; all tests run." });
  const { shard } = wishes;
  const whole = onlyFailed ? lastFailed : chosen;
  const files = shard === undefined ? whole : whole.filter(({ path }) => isInShard(path, shard));
  if (wishes.list) {
    for (const file of files)
      context.emit({ stream: "stdout", text: () => listLine(file), json: listEntry(file) });
    return without(true);
  }
  if (whole.length === 0) {
    context.emit({ stream: "stderr", text: () => noTests(folder) });
    return without(wishes.passWithNoTests);
  }
  if (wishes.data !== undefined) await checkDataAsync(wishes.data, false);
  const newRunner = runnersFor(target, {
    ...(place === undefined ? {} : { place: place.place, placeName: place.placeName }),
    ...(wishes.data === undefined ? {} : { data: wishes.data }),
    setup: await Promise.all(wishes.setup.map(setupScriptAsync)),
    signal: context.signal,
  });
  const startedAt = Date.now();
  const startedMs = performance.now();
  report({
    type: "run",
    id: crypto.randomUUID(),
    version,
    target: targetText(target),
    startedAt,
    ...(shard === undefined ? {} : { shard: shardText(shard) }),
    files: files.map(({ path }) => path),
  });
  const choose = chooser(wanted, pattern, onlyFailed ? (file) => known.failedIn(file) : undefined);
  const ended = await runTestsAsync({
    files: known.longestFirst(files),
    expectedMs: (file) => known.expectedMs(file),
    newRunner,
    workers: wishes.workers,
    caseTimeoutMs: wishes.caseTimeoutMs,
    fileTimeoutMs: wishes.fileTimeoutMs,
    retries: wishes.retries,
    ...(bail === undefined ? {} : { bail }),
    ...(choose === undefined ? {} : { choose }),
    fileOfScript,
    report,
    signal: context.signal,
  });
  const durationMs = performance.now() - startedMs;
  report({
    type: "run-end",
    durationMs,
    ...(ended === undefined ? {} : { ended }),
  });
  await reporters.writeFilesAsync();
  const isPartial = pattern !== undefined || wanted.some(({ line }) => line !== undefined);
  const results = reporters.tally.files();
  const fault = await known.addAsync(results, isPartial ? "some" : onlyFailed ? "failed" : "all", startedAt);
  if (fault !== undefined) context.note(`The history of tests cannot be written: ${fault}`);
  // A shard without files is no mistake, because the others have them.
  const isEmptyShard = files.length === 0;
  const { hasPassed, remarks } = verdictOf(results, ended === undefined, {
    forbidsFocus: isCi() && !wishes.allowOnly,
    failsOnFlaky: wishes.failOnFlaky,
    passWithNoTests: wishes.passWithNoTests || isEmptyShard,
    name,
  });
  for (const text of isEmptyShard ? ["No test file falls into this shard."] : remarks)
    context.emit({ stream: "stderr", text: () => text });
  return { hasPassed, files: results, durationMs, sourceOf };
}

/** An agent may run only what lies below its folders: its place, its tests and its set-up scripts. */
async function checkReadAsync(
  { folder, placeFile, setup }: TestWishes,
  place: OpenedPlace | undefined,
  files: readonly TestFile[],
  context: CommandContext,
): Promise<void> {
  const read = place?.sources;
  const scripts = [...(read?.scripts.values() ?? [])].map(({ file }) => file);
  const ofPlace = [...(read?.files ?? []), ...(read?.folders ?? []), ...scripts];
  const tests = files.map(({ absolutePath }) => absolutePath);
  await checkSourcesAsync(placeFile ?? folder, [folder, ...ofPlace, ...tests, ...setup], context);
}

async function setupScriptAsync(path: string): Promise<{ readonly name: string; readonly source: string }> {
  const { text } = await readScriptFileAsync(path);
  return { name: basename(path), source: text };
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidInput(`Not a regular expression: ${text} (${reason})`, "Put a backslash before ( or [.");
  }
}

/** A word that fits no test file is a mistake, and not a wish for no tests. */
function checkWishes(wishes: readonly Wish[], files: readonly TestFile[]): void {
  const vain = wishes.find((wish) => !files.some(({ path }) => wish.matches(path)));
  if (vain !== undefined)
    throw invalidInput(`No test file fits ${JSON.stringify(vain.text)}.`, "sb test --list shows them all.");
}

/** Undefined where all cases are wanted. `failedIn` gives the only ids that are wanted of a file. */
function chooser(
  wishes: readonly Wish[],
  pattern: RegExp | undefined,
  failedIn: ((file: TestFile) => readonly string[]) | undefined,
) {
  const lined = wishes.filter(({ line }) => line !== undefined);
  if (pattern === undefined && lined.length === 0 && failedIn === undefined) return undefined;
  return (file: TestFile, cases: readonly HarnessCase[]): readonly string[] => {
    const failed = failedIn?.(file);
    // A case that is not in the plan, as of a file that could not be loaded, asks for the whole file.
    const isWhole = failed === undefined || !failed.every((id) => cases.some((each) => each.id === id));
    const lines = lined.flatMap((wish) => (wish.matches(file.path) ? [wish.line ?? 0] : []));
    return cases
      .filter(({ id }) => isWhole || failed.includes(id))
      .filter(({ names }) => pattern === undefined || pattern.test(names.join(" › ")))
      .filter((each) => lines.length === 0 || lines.some((line) => isAround(each, cases, line)))
      .map(({ id }) => id);
  };
}

/** The last case that begins at or before the line. */
function isAround(one: HarnessCase, cases: readonly HarnessCase[], line: number): boolean {
  const before = cases.filter((each) => (each.line ?? Infinity) <= line);
  const last = Math.max(...before.map((each) => each.line ?? 0));
  return one.line === last && before.includes(one);
}

function listEntry({ path, framework, why, instance }: TestFile) {
  return { path, framework, why, ...(instance === undefined ? {} : { instance: instance.join(".") }) };
}

function listLine({ path, framework, why, instance }: TestFile): string {
  return `${path}  ${framework}  ${instance?.join(".") ?? "not in the place"}  (${why})`;
}

function noTests(folder: string): string {
  return `No tests below ${folder}. Tests are *.spec.luau, *.test.luau, and files in __tests__.`;
}
