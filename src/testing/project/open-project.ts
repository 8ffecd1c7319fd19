/** Reads the files of a test run: the place, the test files and the set-up scripts. It runs nothing. */
import { access, readdir, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { TestSurface } from "./test-surface.ts";
import { remark } from "../../output/remark.ts";
import { readScriptFileAsync } from "../../files/script-source.ts";
import { MEMORY, type OpenedPlace, readPlaceAsync } from "../../headless/index.ts";
import { invalidInput } from "../../protocol/messages.ts";
import type { RojoScript } from "../../roblox/rojo/node.ts";
import type { CoveredFile } from "../coverage/covered-files.ts";
import { type Discovered, discoverAsync } from "../discovery/discover.ts";
import { testMatcher } from "../discovery/find-files.ts";
import { ProjectContents } from "../graph/contents.ts";
import { contextText } from "../test-context.ts";
import { targetText } from "../target.ts";
import type { TestFile } from "../test-file.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { filesToCover } from "./coverage.ts";
import { emptySubmodulesAsync } from "./empty-submodules.ts";
import type { TestWishes } from "./test-wishes.ts";
import { unlistedModules } from "./unlisted-modules.ts";

export interface OpenedProject extends Discovered {
  /** Undefined if tests run in an empty place. */
  readonly place: OpenedPlace | undefined;
  /** The files whose lines are counted; undefined if no lines are counted. */
  readonly covered: readonly CoveredFile[] | undefined;
  readonly setup: readonly SetupScript[];
  readonly contents: ProjectContents;
}

export async function openProjectAsync(wishes: TestWishes, surface: TestSurface): Promise<OpenedProject> {
  const { folder, placeFile } = wishes;
  surface.status("Reading the project");
  await tellEmptySubmodulesAsync(folder, surface);
  if (placeFile === undefined && wishes.target.kind !== "studio") await tellOtherPlacesAsync(folder, surface);
  const contents = new ProjectContents(folder, testMatcher(wishes), variantOf(wishes));
  const add = (file: string, content: Uint8Array | string): void => contents.add(file, content);
  const place = placeFile === undefined ? undefined : await readPlaceAsync(placeFile, add);
  const discovered = await discoverAsync(folder, place, wishes, surface.signal);
  await checkReadAsync(wishes, place, discovered.files, surface);
  tellUnlistedModules(place, discovered, wishes, surface);
  tellDanglingLinks(discovered.danglingLinks, surface);
  tellNested(discovered.nested, wishes, surface);
  const setup = await Promise.all(wishes.setup.map((file) => setupScriptAsync(file, wishes)));
  contents.setScripts([...(place?.sources.scripts.values() ?? [])].flatMap(filesOf));
  for (const { modules = {} } of discovered.files)
    for (const [path, { source }] of Object.entries(modules)) contents.addModule(path, source);
  for (const { file, source } of setup) add(file, source);
  if (wishes.adapter !== undefined) add(wishes.adapter, await adapterTextAsync(wishes.adapter));
  for (const { file, content } of await otherFilesAsync(wishes)) add(file, content);
  const covered = filesToCover(wishes, place, discovered);
  return { ...discovered, place, covered, setup, contents };
}

async function tellEmptySubmodulesAsync(folder: string, { emit }: TestSurface): Promise<void> {
  const paths = await emptySubmodulesAsync(folder);
  if (paths.length === 0) return;
  const names = paths.map(visibleOnOneLine).join(", ");
  const text = `git has not fetched these submodules, so that they have no files: ${names}. Run: git submodule update --init`;
  emit(remark(text, "yellow"));
}

/** The number of files or modules that are named. */
const MAX_NAMED = 3;

/** Tests of a project with several places would fail in the empty place, and the reason would not be obvious. */
async function tellOtherPlacesAsync(folder: string, { emit }: TestSurface): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  const projects = names.filter((name) => /\.project\.jsonc?$/i.test(name)).sort();
  if (projects.length === 0) return;
  const choices = projects.slice(0, MAX_NAMED).map((name) => `--place ${visibleOnOneLine(name)}`);
  const text =
    "The tests run in an empty place, because there is no default.project.json. " +
    `Choose a place: ${choices.join(" or ")}, or test.place in sb.config.json.`;
  emit(remark(text, "yellow"));
}

