/** Reads the facts about a folder on which the set-up of its tests depends. */
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findProjectFileAsync, type FoundProjectFile } from "../project/find-project-file.ts";
import { settingsIn } from "../project/project-settings.ts";
import { type SuiteSettings, testSettingsIn } from "../project/test-settings.ts";
import { type OpenedPlace, readPlaceAsync } from "../headless/index.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { DEFAULT_PROJECTS } from "../roblox/rojo/files.ts";
import { hasTestEz } from "../testing/discovery/discover.ts";
import { DEFAULT_INCLUDE, type FilePatterns, findTestFilesAsync } from "../testing/discovery/find-files.ts";
import { pathInside } from "../util/path-inside.ts";
import { isOfCompiler, type TypeScriptFacts, typeScriptFactsAsync } from "./typescript-facts.ts";

export interface ProjectFacts {
  /** The path of `default.project.json`, if there is one. */
  readonly projectFile?: string;
  /** The reason why the project cannot be opened, such as missing packages. */
  readonly fault?: string;
  /** Mounted folders without packages; relative, with slashes, the most likely folder for tests first. */
  readonly sourceFolders: readonly string[];
  readonly hasTestEz: boolean;
  /** The names that lead to JestGlobals in the place. */
  readonly jestGlobals?: readonly string[];
  /** Folders that contain a `jest.config`. */
  readonly jestFolders: readonly string[];
  /** Of a project of roblox-ts. */
  readonly typeScript?: TypeScriptFacts;
  readonly usesWally: boolean;
  /** The rules by which `sb test` finds tests here. */
  readonly patterns: FilePatterns;
  readonly testFiles: readonly string[];
  /** The text of `.gitignore`, if there is one. */
  readonly gitIgnore?: string;
  /** The text of `.mcp.json`. */
  readonly mcpText?: string;
  /** A workflow that already runs `sb test`. */
  readonly workflow?: string;
  /** The folder of the repository, if it is above this one. */
  readonly repository?: string;
  /** The reason why `sb test` cannot read the `sb.config.json` of this folder. */
  readonly settingsFault?: string;
  /** An `sb.config.json` above this folder, which a new one here would replace. */
  readonly outerSettings?: string;
}

const DEFAULT_PATTERNS: FilePatterns = { include: DEFAULT_INCLUDE, exclude: [] };

const PACKAGES =
  /(?:^|\/)(?:Packages|DevPackages|ServerPackages|roblox_packages|node_modules|include)(?:\/|$)/;

export async function projectFactsAsync(folder: string): Promise<ProjectFacts> {
  const names = await readdir(folder).catch((): string[] => []);
  const projectFile = DEFAULT_PROJECTS.find((name) => names.includes(name));
  const opened = projectFile === undefined ? undefined : await openedAsync(join(folder, projectFile));
  const place = opened instanceof StudioBridgeError ? undefined : opened;
  const scripts = [...(place?.sources.scripts.values() ?? [])];
  const [jestGlobals] = (place?.modulesNamed("JestGlobals") ?? []).toSorted(
    (one, other) => one.length - other.length,
  );
  const inside = (path: string): string => pathInside(folder, path);
  const workflow = await workflowAsync(folder);
  const gitIgnore = await readFile(join(folder, ".gitignore"), "utf8").catch(() => undefined);
  const mcpText = await readFile(join(folder, ".mcp.json"), "utf8").catch(() => undefined);
  const typeScript = await typeScriptFactsAsync(folder);
  const { patterns = DEFAULT_PATTERNS, ...outer } = await outerFactsAsync(folder);
  return {
    ...(projectFile === undefined ? {} : { projectFile }),
    ...(opened instanceof StudioBridgeError ? { fault: opened.message } : {}),
    sourceFolders: sourceFoldersOf((place?.sources.folders ?? []).map(inside)),
    hasTestEz: place !== undefined && hasTestEz(place),
    ...(jestGlobals === undefined ? {} : { jestGlobals }),
    jestFolders: scripts.flatMap(({ file, names: path }) =>
      path.at(-1) === "jest.config" ? [inside(join(file, ".."))] : [],
    ),
    ...(typeScript === undefined ? {} : { typeScript }),
    usesWally: names.includes("wally.toml"),
    ...(gitIgnore === undefined ? {} : { gitIgnore }),
    ...(mcpText === undefined ? {} : { mcpText }),
    patterns,
    testFiles: await ownTestFilesAsync(folder, patterns, typeScript),
    ...(workflow === undefined ? {} : { workflow }),
    ...outer,
  };
}

