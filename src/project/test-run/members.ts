/** Finds the projects of a run of tests: the one of the caller's folder, or several below it, each with its own settings. */
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { remark } from "../../output/remark.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { findNamedAsync, findTestFilesAsync, DEFAULT_INCLUDE } from "../../testing/discovery/find-files.ts";
import type { Member } from "../../testing/project/several/member.ts";
import type { SeveralWishes } from "../../testing/project/several/run-several.ts";
import { isWithin } from "../../util/path-inside.ts";
import { nearest } from "../../util/nearest.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { findProjectFileAsync, type FoundProjectFile, PROJECT_FILE } from "../find-project-file.ts";
import { settingsIn } from "../project-settings.ts";
import { projectFolderAsync } from "../project-folder.ts";
import { projectKeysIn, suiteNamesIn } from "../test-settings.ts";
import { withOwnFolders } from "./coverage-wishes.ts";
import { readProjectWishesAsync, type WishesCaller, type WishesRead } from "./read-wishes.ts";
import type { TestInput } from "./test-input.ts";

/** Several members, with what was read for each of them. */
export interface SeveralRead extends SeveralWishes {
  readonly reads: readonly WishesRead[];
}

/** A project among several. */
interface Chosen {
  readonly found: FoundProjectFile;
  readonly name: string;
  /** Relative to the folder of the run; empty for that folder itself. */
  readonly path: string;
  /** Words of the caller that are for this project. */
  readonly files: readonly string[];
}

/** Undefined for a run of one project with at most one suite. Throws INVALID_INPUT if settings or words do not fit. */
export async function readSeveralAsync(
  input: TestInput,
  caller: WishesCaller,
): Promise<SeveralRead | undefined> {
  const start = await projectFolderAsync(caller);
  const found = await findProjectFileAsync(start);
  const folder = found === undefined ? start : dirname(found.file);
  const all = await projectsAsync(folder, start, found, input, caller);
  if (all.length === 0 && input.onlyProject.length > 0)
    throw invalidInput(
      "--only-project: there is one project here.",
      "It chooses among several: name their folders in test.projects of sb.config.json.",
    );
  const own = found === undefined ? [] : [{ found, name: "", path: "", files: input.files }];
  const chosen =
    all.length > 0 ? withWords(chosenOf(all, input.onlyProject), input.files, { folder, start }) : own;
  if (all.length === 0 && input.suite.length < 2) return undefined;
  checkWords(input, all.length > 0);
  const read = await Promise.all(
    chosen.flatMap((project) =>
      suitesOf(project, chosen, input.suite).map(async (suite) => {
        const words = {
          ...withoutFilledIn(input, start, found),
          files: [...project.files],
          suite: suite ?? [],
        };
        const own = { start: join(folder, project.path), found: project.found };
        const each = await readProjectWishesAsync(words, caller, own);
        return { project, suite: input.suite.length > 1 ? suite?.[0] : undefined, each };
      }),
    ),
  );
  const members = withOwnFolders(read.map(({ project, suite, each }) => memberOf(project, suite, each)));
  checkTargets(members);
  const [first, ...others] = members;
  if (first === undefined)
    throw invalidInput(
      "None of the chosen projects has these files.",
      "Leave out --only-project, or the files.",
    );
  return {
    folder,
    members: [first, ...others],
    reads: read.map(({ each }) => each),
    again: againOf(first, input),
  };
}

function memberOf({ name, path }: Chosen, suite: string | undefined, { wishes }: WishesRead): Member {
  const label = [name, suite].filter(Boolean).join(" ");
  return {
    name: name === "" ? path : name,
    prefix: path === "" ? "" : `${path}/`,
    ...(suite === undefined ? {} : { suite }),
    wishes: { ...wishes, part: label },
  };
}

/** The command of one member, with the words that choose among several. */
function againOf({ wishes: { again } }: Member, { onlyProject, suite }: TestInput): string {
  const suites = suite.slice(1).map((name) => `--suite ${name}`);
  return [again, ...suites, ...onlyProject.map((name) => `--only-project ${name}`)].join(" ");
}

