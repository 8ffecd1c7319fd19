/** Finds expected pictures whose test no longer exists, beside the tests of a project and in the folders of its place. */
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isBelow, pathInside } from "../../util/path-inside.ts";
import { isPackageFile } from "../discovery/find-files.ts";
import type { TestFile } from "../test-file.ts";
import { pictureFileIn, PICTURES } from "./picture-names.ts";

/** The endings of a test, or of the source that it was compiled from. */
const TEST_ENDINGS = [".luau", ".lua", ".ts", ".tsx"];

/** `mounted`: the folders of the place. The paths are relative to the project's folder, in order. */
export async function obsoletePicturesAsync(
  folder: string,
  tests: readonly Pick<TestFile, "absolutePath">[],
  mounted: readonly string[],
): Promise<readonly string[]> {
  const folders = new Set([
    ...tests.map(({ absolutePath }) => join(dirname(absolutePath), PICTURES)),
    ...mounted.filter((path) => basename(path) === PICTURES),
  ]);
  const own = [...folders].filter(
    (path) => isBelow(folder, path) && !isPackageFile(pathInside(folder, path)),
  );
  const found = await Promise.all(own.map(withoutTestAsync));
  return found
    .flat()
    .map((path) => pathInside(folder, path))
    .sort();
}

/** The pictures in a folder whose tests are not beside it. */
async function withoutTestAsync(pictures: string): Promise<string[]> {
  const entries = await readdir(pictures, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isDirectory() || (await hasTestAsync(join(dirname(pictures), entry.name)))) return [];
      const names = await readdir(join(pictures, entry.name));
      return names
        .filter((name) => pictureFileIn(name) !== undefined)
        .map((name) => join(pictures, entry.name, name));
    }),
  );
  return found.flat();
}

async function hasTestAsync(stem: string): Promise<boolean> {
  const files = TEST_ENDINGS.map((ending) => stat(`${stem}${ending}`).catch(() => undefined));
  return (await Promise.all(files)).some((facts) => facts?.isFile() === true);
}