/** Without compiled tests, because the compiler takes them away with their sources. */
async function ownTestFilesAsync(
  folder: string,
  patterns: FilePatterns,
  typeScript: TypeScriptFacts | undefined,
): Promise<readonly string[]> {
  const found = await findTestFilesAsync(folder, patterns);
  if (typeScript === undefined) return found;
  return [...typeScript.testFiles, ...found.filter((path) => !isOfCompiler(path, typeScript))];
}

/** What the settings and the folders above say. */
async function outerFactsAsync(
  folder: string,
): Promise<
  Pick<ProjectFacts, "repository" | "outerSettings" | "settingsFault"> & { readonly patterns?: FilePatterns }
> {
  const repository = await repositoryOfAsync(folder);
  const settings = await findProjectFileAsync(folder);
  const isOuter = settings !== undefined && dirname(settings.file) !== folder;
  const { patterns, ...fault } = settings === undefined ? {} : factsOfSettings(settings);
  return {
    ...(repository === undefined || repository === folder ? {} : { repository }),
    ...(isOuter ? { outerSettings: settings.file } : {}),
    ...fault,
    // Patterns of settings above are about paths below those settings, and a new file takes their place.
    ...(patterns === undefined || isOuter ? {} : { patterns }),
  };
}

function factsOfSettings(settings: FoundProjectFile): {
  readonly patterns?: FilePatterns;
  readonly settingsFault?: string;
} {
  try {
    // The setting that every run of tests uses.
    void settingsIn(settings).data;
    return { patterns: { ...DEFAULT_PATTERNS, ...patternsIn(testSettingsIn(settings)) } };
  } catch (error) {
    return { settingsFault: error instanceof Error ? error.message : String(error) };
  }
}

const patternsIn = ({ include, exclude }: SuiteSettings): Partial<FilePatterns> => ({
  ...(include === undefined ? {} : { include }),
  ...(exclude === undefined ? {} : { exclude }),
});

/** The nearest folder with `.git`. In an additional work tree, `.git` is a file. */
async function repositoryOfAsync(folder: string): Promise<string | undefined> {
  const isHere = await stat(join(folder, ".git")).then(
    () => true,
    () => false,
  );
  const above = dirname(folder);
  return isHere ? folder : above === folder ? undefined : repositoryOfAsync(above);
}

const openedAsync = (file: string): Promise<OpenedPlace | StudioBridgeError> =>
  readPlaceAsync(file).catch((error: unknown) => {
    if (error instanceof StudioBridgeError) return error;
    throw error;
  });

/** Sorts folders. Those that server and client share come first, because most tests are about them. */
function sourceFoldersOf(folders: readonly string[]): readonly string[] {
  const own = folders.filter((path) => path !== "" && !path.startsWith("..") && !PACKAGES.test(path));
  const rank = (path: string): number => (/shared|common/i.test(path) ? 0 : 1);
  return own.toSorted((one, other) => rank(one) - rank(other));
}

async function workflowAsync(folder: string): Promise<string | undefined> {
  const workflows = ".github/workflows";
  const names = await readdir(join(folder, workflows)).catch((): string[] => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, workflows, name);
      if (!(await stat(file)).isFile()) return undefined;
      return /\bsb test\b/.test(await readFile(file, "utf8")) ? `${workflows}/${name}` : undefined;
    }),
  );
  return found.find((path) => path !== undefined);
}
