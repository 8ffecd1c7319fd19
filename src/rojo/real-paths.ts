/** Where the files of a project really are. */
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Follows links, and asks the system about each folder once. A path that is gone meanwhile stays as it is. */
export function realPaths(): (path: string) => string {
  const folders = new Map<string, string>();
  return (path) => {
    try {
      if (lstatSync(path).isSymbolicLink()) return realpathSync(path);
      const folder = dirname(path);
      const real = folders.get(folder) ?? realpathSync(folder);
      folders.set(folder, real);
      return join(real, basename(path));
    } catch {
      return path;
    }
  };
}
