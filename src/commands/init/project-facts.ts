/** What a folder has that decides how its tests are set up. It is only read. */
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
  /** `default.project.json`, where there is one. */
  readonly projectFile?: string;
  /** Why its project cannot be opened, such as packages that are not installed. */
  readonly fault?: string;
  /** Folders that the project mounts, without those of packages; relative, with slashes, the likeliest for tests first. */
  readonly sourceFolders: readonly string[];
  readonly hasTestEz: boolean;
  /** The names of Jest's globals in the place. */
  readonly jestGlobals?: readonly string[];
  /** Folders with a `jest.config`. */
  readonly jestFolders: readonly string[];
  readonly isRobloxTs: boolean;
  readonly usesWally: boolean;
  readonly testFiles: readonly string[];
  /** The workflow that runs `sb test` already. */
  readonly workflow?: string;
  /** The folder of the repository, where it is above this one. */
  readonly repository?: string;
  /** Why `sb test` cannot read the `sb.config.json` of this folder. */
  readonly settingsFault?: string;
  /** An `sb.config.json` above this folder, which a new one would take the place of. */
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

/** The nearest folder with `.git`, which is a file in a work tree of its own. */
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

/** What server and client share comes first, because most tests are about that. */
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
