/** Tests are where their subjects are: test/unit mirrors src, and test/plugin and test/unit/plugin mirror plugin/src. */

const folderOf = (path: string) => path.split("/").slice(0, -1).join("/");

function foldersOf(paths: readonly string[]): Set<string> {
  const parents = paths.flatMap((path) =>
    path.split("/").map((_, index, parts) => parts.slice(0, index).join("/")),
  );
  return new Set(parents);
}

/** `tests`: paths from `root`. `sources`: paths as the tests mirror them. */
export function mirrorFaults(root: string, tests: readonly string[], sources: readonly string[]): string[] {
  const folders = foldersOf(sources);
  return tests
    .filter((path) => !folders.has(folderOf(path)))
    .map((path) => `${root}/${path} is in a folder that the sources do not have`);
}
