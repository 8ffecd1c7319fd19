/** Makes the wishes for a run of tests out of the words of its caller and the settings of the project. */
import { stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { RunSurface } from "../../output/run-surface.ts";
import { findProjectFileAsync, type FoundProjectFile } from "../find-project-file.ts";
import { projectFolderAsync } from "../project-folder.ts";
import { settingsIn } from "../project-settings.ts";
import { type SuiteSettings, testSettingsIn, unknownTestKeysIn } from "../test-settings.ts";
import { checkSourcesAsync } from "../readable-file.ts";
import { remark } from "../../output/remark.ts";
import { dataChoice } from "../data-choice.ts";
import { readFixturesAsync } from "../fixtures.ts";
import { screenChoice, screenFlagIn } from "../screen-choice.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { namedInFullAsync } from "../../testing/discovery/caller-words.ts";
import { DEFAULT_INCLUDE, testMatcher } from "../../testing/discovery/find-files.ts";
import { workerCount } from "../../testing/run/run-words.ts";
import { type Shard, shardIn } from "../../testing/shard.ts";
import { againCommand } from "../../testing/project/again-command.ts";
import { coverageWishes } from "./coverage-wishes.ts";
import { type TestCaller, allowedTarget } from "./cloud-target.ts";
import { snapshotModeOf } from "../../testing/project/snapshot-files.ts";
import { fontsFolderAsync } from "../../studio/fonts-folder.ts";
import type { Target } from "../../testing/target.ts";
import { wantedContext, wishesForTarget } from "../../testing/project/target-wishes.ts";
import { ANY_SEED, type TestInput } from "./test-input.ts";
import type { TestWishes } from "../../testing/project/test-wishes.ts";
import { wantedReporters } from "../../testing/project/wanted-reporters.ts";

export interface WishesRead {
  readonly wishes: TestWishes;
  /** The program of test.before, if the caller is an agent that may not run it. */
  readonly skippedBefore?: readonly string[] | undefined;
  /** One sentence for each key of the settings that says nothing. */
  readonly warnings: readonly string[];
}

/** Who asks for the run, and where warnings are shown. */
export interface WishesCaller extends TestCaller, Pick<RunSurface, "emit"> {
  /** An agent may have tests run the program of test.before. */
  readonly allowsBefore?: boolean;
  /** True with `--verbose`. */
  readonly isVerbose?: boolean;
}

/** The project, and what its settings say about tests. */
interface Project {
  /** The folder from which relative names of files start. */
  readonly start: string;
  readonly folder: string;
  readonly found: FoundProjectFile | undefined;
  readonly settings: SuiteSettings;
}

/** Warns about keys of the settings that say nothing. Throws INVALID_INPUT for words that do not fit the project. */
export async function readWishesAsync(input: TestInput, context: WishesCaller): Promise<WishesRead> {
  const start = await projectFolderAsync(context);
  return readProjectWishesAsync(input, context, { start, found: await findProjectFileAsync(start) });
}

/** The same for a project that was found already. */
export async function readProjectWishesAsync(
  input: TestInput,
  context: WishesCaller,
  { start: from, found: known }: Pick<Project, "start" | "found">,
): Promise<WishesRead> {
  const project = await openAsync(input, context, from, known);
  const { start, folder, found, settings } = project;
  const warnings = found === undefined ? [] : unknownTestKeysIn(found);
  for (const warning of warnings) context.emit(remark(`Warning: ${warning}`, "yellow"));
  const [word, source] = input.on === undefined ? [settings.on ?? "headless", "test.on"] : [input.on, "--on"];
  const target = allowedTarget(word, source, settings, context);
  const isAgent = context.fileRoots !== undefined;
  const { isolate, data, workers, allowStale, strictGeometry } = input;
  const wishes = {
    ...given(input),
    start,
    folder,
    target,
    ...(await filesAsync(input, project)),
    context: wantedContext(target, input.context ?? settings.context, input.players ?? settings.players),
    upload: settings.cloud?.upload,
    settingsFile: found?.file,
    before: isAgent && context.allowsBefore !== true ? undefined : settings.before,
    setup: settings.setup ?? [],
    reporters: isAgent
      ? []
      : wantedReporters(input.reporters.length > 0 ? input.reporters : (settings.reporters ?? [])),
    ...(await placeAsync(input, project, target)),
    framework: settings.framework,
    adapter: adapterIn(settings),
    sourceMap: settings.sourceMap ?? "auto",
    showCompiled: context.isVerbose,
    allowedErrors: (settings.allowedErrors ?? []).map((pattern) => new RegExp(pattern)),
    snapshots: snapshotModeOf(input.update, isAgent),
    coverage: input.coverage
      ? coverageWishes(folder, settings.coverage, isAgent ? "none" : input.coverageFormats)
      : undefined,
    ...limitsOf(input, settings),
    ...wishesForTarget(
      target,
      {
        ...{ isolate, data, workers, allowStale, strictGeometry },
        screenFlag: typedScreenFlag(input, project),
        fixtures: typedFixtures(input, project),
      },
      { isolation: isolate ?? settings.isolate, workers: workerCount(workers ?? settings.workers) },
    ),
  };
  const skippedBefore = wishes.before === undefined ? settings.before : undefined;
  return { wishes, warnings, skippedBefore };
}

/** Throws INVALID_INPUT if the settings name both a framework and an adapter, or the framework `adapter` without one. */
function adapterIn({ adapter, framework }: SuiteSettings): string | undefined {
  if (adapter === undefined && framework !== "adapter") return adapter;
  if (adapter !== undefined && (framework === undefined || framework === "adapter")) return adapter;
  throw invalidInput(
    adapter === undefined
      ? "test.framework is adapter, but test.adapter names no file."
      : `test.adapter and test.framework (${framework}) do not go together.`,
    "Fix sb.config.json: test.adapter is a Luau file that lists the cases of a test file.",
  );
}

async function openAsync(
  { suite }: TestInput,
  context: WishesCaller,
  start: string,
  found: FoundProjectFile | undefined,
): Promise<Project> {
  const folder = found === undefined ? start : dirname(found.file);
  await checkSourcesAsync(folder, [folder], context);
  return { start, folder, found, settings: settingsOf(found, suite[0]) };
}

/** The wishes that only the caller has, and no settings. */
function given(input: TestInput) {
  const { files, name, changed, list, watch, bail, repeat, slowest, allowStale, history } = input;
  const { showOutput, quiet, passWithNoTests, failOnFlaky, allowOnly, failedOnly, random } = input;
  return {
    ...{ files, name, changed, list, watch, bail, repeat, slowest, allowStale },
    ...{ showOutput, quiet, passWithNoTests, failOnFlaky, allowOnly },
    failed: failedOnly,
    shard: input.shard === undefined ? undefined : wantedShard(input.shard),
    seed: random === ANY_SEED ? 1 + Math.floor(Math.random() * 1_000_000) : random,
    historyFile: history === undefined ? undefined : resolve(history),
  };
}

/** Which files are tests, and the command that runs the failed ones again. */
async function filesAsync(input: TestInput, { start, folder, settings }: Project) {
  const patterns = { include: settings.include ?? DEFAULT_INCLUDE, exclude: settings.exclude ?? [] };
  const named = await namedInFullAsync(input.files, folder, start);
  const isUsual = testMatcher(patterns);
  const unusual = named.flatMap((path) => (isUsual(path) ? [] : relative(start, join(folder, path))));
  const { suite, on, context, players, place, data, throttle, strictGeometry, allowStale, history } = input;
  const { fixtures, walk } = input;
  const { viewport, insets, device, fonts } = input;
  // A shard adds its results to the history in the state folder.
  const kept = input.shard === undefined ? { history } : {};
  const screen = { viewport, insets, device, fonts };
  const words = {
    suite: suite[0],
    on,
    context,
    players,
    place,
    data,
    throttle,
    fixtures,
    walk,
    strictGeometry,
    ...screen,
    allowStale,
    ...kept,
  };
  return { ...patterns, named, again: againCommand(words, unusual) };
}

/** The first flag of the screen that is not just the setting, which the command line has filled in. */
function typedScreenFlag(
  { viewport, insets, device, fonts }: TestInput,
  { found }: Project,
): string | undefined {
  const settings = found === undefined ? {} : settingsIn(found);
  const typed = <T>(word: T | undefined, setting: T | undefined) => (word === setting ? undefined : word);
  return screenFlagIn({
    viewport: typed(viewport, settings.viewport),
    insets: typed(insets, settings.insets),
    device: typed(device, settings.device),
    fonts,
  });
}

/** The fixtures where they are not just the setting, which the command line has filled in. */
function typedFixtures({ fixtures }: TestInput, { found }: Project): string | undefined {
  return found !== undefined && fixtures === settingsIn(found).fixtures ? undefined : fixtures;
}

/** The place in which tests run, its data stores and its screen. */
async function placeAsync(
  { place, data, throttle, walk, strictGeometry, ...words }: TestInput,
  { start, folder, found, settings }: Project,
  { kind }: Target,
) {
  const project = found === undefined ? {} : settingsIn(found);
  const setting = project.data;
  const fixtures = words.fixtures ?? project.fixtures;
  const fixturesFile = fixtures === undefined || kind !== "headless" ? undefined : resolve(start, fixtures);
  return {
    placeFile:
      place === undefined ? (settings.place ?? (await ownPlaceAsync(folder))) : resolve(start, place),
    // The command line has already filled in the setting.
    dataKey: data === undefined || data === setting ? "data in sb.config.json" : undefined,
    data: dataChoice(data ?? setting, throttle),
    fixturesFile,
    world: {
      isStrict: strictGeometry,
      walks: walk ?? project.walk ?? false,
      ...(fixturesFile === undefined ? {} : { fixtures: await readFixturesAsync(fixturesFile) }),
    },
    screen: screenChoice(
      {
        viewport: words.viewport ?? project.viewport,
        insets: words.insets ?? project.insets,
        device: words.device ?? project.device,
      },
      await fontsFolderAsync(words.fonts),
    ),
  };
}

function limitsOf(input: TestInput, settings: SuiteSettings) {
  return {
    retries: input.retries ?? settings.retries ?? 0,
    caseTimeoutMs: input.caseTimeoutMs ?? settings.timeoutMs ?? 5_000,
    fileTimeoutMs: input.fileTimeoutMs ?? settings.fileTimeoutMs ?? 60_000,
    runTimeoutMs: input.runTimeoutMs ?? settings.runTimeoutMs,
  };
}

/** The settings for `sb test`. Throws INVALID_INPUT if there is no such suite. */
function settingsOf(found: FoundProjectFile | undefined, suite: string | undefined): SuiteSettings {
  if (found !== undefined) return testSettingsIn(found, suite);
  if (suite === undefined) return {};
  throw invalidInput(
    "--suite: there is no sb.config.json here.",
    "Make one, and write the suite under test.suites.",
  );
}

function wantedShard(text: string): Shard {
  const shard = shardIn(text);
  if (shard === undefined)
    throw invalidInput(`--shard: not a part: ${text}`, "Write 1/4 for the first of four parts.");
  return shard;
}

/** The default Rojo project of the folder; undefined if it has none. */
async function ownPlaceAsync(folder: string): Promise<string | undefined> {
  const { DEFAULT_PROJECTS } = await import("../../roblox/rojo/files.ts");
  for (const name of DEFAULT_PROJECTS) {
    const file = resolve(folder, name);
    if ((await stat(file).catch(() => undefined))?.isFile() === true) return file;
  }
  return undefined;
}
