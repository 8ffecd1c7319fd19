/** Lists the folders and files that a watch observes. */
import { lstat, readdir } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { isPackageFile } from "../../discovery/find-files.ts";
import type { WatchedPaths } from "../../../files/project-watch.ts";
import { Git } from "../../../util/git.ts";
import { isBelow } from "../../../util/path-inside.ts";
import { dataFolders, type OpenedProject } from "../open-project.ts";
import type { TestWishes } from "../test-wishes.ts";

const GIT_TIMEOUT_MS = 10_000;

/** Folders that git ignores and folders of packages are watched only if the place contains files of them. */
export async function watchedPathsAsync(
  wishes: TestWishes,
  { place, setup, contents }: OpenedProject,
): Promise<WatchedPaths> {
  const { folder, settingsFile, placeFile, fixturesFile } = wishes;
  const names = await ownFoldersAsync(folder);
  const { folders = [], files = [], scripts } = place?.sources ?? {};
  // The sources always list the folder of the project file, but it belongs to the place only if a script lies in it.
  const isMounted = [...(scripts?.values() ?? [])].some(({ file }) => dirname(file) === folder);
  const ofPlace = folders.filter((path) => path !== folder || isMounted);
  return {
    folders: [...names.map((name) => join(folder, name)), ...ofPlace, ...dataFolders(wishes)].sort(),
    links: await linksAsync(
      [folder, ...folders],
      [...contents.hashes.keys()].map((path) => resolve(folder, path)),
    ),
    shallow: [folder],
    files: [
      join(folder, "sb.config.json"),
      ...[settingsFile, placeFile, fixturesFile].flatMap((file) => file ?? []),
      ...files,
      ...setup.map(({ file }) => file),
    ].map((file) => resolve(file)),
  };
}

/** The links to folders through which the paths of these files lead, below one of the roots. */
async function linksAsync(roots: readonly string[], files: readonly string[]): Promise<readonly string[]> {
  const folders = new Set<string>();
  const isInside = (path: string): boolean => roots.some((root) => isBelow(root, path));
  for (const file of files)
    for (let path = dirname(file); isInside(path) && !folders.has(path); path = dirname(path))
      folders.add(path);
  const links = await Promise.all(
    [...folders].map(async (path) => {
      const info = await lstat(path).catch(() => undefined);
      return info?.isSymbolicLink() === true ? [path] : [];
    }),
  );
  return links.flat().sort();
}

/** The folders directly below the project's folder, without hidden ones, packages and those that git ignores. */
async function ownFoldersAsync(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const program = Bun.which("git");
  const git = program === null ? undefined : new Git(program, folder, AbortSignal.timeout(GIT_TIMEOUT_MS));
  const listed = await git?.filesAsync().catch(() => undefined);
  const own = listed === undefined ? undefined : new Set(listed.map((path) => path.split("/")[0]));
  return names.filter(
    (name) => !name.startsWith(".") && !isPackageFile(name) && (own === undefined || own.has(name)),
  );
}

/** True for a new file that may belong to the place or be a test. */
export function mayBelong(
  path: string,
  { folder }: TestWishes,
  { place }: OpenedProject,
  isTest: (path: string) => boolean,
): boolean {
  if (TEMPORARY.test(path.slice(path.lastIndexOf(sep) + 1))) return false;
  const folders = place?.sources.folders ?? [];
  const isInPlace = folders.some(
    (mounted) => mounted !== folder && (path === mounted || dirname(path) === mounted),
  );
  return isInPlace || isTest(path.slice(folder.length + 1).replaceAll(sep, "/"));
}

/** The names of temporary files that text editors make while they save. */
const TEMPORARY = /^\.|~$|\.(?:tmp|swp|swx|bak)$|^4913$/i;
