/** What a run counts and reports of coverage, from the words of its caller and the settings of the project. */
import { join } from "node:path";
import { DEFAULT_COVERED } from "../../testing/coverage/covered-files.ts";
import type { CoverageFormat } from "../../testing/coverage/format-words.ts";
import type { CoverageWishes } from "../../testing/project/test-wishes.ts";
import type { SuiteSettings } from "../test-settings.ts";

const DEFAULT_DIRECTORY = "coverage";

/** The settings of coverage. `named` are the formats of the command line; if it names none, those of the settings count. */
export function coverageWishes(
  folder: string,
  settings: SuiteSettings["coverage"] = {},
  named: readonly CoverageFormat[] | "none" = [],
): CoverageWishes {
  const { perFile, thresholds } = settings;
  const formats = named.length === 0 ? settings.formats : named;
  return {
    include: settings.include ?? DEFAULT_COVERED,
    exclude: settings.exclude ?? [],
    formats: formats === "none" ? [] : (formats ?? ["text"]),
    directory: settings.directory ?? join(folder, DEFAULT_DIRECTORY),
    thresholds: { ...thresholds, perFile },
  };
}
