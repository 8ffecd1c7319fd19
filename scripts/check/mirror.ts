/** Unit tests stand where their subjects do: test/unit mirrors src, and test/unit/plugin mirrors plugin/src. */

const folderOf = (path: string) => path.split("/").slice(0, -1).join("/");

function foldersOf(paths: readonly string[]): Set<string> {
  const parents = paths.flatMap((path) =>
    path.split("/").map((_, index, parts) => parts.slice(0, index).join("/")),
  );
  return new Set(parents);
}

/** Paths from test/unit, src and plugin/src. */
export function mirrorFaults(
  tests: readonly string[],
  sources: readonly string[],
  pluginSources: readonly string[],
): string[] {
  const folders = foldersOf([...sources, ...pluginSources.map((path) => `plugin/${path}`)]);
  return tests
    .filter((path) => !folders.has(folderOf(path)))
    .map((path) => `test/unit/${path} stands in a folder that the sources do not have`);
}
