/** `sb test` and studio_test: run the tests of a project in headless Studios of its own. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { CommandContext } from "../../command-kit/context.ts";
import { defineCommand, streamed, streamedFailure } from "../../command-kit/definition.ts";
import { quietSpelling } from "../../command-kit/words/shared-flags.ts";
import { dataSpelling } from "../../project/data-choice.ts";
import {
  deviceSpelling,
  fontsSpelling,
  insetsSpelling,
  viewportSpelling,
} from "../../project/screen-choice.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { caveatFields } from "../../protocol/caveats.ts";
import { MAX_PLAYERS } from "../../protocol/limits.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineSchema, type OutputOf } from "../../protocol/schema.ts";
import { agentFailures, flakyLines, wholeText } from "../../testing/report/agent.ts";
import { countsOf } from "../../testing/report/tally.ts";
import { TARGET_FORMS, targetKinds } from "../../testing/target.ts";
import { coverageAnswer } from "../../testing/project/coverage.ts";
import { runProjectTestsAsync } from "../../testing/project/run-project.ts";
import type { ProjectRun } from "../../testing/project/run-selection.ts";
import { durationText } from "../../util/duration-text.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { coverageSpelling, namedFormats } from "./coverage-words.ts";
import { readWishesAsync } from "../../project/test-run/read-wishes.ts";
import { readSeveralAsync } from "../../project/test-run/members.ts";
import { ANY_SEED, testInput } from "../../project/test-run/test-input.ts";
import agentDescription from "./test.md" with { type: "text" };
import { testSurface } from "./test-surface.ts";
import { watchedBy } from "./watched-tests.ts";
import { checkScreen, reporterSpelling } from "../../testing/project/wanted-reporters.ts";

/** A word after `--bail` or `--random` belongs to the flag only if it is a number; other words are test files. */
const startsNumber = (word: string): boolean => /^-?\d/.test(word);

const output = defineSchema((z) =>
  z.object({
    success: z.boolean(),
    counts: z.object({
      passed: z.int(),
      failed: z.int(),
      skipped: z.int(),
      todo: z.int(),
      flaky: z.int(),
    }),
    durationMs: z.int(),
    /** One text for each failed case: its names, its position, the message with both values, the source and the output. */
    failures: z.array(z.string()),
    /** The number of failures that are not shown. */
    moreFailures: z.int().optional(),
    /** One line for each case that passed only when it was tried again; absent if there is none. */
    flaky: z.array(z.string()).optional(),
    /** One sentence for each key of the settings that says nothing, and for source maps that are missing or not used; absent if there is none. */
    warnings: z.array(z.string()).optional(),
    coverage: z
      .object({
        /** The percentage of lines that ran. */
        lines: z.number(),
        /** The percentage of functions that ran. */
        functions: z.number(),
        /** One sentence for each threshold that was missed. */
        missed: z.array(z.string()).optional(),
        /** For the files with the most lines that did not run: these lines, as `3, 7-12`. */
        notRun: z.record(z.string(), z.string()),
      })
      .optional(),
    ...caveatFields(z),
  }),
);
type Answer = OutputOf<typeof output>;

