/** Whether a path lies in a folder, and its name from there on: with slashes on every system, as projects write it. */
import { isAbsolute, relative } from "node:path";

export const pathInside = (folder: string, path: string): string =>
  relative(folder, path).replaceAll("\\", "/");

/** False for a relative path that leads out of the folder that it starts from, and for one on another drive. */
export const staysInside = (path: string): boolean => !leadsUp.test(path) && !/^(?:[A-Za-z]:|\/)/.test(path);

const leadsUp = /^\.\.(?:[/\\]|$)/;

/** Whether `path` is `folder` or lies in it, by their names alone. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && !leadsUp.test(way);
}

/** Whether `path` lies in `folder` and is another path, by their names alone. */
export const isBelow = (folder: string, path: string): boolean =>
  relative(folder, path) !== "" && isWithin(folder, path);
