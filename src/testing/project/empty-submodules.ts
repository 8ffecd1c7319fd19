/** Finds git submodules without files. A plain `git clone` leaves submodules empty, and then packages are missing. */
import { readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { realDisk } from "../../roblox/rojo/disk.ts";
import { workTreeOfAsync } from "../../roblox/rojo/roots.ts";
import { isWithin, pathInside } from "../../util/path-inside.ts";

/** A line of `.gitmodules`. git puts quotes around a path with special characters. */
const PATH = /^\s*path\s*=\s*"?(.+?)"?\s*$/gm;

/** The paths of the empty submodules below a folder, relative to it; empty outside of a repository. */
export async function emptySubmodulesAsync(folder: string): Promise<readonly string[]> {
  const real = await realpath(folder);
  const top = await workTreeOfAsync(real, realDisk);
  if (top === undefined) return [];
  const text = await readFile(join(top, ".gitmodules"), "utf8").catch(() => "");
  const paths = [...text.matchAll(PATH)].map(([, path = ""]) => join(top, path));
  const entries = await Promise.all(paths.map((path) => readdir(path).catch(() => [])));
  return paths
    .filter((path, index) => entries[index]?.length === 0 && path !== real && isWithin(real, path))
    .map((path) => pathInside(real, path));
}