export const command = defineCommand({
  name: "test",
  summary: "Run the tests of a project",
  description:
    "Finds the tests below this folder (*.spec.luau, *.test.luau and files in __tests__) and runs each file in a fresh copy of the place, in headless Studios. TestEZ and Jest are used if the place has them; a file that returns a function can use describe, it and expect without any package. Exits with 1 if a case fails, or if there are no tests.",
  agentDescription,
  group: "Scripts",
  examples: [
    { command: "sb test", note: "all tests of this folder" },
    { command: "sb test src/shop", note: "the tests below src/shop" },
    { command: "sb test Cart.spec.luau:48", note: "the case around a line" },
    { command: "sb test -t 'adds the tax'", note: "cases by name" },
    { command: "sb test --failed", note: "the cases that failed the last time" },
    { command: "sb test --coverage", note: "and list the lines that did not run" },
    { command: "sb test --changed", note: "tests that use changed files" },
    { command: "sb test --watch", note: "and again after each change" },
    { command: "sb test --list", note: "list the files and their frameworks" },
    { command: "sb test --on cloud:1234/5678", note: "on a server of Roblox" },
  ],
  toolGroups: ["test"],
  surfaces: ["cli", "mcp"],
  target: "none",
  // After Ctrl+C, the Studios end and the reports are written, which takes a moment.
  graceMs: 10_000,
  endsWithReader: ({ watch }) => watch === true,
  takesLong: true,
  annotations: { readOnly: false, destructive: false, idempotent: false },
  input: testInput,
  output,
  personalInput: [
    "place",
    "data",
    "throttle",
    "fixtures",
    "walk",
    "strictGeometry",
    "viewport",
    "insets",
    "device",
    "fonts",
    "changed",
    "list",
    "watch",
    "suite",
    "onlyProject",
    "workers",
    "retries",
    "bail",
    "caseTimeoutMs",
    "fileTimeoutMs",
    "runTimeoutMs",
    "isolate",
    "random",
    "repeat",
    "history",
    "reporters",
    "slowest",
    "showOutput",
    "quiet",
    "passWithNoTests",
    "update",
    "failOnFlaky",
    "allowOnly",
    "allowStale",
    "shard",
    "coverageFormats",
  ],
  agentNote: ({ counts }, { name }) => {
    if (Object.values(counts).some((count) => count > 0)) return undefined;
    return name === undefined
      ? "No case ran. Tests are *.spec.luau, *.test.luau, and files in __tests__."
      : 'No case ran. `name` is a regular expression over names as "describe › it"; leave it out to run all cases.';
  },
  cli: {
    asks: true,
    mayConnect: true,
    positionals: [{ key: "files", label: "FILE", repeated: true }],
    flags: flagsOf(testInput, {
      name: {
        name: "test-name",
        alias: "t",
        kind: "string",
        label: "REGEX",
        describe: () => 'Only cases whose names, as "describe › it", match this regular expression',
      },
      on: {
        kind: "string",
        label: "TARGET",
        values: targetKinds,
        lookup: "targets",
        describe: () => `Where tests run: ${TARGET_FORMS}`,
      },
      context: {
        kind: "string",
        label: "CONTEXT",
        describe: () =>
          "Run in the edited place (edit), or in the server or in each client of a play test (default: edit, or as the file says)",
      },
      players: {
        kind: "number",
        label: "N",
        describe: () => `How many clients the play test has, 1 to ${MAX_PLAYERS}`,
      },
      place: { kind: "string", label: "FILE" },
      data: dataSpelling,
      throttle: "boolean",
      fixtures: { kind: "string", label: "FILE", lookup: "files" },
      walk: { kind: "boolean", negatable: true },
      strictGeometry: "boolean",
      viewport: viewportSpelling,
      insets: insetsSpelling,
      device: deviceSpelling,
      fonts: fontsSpelling,
      failedOnly: {
        name: "failed",
        kind: "boolean",
        describe: () => "Only cases that failed the last time; all cases if none did",
      },
      changed: { kind: "string", label: "[REF]", bareValue: "HEAD", lookup: "commits" },
      list: "boolean",
      watch: { alias: "w", kind: "boolean" },
      suite: { kind: "repeats", label: "NAME", lookup: "suites" },
      onlyProject: { kind: "repeats", label: "NAME" },
      workers: {
        kind: "string",
        label: "N|50%",
        sets: (word) => ({ workers: /^\d+$/.test(String(word)) ? Number(word) : word }),
      },
      retries: { kind: "number", label: "N" },
      bail: { kind: "number", label: "[N]", bareValue: 1, isValue: startsNumber },
      failOnFlaky: "boolean",
      allowOnly: "boolean",
      allowStale: "boolean",
      shard: { kind: "string", label: "I/N" },
      coverageFormats: {
        ...coverageSpelling,
        sets: (words) => ({ coverage: true, coverageFormats: namedFormats(words) }),
      },
      update: { alias: "u", kind: "boolean" },
      caseTimeoutMs: { name: "timeout", kind: "time", label: "TIME" },
      fileTimeoutMs: { name: "file-timeout", kind: "time", label: "TIME" },
      runTimeoutMs: { name: "run-timeout", kind: "time", label: "TIME" },
      isolate: { kind: "string", label: "WHAT" },
      random: {
        kind: "number",
        label: "[SEED]",
        bareValue: ANY_SEED,
        isValue: startsNumber,
      },
      repeat: { kind: "number", label: "N" },
      history: { kind: "string", label: "FILE" },
      reporters: reporterSpelling,
      slowest: { kind: "number", label: "N" },
      showOutput: "boolean",
      quiet: quietSpelling,
      passWithNoTests: "boolean",
    }),
  },
  async handler(words, context) {
    const isAgent = context.fileRoots !== undefined;
    checkScreen(words.reporters, context.isJson === true);
    let warnings: readonly string[] = [];
    let skippedBefore: readonly string[] | undefined;
    const readWishes = async () => {
      const read = await readWishesAsync(words, context);
      ({ warnings, skippedBefore } = read);
      return read.wishes;
    };
    if (words.watch) {
      if (words.list)
        throw invalidInput("--watch runs tests, and --list runs none.", "Leave out one of them.");
      const { watchTestsAsync } = await import("../../testing/project/watch/watch-tests.ts");
      const surface = testSurface(context);
      return (await watchTestsAsync(watchedBy(words, context, surface), surface))
        ? streamed
        : streamedFailure;
    }
    const several = await readSeveralAsync(words, context);
    if (several !== undefined) {
      const { runSeveralAsync } = await import("../../testing/project/several/run-several.ts");
      const run = await runSeveralAsync(several, testSurface(context));
      if (!isAgent) return run.hasPassed ? streamed : streamedFailure;
      const told = several.reads.flatMap((each) => each.warnings);
      return {
        ...answerOf(run, words.maxFailures, context),
        ...warningsField([...new Set([...told, ...run.sourceRemarks])]),
      };
    }
    const wishes = await readWishes();
    const run = await runProjectTestsAsync(wishes, testSurface(context));
    if (isAgent)
      return {
        ...answerOf(run, words.maxFailures, context),
        ...warningsField([
          ...warnings,
          ...run.sourceRemarks,
          ...(await skippedBeforeAsync(skippedBefore, wishes.folder, run)),
        ]),
      };
    return run.hasPassed ? streamed : streamedFailure;
  },
});