/** Test modules of the place that do not run would be missed without a word by a person who ran the whole place with another runner before. */
function tellUnlistedModules(
  place: OpenedPlace | undefined,
  discovered: Discovered,
  wishes: TestWishes,
  { emit }: TestSurface,
): void {
  const names = place === undefined ? [] : unlistedModules(place, discovered, wishes);
  if (names.length === 0) return;
  const text =
    `These test modules of the place do not run, because no test file of this folder makes them: ${namesText(names)}. ` +
    "Write them as files of the project, or name their files in test.include of sb.config.json.";
  emit(remark(text, "yellow"));
}

function tellNested(nested: readonly string[], { part }: TestWishes, { emit }: TestSurface): void {
  if (nested.length === 0 || part !== undefined) return;
  const text =
    `Tests of ${namesText(nested)} do not run here, because an sb.config.json there has settings of their own. ` +
    "Name these folders in test.projects to run them too.";
  emit(remark(text, "yellow"));
}

function tellDanglingLinks(paths: readonly string[], { emit }: TestSurface): void {
  if (paths.length === 0) return;
  const links = paths.length === 1 ? "This link leads" : "These links lead";
  emit(remark(`${links} to nothing, so that no test is there: ${namesText(paths)}.`, "yellow"));
}

/** The first names of a list, and the number of the others. */
function namesText(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map(visibleOnOneLine).join(", ");
  return names.length > MAX_NAMED ? `${shown} and ${names.length - MAX_NAMED} more` : shown;
}

/** The options on which it depends which scripts a test uses. */
const variantOf = ({ target, context, data, fixturesFile, screen, world }: TestWishes): string =>
  `${targetText(target)} ${contextText(context)} ${data?.place ?? "no data"}${world?.walks === true ? " walking" : ""}${fixturesFile === undefined ? "" : ` ${fixturesFile}`}${screen === undefined ? "" : ` ${JSON.stringify(screen)}`}`;

/** The folder of `--data`, if there is one. All tests depend on its files. */
export const dataFolders = ({ data }: TestWishes): readonly string[] =>
  data === undefined || data.place === MEMORY ? [] : [resolve(data.place)];

const filesOf = ({ file, namesakes }: RojoScript): readonly string[] => [file, ...(namesakes ?? [])];

/** The settings, the fixtures and the files of `--data`. A file that cannot be read is left out, because its reader reports the error later. */
async function otherFilesAsync(
  wishes: TestWishes,
): Promise<readonly { readonly file: string; readonly content: Uint8Array }[]> {
  const { settingsFile, fixturesFile } = wishes;
  const [data = ""] = dataFolders(wishes);
  const names = await readdir(data).catch((): string[] => []);
  const stores = names.filter((name) => name.endsWith(".json")).map((name) => join(data, name));
  const files = [...[settingsFile, fixturesFile].flatMap((file) => file ?? []), ...stores];
  const contents = files.map((file) => readFile(file).then((content) => ({ file, content })));
  return (await Promise.allSettled(contents)).flatMap((each) =>
    each.status === "fulfilled" ? [each.value] : [],
  );
}

export interface SetupScript {
  readonly file: string;
  readonly name: string;
  readonly source: string;
  readonly timeoutMs: number;
}

async function setupScriptAsync(
  file: string,
  { fileTimeoutMs: timeoutMs }: Pick<TestWishes, "fileTimeoutMs">,
): Promise<SetupScript> {
  if (await access(file).then(no, yes))
    throw invalidInput(`There is no set-up script ${file}.`, "Fix test.setup in sb.config.json.");
  const { text } = await readScriptFileAsync(file);
  return { file, name: basename(file), source: text, timeoutMs };
}

async function adapterTextAsync(file: string): Promise<string> {
  if (await access(file).then(no, yes))
    throw invalidInput(`There is no adapter ${file}.`, "Fix test.adapter in sb.config.json.");
  return (await readScriptFileAsync(file)).text;
}

const yes = (): boolean => true;
const no = (): boolean => false;

/** Throws if a file of the run lies outside of the folders of an agent. */
async function checkReadAsync(
  { folder, placeFile, setup, adapter }: TestWishes,
  place: OpenedPlace | undefined,
  files: readonly TestFile[],
  surface: TestSurface,
): Promise<void> {
  const read = place?.sources;
  const scripts = [...(read?.scripts.values() ?? [])].map(({ file }) => file);
  const ofPlace = [...(read?.files ?? []), ...(read?.folders ?? []), ...scripts];
  const tests = files.map(({ absolutePath }) => absolutePath);
  await surface.checkSourcesAsync(placeFile ?? folder, [
    folder,
    ...ofPlace,
    ...tests,
    ...setup,
    ...(adapter === undefined ? [] : [adapter]),
  ]);
}
