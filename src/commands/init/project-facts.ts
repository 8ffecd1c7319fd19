/** Reads the facts about a folder on which the set-up of its tests depends. */
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findProjectFileAsync, type FoundProjectFile } from "../../command/project/find-project-file.ts";
import { settingsIn } from "../../command/project/project-settings.ts";
import { testSettingsIn } from "../../command/project/test-settings.ts";
import { type OpenedPlace, readPlaceAsync } from "../../headless/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { DEFAULT_PROJECTS } from "../../roblox/rojo/files.ts";
import { hasTestEz } from "../../testing/discovery/discover.ts";
import { DEFAULT_INCLUDE, findTestFilesAsync } from "../../testing/discovery/find-files.ts";
import { pathInside } from "../../util/path-inside.ts";

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
  readonly isRobloxTs: boolean;
  readonly usesWally: boolean;
  readonly testFiles: readonly string[];
  /** A workflow that already runs `sb test`. */
  readonly workflow?: string;
  /** The folder of the repository, if it is above this one. */
  readonly repository?: string;
  /** The reason why `sb test` cannot read the `sb.config.json` of this folder. */
  readonly settingsFault?: string;
  /** An `sb.config.json` above this folder, which a new one here would replace. */
  readonly outerSettings?: string;
}

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
  return {
    ...(projectFile === undefined ? {} : { projectFile }),
    ...(opened instanceof StudioBridgeError ? { fault: opened.message } : {}),
    sourceFolders: sourceFoldersOf((place?.sources.folders ?? []).map(inside)),
    hasTestEz: place !== undefined && hasTestEz(place),
    ...(jestGlobals === undefined ? {} : { jestGlobals }),
    jestFolders: scripts.flatMap(({ file, names: path }) =>
      path.at(-1) === "jest.config" ? [inside(join(file, ".."))] : [],
    ),
    isRobloxTs: await isRobloxTsAsync(folder),
    usesWally: names.includes("wally.toml"),
    testFiles: await findTestFilesAsync(folder, { include: DEFAULT_INCLUDE, exclude: [] }),
    ...(workflow === undefined ? {} : { workflow }),
    ...(await outerFactsAsync(folder)),
  };
}

async function outerFactsAsync(
  folder: string,
): Promise<Pick<ProjectFacts, "repository" | "outerSettings" | "settingsFault">> {
  const repository = await repositoryOfAsync(folder);
  const settings = await findProjectFileAsync(folder);
  return {
    ...(repository === undefined || repository === folder ? {} : { repository }),
    ...(settings === undefined || dirname(settings.file) === folder ? {} : { outerSettings: settings.file }),
    ...(settings === undefined ? {} : settingsFaultOf(settings)),
  };
}

function settingsFaultOf(settings: FoundProjectFile): Pick<ProjectFacts, "settingsFault"> {
  try {
    settingsIn(settings);
    testSettingsIn(settings);
    return {};
  } catch (error) {
    return { settingsFault: error instanceof Error ? error.message : String(error) };
  }
}

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

async function isRobloxTsAsync(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "");
  return /"(?:roblox-ts|@rbxts\/compiler-types)"\s*:/.test(text);
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
