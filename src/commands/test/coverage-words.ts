/** The words of `--coverage`: its flag and its formats. */
import type { Flag } from "../../command-kit/words/spelling.ts";
import { isCoverageFormat } from "../../testing/coverage/format-words.ts";

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