/** The projects below; none if the run has only that of the folder itself. */
async function projectsAsync(
  folder: string,
  start: string,
  found: FoundProjectFile | undefined,
  input: TestInput,
  caller: WishesCaller,
): Promise<readonly Chosen[]> {
  const { projects } = found === undefined ? {} : projectKeysIn(found);
  const isOne = found !== undefined && projects === undefined;
  if (isOne && !input.files.some((word) => mayBePath(word, start))) return [];
  const nested = isOne ? await nestedOfAsync(input.files, start, found) : await belowAsync(folder);
  const fitting = projects === undefined ? nested : matching(nested, projects, found);
  const all = fitting.map((file) => ({ file, path: relative(folder, dirname(file)).replaceAll("\\", "/") }));
  if (isOne && all.length > 0) all.push({ file: found.file, path: "" });
  if (all.length === 0) return [];
  const opened = await Promise.all(all.map(({ path }) => findProjectFileAsync(join(folder, path))));
  const named = opened.flatMap((each, index) => {
    if (each === undefined) return [];
    const path = all[index]?.path ?? "";
    const { name = path, hasTests } = projectKeysIn(each);
    return hasTests || projects !== undefined || path === "" ? [{ found: each, name, path }] : [];
  });
  if (named.length === 0) return [];
  checkNames(named);
  if (!isOne && input.files.length + input.onlyProject.length === 0)
    await tellLooseAsync(
      folder,
      named.map(({ path }) => path),
      caller,
    );
  return named.map((project) => ({ ...project, files: [] }));
}

const mayBePath = (word: string, start: string): boolean => existsSync(resolve(start, pathIn(word)));

/** A word without its line. */
const pathIn = (word: string): string => word.replace(/:\d+$/, "");

/** The settings below a folder that have tests. */
async function belowAsync(folder: string): Promise<readonly string[]> {
  const paths = await findNamedAsync(folder, PROJECT_FILE);
  return paths.filter((path) => path !== PROJECT_FILE).map((path) => join(folder, path));
}

/** The nearest settings of each file or folder that the caller names, if they are others than those of the folder. */
async function nestedOfAsync(
  words: readonly string[],
  start: string,
  own: FoundProjectFile,
): Promise<readonly string[]> {
  const paths = words.filter((word) => mayBePath(word, start)).map((word) => resolve(start, pathIn(word)));
  const found = await Promise.all(paths.map((path) => findProjectFileAsync(path)));
  const others = found.flatMap((each) =>
    each === undefined || each.file === own.file || !isWithin(dirname(own.file), dirname(each.file))
      ? []
      : projectKeysIn(each).hasTests
        ? [each.file]
        : [],
  );
  return [...new Set(others)];
}

/** Throws INVALID_INPUT for a pattern that no project fits. */
function matching(
  files: readonly string[],
  patterns: readonly string[],
  found: FoundProjectFile | undefined,
): readonly string[] {
  const root = dirname(found?.file ?? "");
  const pathOf = (file: string): string => relative(root, dirname(file)).replaceAll("\\", "/");
  const globs = patterns.map((pattern) => ({
    pattern,
    glob: new Bun.Glob(pattern.replace(/\/$/, "").replace(/\/sb\.config\.json$/, "")),
  }));
  const empty = globs.find(({ glob }) => !files.some((file) => glob.match(pathOf(file))));
  if (empty !== undefined)
    throw invalidInput(
      `test.projects: no folder with an ${PROJECT_FILE} fits ${visibleOnOneLine(empty.pattern)}.`,
      `Each project has an ${PROJECT_FILE} in its folder; {} is enough.`,
    );
  return files.filter((file) => globs.some(({ glob }) => glob.match(pathOf(file))));
}

function checkNames(projects: readonly { readonly name: string; readonly path: string }[]): void {
  for (const [at, { name, path }] of projects.entries()) {
    const other = projects.slice(0, at).find((each) => each.name === name);
    if (other === undefined) continue;
    throw invalidInput(
      `Two projects have the name ${visibleOnOneLine(name)}: ${other.path} and ${path}.`,
      `Give one of them another test.name in its ${PROJECT_FILE}.`,
    );
  }
}

interface Places {
  readonly folder: string;
  readonly start: string;
}

