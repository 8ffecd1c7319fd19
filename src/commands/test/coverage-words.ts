/** The words of `--coverage`: its flag, its formats, and its settings. */
import { join } from "node:path";
import type { SuiteSettings } from "../../project/test-settings.ts";
import type { Flag } from "../../command-kit/words/spelling.ts";
import { DEFAULT_COVERED } from "../../testing/coverage/covered-files.ts";
import { type CoverageFormat, isCoverageFormat } from "../../testing/coverage/format-words.ts";
import type { CoverageWishes } from "../../testing/project/test-wishes.ts";

const DEFAULT_DIRECTORY = "coverage";

/** The spelling of `--coverage`. */
export const coverageSpelling = {
  name: "coverage",
  kind: "list",
  label: "[FORMAT]",
  bareValue: "",
  // A word that is no list of formats, such as a test file, belongs to the command.
  isValue: (word: string) => word.split(",").every((part) => isCoverageFormat(part.trim().toLowerCase())),
} as const;

/** The formats in the values of the flag; empty if it has no value. */
export const namedFormats = (words: Parameters<Flag["sets"]>[0]): readonly unknown[] =>
  [words].flat().filter((word) => word !== "");

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
