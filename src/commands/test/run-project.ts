/** From the wishes of a person to a run: opens the place, finds the tests, runs those that are wanted, reports. */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join, resolve, sep } from "node:path";
import type { CommandContext } from "../../command/context.ts";
import { checkSourcesAsync } from "../../command/readable-file.ts";
import { readScriptFileAsync } from "../../command/scripts/script-source.ts";
import { type OpenedPlace, readPlaceAsync } from "../../headless/index.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { discoverAsync } from "../../testing/discovery/discover.ts";
import { ProjectHistory } from "./project-history.ts";
import { type Wish, wishOfAsync } from "../../testing/discovery/find-files.ts";
import type { TestEvent } from "../../testing/events.ts";
import type { HarnessCase } from "../../testing/harness-events.ts";
import type { SourceOf } from "../../testing/report/failure-text.ts";
import { Reporters, type WantedReporter } from "../../testing/report/reporters.ts";
import { countsOf, type FileResult } from "../../testing/report/tally.ts";
import { runTestsAsync } from "../../testing/run/run-tests.ts";
import type { TestFile } from "../../testing/test-file.ts";
import { version } from "../../version.ts";

/** How many failures an agent is shown in full. */
const MAX_AGENT_FAILURES = 10;

export interface TestWishes {
  readonly folder: string;
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
  readonly workers?: number | undefined;
  readonly retries: number;
  readonly bail?: number | undefined;
  readonly caseTimeoutMs: number;
  readonly fileTimeoutMs: number;
  readonly slowest: number;
  readonly reporters: readonly WantedReporter[];
  readonly showOutput: boolean;
  readonly passWithNoTests: boolean;
}

export interface ProjectRun {
  readonly hasPassed: boolean;
  readonly files: readonly FileResult[];
  readonly durationMs: number;
  readonly sourceOf: SourceOf;
}

export async function runProjectTestsAsync(wishes: TestWishes, context: CommandContext): Promise<ProjectRun> {
  const { folder, placeFile, name, bail } = wishes;
  const pattern = name === undefined ? undefined : patternOf(name);
  const sourceOf = sourceReader(folder);
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
  const again = wishes.failed ? chosen.filter((file) => known.failedIn(file).length > 0) : [];
  const onlyFailed = again.length > 0;
  if (wishes.failed && !onlyFailed && chosen.length > 0)
    context.emit({ stream: "stderr", text: () => "Nothing is known to have failed; all tests run." });
  const files = onlyFailed ? again : chosen;
  if (wishes.list) {
    for (const file of files)
      context.emit({ stream: "stdout", text: () => listLine(file), json: listEntry(file) });
    return without(true);
  }
  if (files.length === 0) {
    context.emit({ stream: "stderr", text: () => noTests(folder) });
    return without(wishes.passWithNoTests);
  }
  const reporters = new Reporters(wishes.reporters, {
    write: (text) => context.emit({ stream: "stdout", text }),
    sourceOf,
    showsOutput: wishes.showOutput,
    slowest: wishes.slowest,
    maxFailures: MAX_AGENT_FAILURES,
    ...(isCi() ? {} : { again: "sb test --failed" }),
    github: { folder, workspace: process.env["GITHUB_WORKSPACE"] },
    summaryFile: process.env["GITHUB_STEP_SUMMARY"],
  });
  const report = (event: TestEvent): void => {
    reporters.report(event);
    context.emit({ stream: "stdout", json: event });
    const status = statusOf(event, context);
    if (status !== undefined) context.status(status);
  };
  const setup = await Promise.all(wishes.setup.map(setupScriptAsync));
  const startedAt = Date.now();
  const startedMs = performance.now();
  report({
    type: "run",
    id: crypto.randomUUID(),
    version,
    target: "headless",
    startedAt,
    files: files.map(({ path }) => path),
  });
  const choose = chooser(wanted, pattern, onlyFailed ? (file) => known.failedIn(file) : undefined);
  const ended = await runTestsAsync({
    files: known.longestFirst(files),
    expectedMs: (file) => known.expectedMs(file),
    workers: wishes.workers ?? availableParallelism(),
    ...(place === undefined ? {} : { place: place.place, placeName: place.placeName }),
    ...(wishes.data === undefined ? {} : { data: wishes.data }),
    setup,
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
  const fault = await known.addAsync(
    reporters.tally.files(),
    isPartial ? "some" : onlyFailed ? "failed" : "all",
    startedAt,
  );
  if (fault !== undefined) context.note(`The history of tests cannot be written: ${fault}`);
  const results = reporters.tally.files();
  const { failed, passed } = countsOf(results);
  if (failed + passed === 0 && ended === undefined)
    context.emit({ stream: "stderr", text: () => noCases(name) });
  const hasPassed = failed === 0 && ended === undefined && (passed > 0 || wishes.passWithNoTests);
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

/** An agent is told of each file, because each line of progress is a message to it. */
function statusOf(event: TestEvent, { fileRoots }: CommandContext): string | undefined {
  if (fileRoots !== undefined) return event.type === "file-start" ? event.file : undefined;
  return event.type === "case-start" ? `${event.file} › ${event.names.join(" › ")}` : undefined;
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

const isCi = (): boolean => !["", "0", "false"].includes(process.env["CI"] ?? "");

/** The last case that begins at or before the line. */
function isAround(one: HarnessCase, cases: readonly HarnessCase[], line: number): boolean {
  const before = cases.filter((each) => (each.line ?? Infinity) <= line);
  const last = Math.max(...before.map((each) => each.line ?? 0));
  return one.line === last && before.includes(one);
}

/**
 * The lines of the project's files, read when a failure shows them. A script may call itself as it likes, so that only
 * Luau files below the folder are shown.
 */
function sourceReader(folder: string): SourceOf {
  const known = new Map<string, readonly string[] | undefined>();
  return (path) => {
    if (!known.has(path))
      known.set(path, isOwnScript(folder, path) ? linesOf(join(folder, path)) : undefined);
    return known.get(path);
  };
}

const isOwnScript = (folder: string, path: string): boolean =>
  /\.luau?$/.test(path) && resolve(folder, path).startsWith(`${resolve(folder)}${sep}`);

function linesOf(file: string): readonly string[] | undefined {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/);
  } catch {
    return undefined;
  }
}

function listEntry({ path, framework, why, instance }: TestFile) {
  return { path, framework, why, ...(instance === undefined ? {} : { instance: instance.join(".") }) };
}

function listLine({ path, framework, why, instance }: TestFile): string {
  return `${path}  ${framework}  ${instance?.join(".") ?? "not in the place"}  (${why})`;
}

function noCases(name: string | undefined): string {
  return name === undefined
    ? "No case ran: the files have none, or leave all of them out."
    : `No case ran: none of these files has one whose name matches -t ${name}.`;
}

function noTests(folder: string): string {
  return `No tests below ${folder}. Tests are *.spec.luau, *.test.luau, and files in __tests__.`;
}