/** Tells an agent that the compiler has not run, and how old the files are that were tested. */
async function skippedBeforeAsync(
  argv: readonly string[] | undefined,
  folder: string,
  { files }: ProjectRun,
): Promise<readonly string[]> {
  if (argv === undefined) return [];
  const infos = await Promise.all(files.map(({ path }) => stat(join(folder, path)).catch(() => undefined)));
  const newest = Math.max(...infos.map((info) => info?.mtimeMs ?? -Infinity));
  const age = Number.isFinite(newest)
    ? ` The newest test file that ran is ${durationText(Math.max(0, Date.now() - newest))} old.`
    : "";
  return [
    `test.before (${visibleOnOneLine(argv.join(" "))}) has not run, because the server was started without --allow-before.${age}`,
  ];
}

const warningsField = (warnings: string[]) => (warnings.length === 0 ? {} : { warnings });

function answerOf(
  { hasPassed, files, durationMs, sourceOf, coverage, caveats }: ProjectRun,
  maxFailures: number,
  { keepWhole }: CommandContext,
): Answer {
  const { shown, more, isWhole } = agentFailures(files, { sourceOf, maxFailures });
  const flaky = flakyLines(files, maxFailures);
  if (!isWhole) keepWhole?.({ name: "all failures", text: wholeText(files) });
  return {
    success: hasPassed,
    counts: countsOf(files),
    durationMs: Math.round(durationMs),
    failures: shown,
    ...(more > 0 ? { moreFailures: more } : {}),
    ...(flaky.length > 0 ? { flaky } : {}),
    ...(coverage === undefined ? {} : { coverage: coverageAnswer(coverage) }),
    ...caveats,
  };
}
