/** Files that are too long for one subject. */
import { posix } from "node:path";
import type { Sources } from "./sources.ts";

export const MOST_FILE_LINES = 400;

/** Files that may be longer, with the reason. */
const LONGER: { readonly [path: string]: string } = {
  "plugin/src/Protocol/Generated.luau": "npm run gen writes it",
  "src/headless/engine/Kernel/HostConstants.luau": "npm run gen writes it",
};

const linesOf = (text: string): number => text.split("\n").length - 1;

/** One line for each file that is too long, and for each exception that is none. `sources`: files below `folder`. */
export function longFileFaults(
  folder: string,
  sources: Sources,
  exceptions: { readonly [path: string]: string } = LONGER,
): string[] {
  const lengths = [...sources].map(([path, text]) => [posix.join(folder, path), linesOf(text)] as const);
  const long = new Map(lengths.filter(([, lines]) => lines > MOST_FILE_LINES));
  const needless = Object.keys(exceptions).filter((path) => path.startsWith(`${folder}/`) && !long.has(path));
  return [
    ...[...long]
      .filter(([path]) => !(path in exceptions))
      .map(
        ([path, lines]) =>
          `${path} has ${lines} lines; split it, so that none has more than ${MOST_FILE_LINES}`,
      ),
    ...needless.map((path) => `${path} needs no exception in file-lengths.ts`),
  ];
}
