/** Finds the test files of a project: their paths, their Instances in the place, and the framework of each. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { OpenedPlace } from "../../headless/index.ts";
import type { Framework } from "../events.ts";
import type { FileOfScript } from "../frames.ts";
import type { TestContext } from "../test-context.ts";
import type { AdapterModule, TestFile } from "../test-file.ts";
import { contextFor } from "./fixed-context.ts";
import { type FilePatterns, findTestFilesAsync, isNamed } from "./find-files.ts";
import { frameworkOf, type PlaceFrameworks } from "./framework.ts";
import { frameworkScripts, type IsOfFramework } from "./framework-scripts.ts";
import { withoutSameFilesAsync } from "./same-files.ts";
import { withoutNestedAsync } from "./nested-projects.ts";
import { StringRequires } from "./string-requires.ts";
import { pathInside } from "../../util/path-inside.ts";

export interface Discovered {
  readonly files: readonly TestFile[];
  readonly fileOfScript: FileOfScript;
  readonly isOfFramework: IsOfFramework;
  /** Links to nothing that may have led to tests. */
  readonly danglingLinks: readonly string[];
  /** Folders that are projects of their own, whose tests are left out. */
  readonly nested: readonly string[];
}

type Scripts = OpenedPlace["sources"]["scripts"];

export interface DiscoveryWishes extends FilePatterns {
  /** The framework of all files, if the settings name one. */
  readonly framework?: Framework | undefined;
  /** The module that lists the cases of all files, as an absolute path. */
  readonly adapter?: string | undefined;
  /** The context of files that do not choose their own. */
  readonly context: TestContext;
  /** The path of the settings; files below another one that has tests belong to that. */
  readonly settingsFile?: string | undefined;
}

/** `place` is undefined if the tests run in an empty place. */
export async function discoverAsync(
  folder: string,
  place: OpenedPlace | undefined,
  { framework, adapter, context, settingsFile, ...patterns }: DiscoveryWishes,
  signal?: AbortSignal,
): Promise<Discovered> {
  const scripts: Scripts = place?.sources.scripts ?? new Map();
  const mounted = new Set(place?.sources.folders);
  const namesOf = new Map<string, readonly string[]>();
  // If the project mounts a file twice, the file runs as the first of the two scripts.
  for (const { file, names } of scripts.values())
    if (!namesOf.has(resolve(file))) namesOf.set(resolve(file), names);
  const frameworks = frameworksOf(place);
  const requires = new StringRequires(folder, (file) => namesOf.get(file));
  const isMounted = (path: string): boolean => mounted.has(join(folder, path));
  const danglingLinks: string[] = [];
  const onDangling = (path: string): void => void danglingLinks.push(path);
  const all = await findTestFilesAsync(folder, patterns, { signal, isMounted, onDangling });
  const { own: found, nested } = await withoutNestedAsync(folder, all, settingsFile);
  const own = found.filter((path) => adapter === undefined || join(folder, path) !== adapter);
  const paths = await withoutSameFilesAsync(folder, own, (path) =>
    isNamed(path, patterns) ? 0 : namesOf.has(join(folder, path)) ? 1 : 2,
  );
  const shared = await adapterAsync(folder, adapter, requires, namesOf);
  const files = await Promise.all(
    paths.map(async (path): Promise<TestFile> => {
      const absolutePath = join(folder, path);
      const instance = namesOf.get(absolutePath);
      const source = await readFile(absolutePath, "utf8").catch(() => "");
      const choice =
        shared !== undefined
          ? { framework: "adapter" as const, why: "sb.config.json names an adapter", adapter: shared }
          : framework === undefined
            ? { ...frameworkOf(source, instance, frameworks), isGuessed: true }
            : { framework, why: "sb.config.json says so" };
      const file = { path, absolutePath, ...choice, ...contextFor(source, context) };
      return instance === undefined
        ? { ...file, modules: await requires.modulesOfAsync(path) }
        : { ...file, instance };
    }),
  );
  return {
    files,
    fileOfScript: fileFinder(folder, scripts),
    isOfFramework: frameworkScripts(folder, place),
    danglingLinks: danglingLinks.sort(),
    nested,
  };
}

async function adapterAsync(
  folder: string,
  adapter: string | undefined,
  requires: StringRequires,
  namesOf: ReadonlyMap<string, readonly string[]>,
): Promise<AdapterModule | undefined> {
  if (adapter === undefined) return undefined;
  const file = pathInside(folder, adapter);
  const instance = namesOf.get(adapter);
  return instance === undefined ? { file, modules: await requires.modulesOfAsync(file) } : { file, instance };
}

function frameworksOf(place: OpenedPlace | undefined): PlaceFrameworks {
  const configs = place?.modulesNamed("jest.config") ?? [];
  return {
    hasTestEz: place !== undefined && hasTestEz(place),
    jestProjects: new Set(configs.map((names) => names.slice(0, -1).join("\0"))),
  };
}

/** True if the place has TestEZ, which the driver too knows by two modules beside each other (`harness/TestEZ.luau`). */
export function hasTestEz(place: Pick<OpenedPlace, "modulesNamed">): boolean {
  const parentsOf = (name: string): readonly string[] =>
    place.modulesNamed(name).map((names) => names.slice(0, -1).join("\0"));
  const runners = new Set(parentsOf("TestRunner"));
  return parentsOf("TestPlanner").some((parent) => runners.has(parent));
}

/** Finds the file of a script by its full name in the place, which is the name that stacks show. */
function fileFinder(folder: string, scripts: Scripts): FileOfScript {
  return (fullName) => {
    const file = scripts.get(fullName)?.file;
    return file === undefined ? undefined : pathInside(folder, file);
  };
}
