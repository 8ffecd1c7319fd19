/** From a folder and its place to the test files: which there are, where in the place each is, and what runs it. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { OpenedPlace } from "../../headless/index.ts";
import type { Framework } from "../events.ts";
import type { FileOfScript } from "../frames.ts";
import type { TestContext } from "../test-context.ts";
import type { TestFile } from "../test-file.ts";
import { contextFor } from "./fixed-context.ts";
import { type FilePatterns, findTestFilesAsync } from "./find-files.ts";
import { frameworkOf, type PlaceFacts } from "./framework.ts";
import { frameworkScripts, type IsOfFramework } from "./framework-scripts.ts";
import { StringRequires } from "./string-requires.ts";
import { pathInside } from "../../util/path-inside.ts";

export interface Discovered {
  readonly files: readonly TestFile[];
  readonly fileOfScript: FileOfScript;
  readonly isOfFramework: IsOfFramework;
}

type Scripts = OpenedPlace["sources"]["scripts"];

export interface DiscoveryWishes extends FilePatterns {
  /** What runs all files, where the settings name it. */
  readonly framework?: Framework | undefined;
  /** Where files run that do not choose their own context. */
  readonly context: TestContext;
}

/** `place` is undefined where tests run in an empty one. */
export async function discoverAsync(
  folder: string,
  place: OpenedPlace | undefined,
  { framework, context, ...patterns }: DiscoveryWishes,
): Promise<Discovered> {
  const scripts: Scripts = place?.sources.scripts ?? new Map();
  const namesOf = new Map<string, readonly string[]>();
  // A file that the project mounts twice is run where it is mounted first.
  for (const { file, names } of scripts.values())
    if (!namesOf.has(resolve(file))) namesOf.set(resolve(file), names);
  const facts = factsOf(place);
  const requires = new StringRequires(folder, (file) => namesOf.get(file));
  const paths = await findTestFilesAsync(folder, patterns);
  const files = await Promise.all(
    paths.map(async (path): Promise<TestFile> => {
      const absolutePath = join(folder, path);
      const instance = namesOf.get(absolutePath);
      const source = await readFile(absolutePath, "utf8").catch(() => "");
      const found =
        framework === undefined
          ? frameworkOf(source, instance, facts)
          : { framework, why: "sb.config.json says so" };
      const file = { path, absolutePath, ...found, ...contextFor(source, context) };
      return instance === undefined
        ? { ...file, modules: await requires.modulesOfAsync(path) }
        : { ...file, instance };
    }),
  );
  return {
    files,
    fileOfScript: fileFinder(folder, scripts),
    isOfFramework: frameworkScripts(folder, place),
  };
}

function factsOf(place: OpenedPlace | undefined): PlaceFacts {
  const configs = place?.modulesNamed("jest.config") ?? [];
  return {
    hasTestEz: place !== undefined && hasTestEz(place),
    jestProjects: new Set(configs.map((names) => names.slice(0, -1).join("\0"))),
  };
}

/** By a module of the package, which other packages of its name do not have. */
export const hasTestEz = (place: OpenedPlace): boolean => place.modulesNamed("TestPlanner").length > 0;

/** Luau names a script by its full name, and a script that was loaded from its text by what the harness calls it. */
function fileFinder(folder: string, scripts: Scripts): FileOfScript {
  return (fullName) => {
    const file = scripts.get(fullName)?.file;
    return file === undefined ? undefined : pathInside(folder, file);
  };
}
