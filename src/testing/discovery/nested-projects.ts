/** Leaves out the tests of projects that lie inside of another one: folders with settings for tests of their own. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { memberOf, parseJsonc } from "../../util/jsonc.ts";

/** `own` are the paths that belong to the project itself; `nested` are the folders of the projects in it that have tests. */
export async function withoutNestedAsync(
  folder: string,
  paths: readonly string[],
  settingsFile: string | undefined,
): Promise<{ readonly own: readonly string[]; readonly nested: readonly string[] }> {
  if (settingsFile === undefined) return { own: paths, nested: [] };
  const name = basename(settingsFile);
  const folders = [...new Set(paths.flatMap(foldersOf))];
  const isProject = await Promise.all(folders.map((each) => hasTestsAsync(join(folder, each, name))));
  const nested = folders.filter((_, index) => isProject[index]);
  const isOwn = (path: string): boolean => !nested.some((each) => path.startsWith(`${each}/`));
  return { own: paths.filter(isOwn), nested: nested.filter(isOwn).sort() };
}

/** `a/b/c.luau` lies in `a` and `a/b`. */
const foldersOf = (path: string): readonly string[] =>
  path.split("/").flatMap((_, index, parts) => (index === 0 ? [] : [parts.slice(0, index).join("/")]));

/** A file that cannot be read counts as none: its own project tells its error. */
async function hasTestsAsync(file: string): Promise<boolean> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return false;
  try {
    const root = parseJsonc(text);
    return root !== undefined && memberOf(root, "test") !== undefined;
  } catch {
    return true;
  }
}
