/**
 * Finds files of stored snapshots whose test no longer exists. As with Jest, such a file lies in a folder `__snapshots__` below a
 * `jest.config`, and its test is not beside that folder, neither in the place nor on disk.
 */
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OpenedPlace } from "../../headless/index.ts";
import { isPackageFile } from "../discovery/find-files.ts";
import type { Shard } from "../shard.ts";
import { isWithin, pathInside } from "../../util/path-inside.ts";
import type { Selection } from "./select-tests.ts";

const FOLDER = "__snapshots__";
const ENDING = ".snap";
/** The endings that a test may have on disk. */
const TEST_ENDINGS = [".luau", ".lua", "/init.luau", "/init.lua"];

/**
 * True if a run has all test files of the project; `count` is their number. Only such a run looks for obsolete files, as with
 * Jest. Of several shards, only the first one looks.
 */
export const isForWholeSuite = (
  { files, scope, filesInAllShards }: Pick<Selection, "files" | "scope" | "filesInAllShards">,
  shard: Shard | undefined,
  count: number,
): boolean =>
  scope === "all" &&
  (shard === undefined ? files.length === count : shard.number === 1 && filesInAllShards === count);

interface StoredSnapshots {
  /** An absolute path. */
  readonly file: string;
  /** The names that lead from a service to the test. */
  readonly test: readonly string[];
}

/** The paths of the files, relative to the project's folder, in order. */
export async function obsoleteSnapshotsAsync(
  folder: string,
  place: OpenedPlace | undefined,
): Promise<readonly string[]> {
  if (place === undefined) return [];
  const scripts = [...place.sources.scripts.values()];
  const stored = scripts.flatMap(({ file, names }): StoredSnapshots[] => {
    const test = testOf(names);
    return test === undefined ? [] : [{ file, test }];
  });
  if (stored.length === 0) return [];
  const present = new Set(scripts.map(({ names }) => keyOf(names)));
  const projects = place.modulesNamed("jest.config").map((names) => names.slice(0, -1));
  const candidates = stored.filter(
    ({ test }) => !present.has(keyOf(test)) && projects.some((above) => isBelow(test, above)),
  );
  const found = await Promise.all(
    candidates.map(async (each) => {
      const path = pathInside(folder, each.file);
      const isOwn = isWithin(folder, each.file) && !isPackageFile(path);
      return isOwn && !(await hasTestAsync(each)) ? [path] : [];
    }),
  );
  return found.flat().sort();
}

const keyOf = (names: readonly string[]): string => names.join("\0");

const isBelow = (names: readonly string[], above: readonly string[]): boolean =>
  above.every((name, index) => names[index] === name);

/** The names that lead to the test of a module with stored snapshots; undefined for any other module. */
function testOf(names: readonly string[]): readonly string[] | undefined {
  const last = names.at(-1) ?? "";
  if (names.at(-2) !== FOLDER || !last.endsWith(ENDING)) return undefined;
  return [...names.slice(0, -2), last.slice(0, -ENDING.length)];
}

/** True if the test is a file that the place does not have, for example because its project leaves it out. */
async function hasTestAsync({ file, test }: StoredSnapshots): Promise<boolean> {
  const stem = join(dirname(file), "..", test.at(-1) ?? "");
  const found = await Promise.all(TEST_ENDINGS.map((ending) => stat(stem + ending).catch(() => undefined)));
  return found.some((info) => info?.isFile() === true);
}
