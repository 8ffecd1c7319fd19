/** The names of the formats of coverage, for settings and the command line. */
export const coverageFormats = ["text", "lcov", "cobertura", "json"] as const;
export type CoverageFormat = (typeof coverageFormats)[number];

export const isCoverageFormat = (word: string): word is CoverageFormat =>
  coverageFormats.some((format) => format === word);
