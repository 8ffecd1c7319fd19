/** Names of files as projects write them: from a folder on, with slashes on every system. */
import { relative } from "node:path";

export const pathInside = (folder: string, path: string): string =>
  relative(folder, path).replaceAll("\\", "/");

/** True for a path of `pathInside` that leads below the folder; false for a path on another drive too. */
export const isBelow = (path: string): boolean =>
  path !== ".." && !path.startsWith("../") && !/^(?:[A-Za-z]:|\/)/.test(path);
