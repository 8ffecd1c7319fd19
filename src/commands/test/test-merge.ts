/** `sb test merge FILE…`: makes one report of the shards of a run. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { defineCommand, streamed, streamedFailure } from "../../command/definition.ts";
import { findProjectFileAsync } from "../../project/find-project-file.ts";
import { testSettingsIn } from "../../project/test-settings.ts";
import { remark } from "../../output/remark.ts";
import { flagFor } from "../../command/words/spelling.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { defineSchema } from "../../protocol/schema.ts";
import { coverageFormats } from "../../testing/coverage/format-words.ts";
import { missedThresholds } from "../../testing/coverage/thresholds.ts";
import { folderOf } from "../../testing/discovery/find-files.ts";
import { reporterNames } from "../../testing/report/reporters.ts";
import { type Blob, mergeBlobs, readBlob } from "../../testing/blob.ts";
import { ProjectHistory } from "../../testing/project/project-history.ts";
import { openReporting } from "../../testing/project/reporting.ts";
import { isCi, verdictOf } from "../../testing/project/verdict.ts";
import { coverageSpelling, coverageWishes, namedFormats } from "./coverage-words.ts";
import { testSurface } from "./test-surface.ts";
import { checkScreen, reporterSpelling, wantedReporters } from "./wanted-reporters.ts";

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
    flags: [
      flagFor(input, "reporters", reporterSpelling),
      flagFor(input, "allowOnly", { name: "allow-only", kind: "boolean" }),
      flagFor(input, "failOnFlaky", { name: "fail-on-flaky", kind: "boolean" }),
      flagFor(input, "passWithNoTests", { name: "pass-with-no-tests", kind: "boolean" }),
      flagFor(input, "history", { kind: "string", label: "FILE" }),
      {
        ...flagFor(input, "coverage", coverageSpelling),
        sets: (words) => ({ coverage: namedFormats(words) }),
      },
    ],
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
    const [first = "", ...others] = (await Promise.all(words.map(filesOfWordAsync))).flat();
    const blobs = await Promise.all(others.map(blobAsync));
    const { events, faults } = mergeBlobs([await blobAsync(first), ...blobs]);
    const folder = found === undefined ? process.cwd() : dirname(found.file);
    const settings = found === undefined ? {} : testSettingsIn(found).coverage;
    const covered = events.find((event) => event.type === "coverage")?.files;
    const obsolete = events.find((event) => event.type === "obsolete-snapshots");
    if (formats !== undefined && covered === undefined)
      throw invalidInput("--coverage: these runs have no coverage.", "Run each shard with --coverage too.");
    const coverage = coverageWishes(folder, settings, formats ?? "none");
    const { reporters, report, writeFilesAsync } = openReporting(
      {
        folder,
        coverage,
        reporters: wantedReporters(reporterWords),
        showOutput: false,
        slowest: 3,
      },
      testSurface(context),
    );
    for (const event of events) report(event);
    await writeFilesAsync();
    if (historyFile !== undefined) {
      const history = await ProjectHistory.openAsync(folder, { historyFile: resolve(historyFile) });
      const { startedAt: at, retries, scope = "all" } = events[0];
      await history.addAsync(reporters.tally.files(), {
        scope,
        isRetrying: retries !== undefined,
        at,
      });
    }
    const { hasPassed, remarks } = verdictOf(reporters.tally.files(), faults.length === 0, {
      forbidsFocus: isCi() && !allowOnly,
      forbidsObsolete: isCi(),
      obsoleteFiles: obsolete === undefined || obsolete.areRemoved ? [] : obsolete.files,
      failsOnFlaky: failOnFlaky,
      passWithNoTests,
      missed: covered === undefined ? [] : missedThresholds(covered, coverage.thresholds),
    });
    for (const text of [...faults, ...remarks]) context.emit(remark(text));
    return hasPassed ? streamed : streamedFailure;
  },
});

/** The files that a word names. A pattern such as `*.jsonl` comes unchanged from the shells of Windows. */
async function filesOfWordAsync(word: string): Promise<readonly string[]> {
  if (!/[*?]/.test(word) || existsSync(word)) return [word];
  const pattern = process.platform === "win32" ? word.replaceAll("\\", "/") : word;
  const folder = folderOf(pattern);
  const cwd = resolve(folder);
  const found = existsSync(cwd)
    ? await Array.fromAsync(new Bun.Glob(pattern.slice(folder.length)).scan({ cwd }))
    : [];
  if (found.length > 0) return found.sort().map((name) => `${folder}${name}`);
  throw new StudioBridgeError("FILE_ERROR", `No file fits ${word}.`, {
    hint: "Write a blob in each shard: sb test --shard 1/2 --reporter blob=shard-1.jsonl",
  });
}

async function blobAsync(path: string): Promise<Blob> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StudioBridgeError("FILE_ERROR", `Could not read ${path}: ${reason}`);
  });
  return readBlob(path, text);
}
