/** Paths of a project as people write them: from the project's folder, with slashes; and the globs and folders that name them. */

const partsOf = (path: string): string[] => path.split(/[/\\]+/).filter((part) => part !== "");

/** The parts below the folder; undefined for a path outside of it. */
function partsInside(folder: string, path: string): string[] | undefined {
  const [above, parts] = [partsOf(folder), partsOf(path)];
  return above.every((part, index) => parts[index] === part) ? parts.slice(above.length) : undefined;
}

export const relativeParts = (folder: string, path: string): string[] =>
  partsInside(folder, path) ?? partsOf(path);

/** A path as people read it: from the project's folder, with slashes. Paths outside stay whole. */
export function shown(folder: string, path: string): string {
  const inside = partsInside(folder, path);
  return inside === undefined ? path : inside.join("/") || ".";
}

/** A path that a person wrote, as `shown` gives it. */
export const writtenPath = (path: string): string =>
  path
    .replaceAll("\\", "/")
    .replace(/^\.\//, "")
    .replace(/(?<=.)\/+$/, "");

export const isGlob = (text: string): boolean => /[*?{]/.test(text);

/** Whether a file is what a person has named: it, or a folder that it is in. */
export function fitsFile(written: string): (file: string) => boolean {
  const path = writtenPath(written);
  if (!isGlob(path)) return (file) => file === path || file.startsWith(`${path}/`);
  const glob = new Bun.Glob(path);
  return (file) => foldersOf(file).some((each) => glob.match(each));
}

function foldersOf(file: string): string[] {
  const parts = file.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
