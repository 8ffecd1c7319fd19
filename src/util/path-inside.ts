/** Names of files as projects write them: from a folder on, with slashes on every system. */
import { relative } from "node:path";

export const pathInside = (folder: string, path: string): string =>
  relative(folder, path).replaceAll("\\", "/");
