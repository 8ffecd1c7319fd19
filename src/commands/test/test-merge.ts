/** `sb test merge FILE…`: makes one report of the shards of a run. */
import { dirname, resolve } from "node:path";
import { defineCommand, streamed, streamedFailure } from "../../command-kit/definition.ts";
import { findProjectFileAsync } from "../../project/find-project-file.ts";
import { testSettingsIn } from "../../project/test-settings.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { defineSchema } from "../../protocol/schema.ts";
import { coverageFormats } from "../../testing/coverage/format-words.ts";
import { mergeRunsAsync, readBlobsAsync } from "../../testing/project/merge-runs.ts";
import { reporterNames } from "../../testing/report/reporters.ts";
import { coverageWishes } from "../../project/test-run/coverage-wishes.ts";
import { coverageSpelling, namedFormats } from "./coverage-words.ts";
import { testSurface } from "./test-surface.ts";
import { checkScreen, reporterSpelling, wantedReporters } from "../../testing/project/wanted-reporters.ts";

const input = defineSchema((z) =>
  z.strictObject({
    files: z
      .array(z.string().min(1, "a file name is empty"))
      .min(1, "name at least one file")
      .describe("Files written by --reporter blob=FILE"),
    reporters: z
      .array(z.string().min(1, "a reporter's name is empty"))
      .default([])
      .describe(`The form of the report: ${reporterNames.join(", ")}; with =FILE in a file`),
    allowOnly: z
      .boolean()
      .default(false)
      .describe("Pass in CI even if focused cases (itFOCUS, fit) left others out"),
    failOnFlaky: z.boolean().default(false).describe("Fail if a case passed only when it was tried again"),
    passWithNoTests: z.boolean().default(false).describe("Pass if no shard had tests, as with --changed"),
    history: z
      .string()
      .min(1, "expected a file")
      .optional()
      .describe("Add the results of the shards to this history, which decides how the next run is divided"),
    coverage: z
      .array(z.enum(coverageFormats))
      .optional()
      .describe(`Report which lines of the project ran in any of the runs: ${coverageFormats.join(", ")}`),
  }),
);

const output = defineSchema((z) => z.object({}));

export const command = defineCommand({
  name: "test merge",
  summary: "Make one report of several test runs",
  description:
    "Reads the files that `sb test --shard I/N --reporter blob=FILE` has written on several machines, and reports them as one run. Exits with 1 if a case failed, if a shard is missing, or if a shard ended early.",
  group: "Scripts",
  examples: [
    { command: "sb test merge shard-1.jsonl shard-2.jsonl", note: "" },
    { command: "sb test merge *.jsonl --reporter junit=junit.xml", note: "also as a file for CI" },
    { command: "sb test merge *.jsonl --coverage lcov", note: "the coverage of all of them" },
  ],
  surfaces: ["cli"],
  target: "none",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  cli: {
    positionals: [{ key: "files", label: "FILE", required: true, repeated: true }],
    flags: flagsOf(input, {
      reporters: reporterSpelling,
      allowOnly: "boolean",
      failOnFlaky: "boolean",
      passWithNoTests: "boolean",
      history: { kind: "string", label: "FILE" },
      coverage: { ...coverageSpelling, sets: (words) => ({ coverage: namedFormats(words) }) },
    }),
  },
  async handler(
    {
      files: words,
      reporters: reporterWords,
      allowOnly,
      failOnFlaky,
      passWithNoTests,
      history: historyFile,
      coverage: formats,
    },
    context,
  ) {
    checkScreen(reporterWords, context.isJson === true);
    const found = await findProjectFileAsync(process.cwd());
    const blobs = await readBlobsAsync(words);
    const folder = found === undefined ? process.cwd() : dirname(found.file);
    const settings = found === undefined ? {} : testSettingsIn(found).coverage;
    const hasPassed = await mergeRunsAsync(
      blobs,
      {
        folder,
        coverage: coverageWishes(folder, settings, formats ?? "none"),
        needsCoverage: formats !== undefined,
        reporters: wantedReporters(reporterWords),
        ...(historyFile === undefined ? {} : { historyFile: resolve(historyFile) }),
        ...{ allowOnly, failOnFlaky, passWithNoTests },
      },
      testSurface(context),
    );
    return hasPassed ? streamed : streamedFailure;
  },
});
