/** Chooses one path for each test file that links to folders make known by several paths, so that it runs once. */
import { realpath } from "node:fs/promises";
import { basename, join } from "node:path";

/** Only paths with the same last name are compared, because a link to a folder changes the names before it. */
export async function withoutSameFilesAsync(
  folder: string,
  paths: readonly string[],
  /** Of several paths of one file, one with the lowest rank is kept. */
  rankOf: (path: string) => number,
): Promise<readonly string[]> {
  const left = await Promise.all(
    [...Map.groupBy(paths, (path) => basename(path)).values()].map(async (namesakes) => {
      if (namesakes.length === 1) return [];
      const real = await realPathsAsync([folder, ...namesakes.map((path) => join(folder, path))]);
      const [top = "", ...files] = real;
      const named = namesakes.map((path, index) => ({ path, file: files[index] ?? path }));
      const isBehindLink = ({ path, file }: (typeof named)[number]): boolean => file !== join(top, path);
      const byFile = Map.groupBy(named, ({ file }) => file);
      return [...byFile.values()].flatMap((same) => {
        const [, ...others] = same.toSorted(
          (one, other) =>
            rankOf(one.path) - rankOf(other.path) || Number(isBehindLink(one)) - Number(isBehindLink(other)),
        );
        return others.map(({ path }) => path);
      });
    }),
  );
  const unwanted = new Set(left.flat());
  return paths.filter((path) => !unwanted.has(path));
}

const realPathsAsync = (paths: readonly string[]): Promise<readonly string[]> =>
  Promise.all(paths.map((path) => realpath(path).catch(() => path)));