/** A word that is a path belongs to the project in which the path lies; any other word is a part of paths of all projects. */
function withWords(
  projects: readonly Chosen[],
  words: readonly string[],
  { folder, start }: Places,
): readonly Chosen[] {
  if (words.length === 0) return projects;
  const files = new Map<string, string[]>(projects.map(({ path }) => [path, []]));
  for (const word of words) {
    const path = resolve(start, pathIn(word));
    const isPath = existsSync(path);
    const within = projects.filter(
      (project) => isPath && isWithin(join(folder, project.path), path) && project.path !== "",
    );
    const around = projects.filter((project) => isPath && isWithin(path, join(folder, project.path)));
    const deepest = within.toSorted((one, other) => other.path.length - one.path.length)[0];
    const own = projects.filter((project) => isPath && project.path === "");
    const takers = deepest !== undefined ? [deepest] : around.length > 0 ? around : isPath ? own : projects;
    // A folder around a project means all of its tests.
    for (const taker of takers) {
      const isAll = taker !== deepest && around.includes(taker);
      const own = isAll ? join(folder, taker.path) : `${path}${word.slice(pathIn(word).length)}`;
      files.get(taker.path)?.push(isPath ? own : partIn(taker, word, join(folder, taker.path)));
    }
  }
  return projects
    .map((project) => ({ ...project, files: files.get(project.path) ?? [] }))
    .filter((project) => project.files.length > 0);
}

/** A part of paths from the folder of the run, as the project knows it: `cart/src` is `src` in the project `packages/cart`. */
function partIn({ path }: Chosen, word: string, folder: string): string {
  const [prefix, text] = [`${path}/`.toLowerCase(), word.toLowerCase()];
  if (path !== "" && text.includes("/") && prefix.includes(text)) return folder;
  const lengths = Array.from({ length: word.length }, (_, index) => word.length - index);
  const length = lengths.find((each) => text[each - 1] === "/" && prefix.endsWith(text.slice(0, each))) ?? 0;
  return word.slice(length);
}

function chosenOf(all: readonly Chosen[], names: readonly string[]): readonly Chosen[] {
  const unknown = names.find((name) => !all.some((project) => project.name === name));
  if (unknown !== undefined) {
    const known = all.map(({ name }) => name);
    const guess = nearest(unknown, known);
    throw invalidInput(
      `--only-project: there is no project ${unknown}${guess === undefined ? "" : `; did you mean ${guess}?`}`,
      `Projects: ${known.map(visibleOnOneLine).join(", ")}.`,
    );
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

/** The suites in which a project runs. A project without a suite is left out where another one has it. */
function suitesOf(
  { found }: Chosen,
  all: readonly Chosen[],
  names: readonly string[],
): readonly ([string] | undefined)[] {
  if (names.length === 0) return [undefined];
  const isKnown = (name: string, project: FoundProjectFile): boolean => suiteNamesIn(project).includes(name);
  return [...new Set(names)]
    .filter((name) => isKnown(name, found) || !all.some((other) => isKnown(name, other.found)))
    .map((name): [string] => [name]);
}

/** The command line has filled in settings of the caller's folder, which are not those of each project. */
function withoutFilledIn(input: TestInput, start: string, found: FoundProjectFile | undefined): TestInput {
  const { data, fixtures, viewport, insets, device } = found === undefined ? {} : settingsIn(found);
  const own = typed(input.fixtures, fixtures);
  return {
    ...input,
    data: typed(input.data, data),
    fixtures: own === undefined ? undefined : resolve(start, own),
    viewport: typed(input.viewport, viewport),
    insets: typed(input.insets, insets),
    device: typed(input.device, device),
  };
}

const typed = <T>(word: T | undefined, setting: unknown): T | undefined =>
  word === setting ? undefined : word;

function checkWords({ place }: TestInput, areProjects: boolean): void {
  if (place !== undefined && areProjects)
    throw invalidInput(
      "Cannot use --place with several projects, because each has a place of its own.",
      "Choose one project: --only-project NAME, or run the tests in its folder.",
    );
}

function checkTargets(members: readonly Member[]): void {
  const inStudio = members.find(({ wishes }) => wishes.target.kind === "studio");
  if (inStudio === undefined || members.length < 2) return;
  throw invalidInput(
    "Cannot use --on studio with several projects or suites, because a Studio has one place.",
    "Choose one: --only-project NAME, or one --suite.",
  );
}

/** Tests that belong to none of the projects would be missed without a word. */
async function tellLooseAsync(
  folder: string,
  projects: readonly string[],
  { emit }: WishesCaller,
): Promise<void> {
  const tests = await findTestFilesAsync(folder, { include: DEFAULT_INCLUDE, exclude: [] });
  const loose = tests.filter((path) => !projects.some((project) => path.startsWith(`${project}/`)));
  if (loose.length === 0) return;
  const [first = ""] = loose;
  const more = loose.length > 1 ? ` and ${loose.length - 1} more` : "";
  emit(
    remark(
      `These tests belong to none of the projects, so they do not run: ${visibleOnOneLine(first)}${more}.`,
      "yellow",
    ),
  );
}
