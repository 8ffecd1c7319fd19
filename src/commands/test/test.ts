/** `sb test` and studio_test: run the tests of a project in headless Studios of its own. */
import { stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { CommandContext } from "../../command/context.ts";
import { defineSchema, type OutputOf, type Zod } from "../../protocol/schema.ts";
import { MAX_PLAYERS } from "../../protocol/limits.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineCommand, streamed, streamedFailure } from "../../command/definition.ts";
import { checkSourcesAsync } from "../../command/readable-file.ts";
import { findProjectFileAsync, type FoundProjectFile } from "../../command/project/find-project-file.ts";
import { settingsIn } from "../../command/project/project-settings.ts";
import { type SuiteSettings, testSettingsIn } from "../../command/project/test-settings.ts";
import { namedInFullAsync } from "../../testing/discovery/caller-words.ts";
import { DEFAULT_INCLUDE, testMatcher } from "../../testing/discovery/find-files.ts";
import { dataChoice, dataSchema, dataSpelling, THROTTLE_TEXT } from "../../command/words/data.ts";
import { flagFor } from "../../command/words/spelling.ts";
import { againCommand } from "./again-command.ts";
import { coverageAnswer, coverageSpelling, coverageWishes, namedFormats } from "./coverage.ts";
import { wantedContext, wishesForTarget } from "./target-wishes.ts";
import type { ReadWishes } from "./watch/watch-tests.ts";
import { checkScreen, reporterSpelling, wantedReporters } from "./wanted-reporters.ts";
import { allowedTarget } from "./run-in-cloud.ts";
import { snapshotModeOf } from "./snapshot-files.ts";
import { type ProjectRun, runProjectTestsAsync } from "./run-project.ts";
import { agentFailures, flakyLines, wholeText } from "../../testing/report/agent.ts";
import { reporterNames } from "../../testing/report/reporters.ts";
import { isolationSchema, workerCount, workersSchema } from "../../testing/run/run-words.ts";
import { type Shard, shardIn } from "../../testing/shard.ts";
import { TARGET_FORMS, targetKinds } from "../../testing/target.ts";
import { contextKinds } from "../../testing/test-context.ts";
import { coverageFormats } from "../../testing/coverage/format-words.ts";
import { countsOf } from "../../testing/report/tally.ts";
import agentDescription from "./test.md" with { type: "text" };

const DEFAULT_FAILURES = 10;

/** A word after `--bail` or `--random` belongs to the flag only if it is a number; other words are test files. */
const startsNumber = (word: string): boolean => /^-?\d/.test(word);

/** The value of `--random` without a number. */
const ANY_SEED = 0;
/** Luau's `Random.new` keeps all digits of a seed up to about this size. Repetitions add to the seed, which needs room. */
const MAX_SEED = 2_000_000_000;
const MAX_TIME_MS = 86_400_000;
const timeSchema = (z: Zod) =>
  z
    .int("expected a whole number of milliseconds")
    .min(1, "expected at least 1 millisecond")
    .max(MAX_TIME_MS, "expected at most a day");

const input = defineSchema((z) =>
  z.strictObject({
    files: z
      .array(z.string().min(1, "a file name is empty"))
      .default([])
      .describe("Test files, FILE:LINE, folders or parts of paths"),
    name: z.string().min(1, "the pattern is empty").optional().describe("Regex on case names"),
    maxFailures: z
      .int("expected a whole number")
      .min(1, "expected 1 failure or more")
      .max(100, "expected at most 100 failures")
      .default(DEFAULT_FAILURES)
      .describe("How many to show"),
    on: z.string().min(1, "expected a target").optional().describe("headless, studio or cloud"),
    context: z.enum(contextKinds).optional().describe("Where in it"),
    players: z
      .int("expected a whole number of players")
      .min(1, "expected at least 1 player")
      .max(MAX_PLAYERS, `expected at most ${MAX_PLAYERS} players`)
      .optional()
      .describe("Clients"),
    place: z
      .string()
      .min(1, "expected a file")
      .optional()
      .describe("Place or Rojo project to test in; by default the project of this folder"),
    data: dataSchema(z)
      .optional()
      .describe(
        "Let scripts use data stores: empty ones (memory), or those in the files of a folder, which stay as they are",
      ),
    throttle: z.boolean().default(false).describe(`With --data: ${THROTTLE_TEXT}`),
    failedOnly: z.boolean().default(false).describe("Only what failed last"),
    changed: z
      .string()
      .min(1, "expected a commit")
      .optional()
      .describe("Only tests that use files changed since REF, a commit of git, by default the last one"),
    list: z.boolean().default(false).describe("List the test files with their frameworks, and run nothing"),
    watch: z
      .boolean()
      .default(false)
      .describe("After each change of files, run the tests that use them, until Ctrl+C"),
    suite: z
      .string()
      .optional()
      .describe("Use this suite of sb.config.json: its settings count before the others"),
    workers: workersSchema(z)
      .optional()
      .describe("How many headless Studios run files at once: a number, or a percentage of the processors"),
    retries: z
      .int("expected a whole number")
      .min(0, "expected 0 retries or more")
      .max(10, "expected at most 10 retries")
      .optional()
      .describe("How often a failed case is tried again in a fresh place"),
    bail: z
      .int("expected a whole number")
      .min(1, "expected 1 failure or more")
      .optional()
      .describe("Begin no more files after N failed cases, by default after the first"),
    caseTimeoutMs: timeSchema(z).optional().describe("Time for one case; 5s by default"),
    fileTimeoutMs: timeSchema(z).optional().describe("Time for one file; 60s by default"),
    runTimeoutMs: timeSchema(z).optional().describe("Time for the whole run; no limit by default"),
    isolate: isolationSchema(z)
      .optional()
      .describe(
        "What a file finds: the place as it was opened (file), the same with the modules that earlier files loaded (worker), or whatever they left (none)",
      ),
    random: z
      .int("expected a whole number")
      .min(0, "expected 0 or more")
      .max(MAX_SEED, `expected at most ${MAX_SEED}`)
      .optional()
      .describe("Run files and cases in a random order; SEED, which the summary shows, repeats an order"),
    repeat: z
      .int("expected a whole number")
      .min(1, "expected 1 or more")
      .max(10_000, "expected at most 10000")
      .default(1)
      .describe("How often to run each file, each time in a fresh place"),
    history: z
      .string()
      .min(1, "expected a file")
      .optional()
      .describe(
        "Keep the history of runs in this file; with --shard, divide the files by its durations and leave it as it is",
      ),
    reporters: z
      .array(z.string().min(1, "a reporter's name is empty"))
      .default([])
      .describe(`The form of the report: ${reporterNames.join(", ")}; with =FILE in a file`),
    slowest: z
      .int("expected a whole number")
      .min(0, "expected 0 or more")
      .max(100, "expected at most 100")
      .default(3)
      .describe("How many of the slowest cases the summary names"),
    showOutput: z.boolean().default(false).describe("Show the whole output of failed cases"),
    failOnFlaky: z.boolean().default(false).describe("Fail if a case passed only when it was tried again"),
    allowOnly: z
      .boolean()
      .default(false)
      .describe("Pass in CI even if focused cases (itFOCUS, fit) left others out"),
    shard: z
      .string()
      .optional()
      .describe("Run only this part of the files, such as 2/4; sb test merge joins the reports"),
    coverage: z.boolean().default(false).describe("List lines that did not run"),
    coverageFormats: z
      .array(z.enum(coverageFormats))
      .default([])
      .describe(`Count which lines of the project run: ${coverageFormats.join(", ")}; files go to coverage/`),
    update: z
      .boolean()
      .default(false)
      .describe("Update the stored snapshots of Jest, and remove those that no case uses"),
    passWithNoTests: z.boolean().default(false).describe("Pass if there are no tests"),
  }),
);

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
  surfaces: ["cli", "mcp"],
  target: "none",
  // After Ctrl+C, the Studios end and the reports are written, which takes a moment.
  graceMs: 10_000,
  annotations: { readOnly: false, destructive: false, idempotent: false },
  input,
  output,
  personalInput: [
    "place",
    "data",
    "throttle",
    "changed",
    "list",
    "watch",
    "suite",
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
    "passWithNoTests",
    "update",
    "failOnFlaky",
    "allowOnly",
    "shard",
    "coverageFormats",
  ],
  agentNote: ({ counts }, { name }) => {
    if (counts.passed + counts.flaky + counts.failed > 0) return undefined;
    return name === undefined
      ? "No case ran. Tests are *.spec.luau, *.test.luau, and files in __tests__."
      : 'No case ran. `name` is a regular expression over names as "describe › it"; leave it out to run all cases.';
  },
  cli: {
    asks: true,
    mayConnect: true,
    positionals: [{ key: "files", label: "FILE", repeated: true }],
    flags: [
      {
        ...flagFor(input, "name", { name: "test-name", alias: "t", kind: "string", label: "REGEX" }),
        describe: () => 'Only cases whose names, as "describe › it", match this regular expression',
      },
      {
        ...flagFor(input, "on", { kind: "string", label: "TARGET", values: targetKinds, lookup: "targets" }),
        describe: () => `Where tests run: ${TARGET_FORMS}`,
      },
      {
        ...flagFor(input, "context", { kind: "string", label: "CONTEXT" }),
        describe: () => "Run in the edited place (edit), or in the server or in each client of a play test",
      },
      {
        ...flagFor(input, "players", { kind: "number", label: "N" }),
        describe: () => `How many clients the play test has, 1 to ${MAX_PLAYERS}`,
      },
      flagFor(input, "place", { kind: "string", label: "FILE" }),
      flagFor(input, "data", dataSpelling),
      flagFor(input, "throttle", { kind: "boolean" }),
      {
        ...flagFor(input, "failedOnly", { name: "failed", kind: "boolean" }),
        describe: () => "Only cases that failed the last time; all cases if none did",
      },
      flagFor(input, "changed", { kind: "string", label: "[REF]", bareValue: "HEAD", lookup: "commits" }),
      flagFor(input, "list", { kind: "boolean" }),
      flagFor(input, "watch", { alias: "w", kind: "boolean" }),
      flagFor(input, "suite", { kind: "string", label: "NAME", lookup: "suites" }),
      {
        ...flagFor(input, "workers", { kind: "string", label: "N|50%" }),
        sets: (word) => ({ workers: /^\d+$/.test(String(word)) ? Number(word) : word }),
      },
      flagFor(input, "retries", { kind: "number", label: "N" }),
      flagFor(input, "bail", { kind: "number", label: "[N]", bareValue: 1, isValue: startsNumber }),
      flagFor(input, "failOnFlaky", { name: "fail-on-flaky", kind: "boolean" }),
      flagFor(input, "allowOnly", { name: "allow-only", kind: "boolean" }),
      flagFor(input, "shard", { kind: "string", label: "I/N" }),
      {
        ...flagFor(input, "coverageFormats", coverageSpelling),
        sets: (words) => ({ coverage: true, coverageFormats: namedFormats(words) }),
      },
      flagFor(input, "update", { alias: "u", kind: "boolean" }),
      flagFor(input, "caseTimeoutMs", { name: "timeout", kind: "time", label: "TIME" }),
      flagFor(input, "fileTimeoutMs", { name: "file-timeout", kind: "time", label: "TIME" }),
      flagFor(input, "runTimeoutMs", { name: "run-timeout", kind: "time", label: "TIME" }),
      flagFor(input, "isolate", { kind: "string", label: "WHAT" }),
      flagFor(input, "random", {
        kind: "number",
        label: "[SEED]",
        bareValue: ANY_SEED,
        isValue: startsNumber,
      }),
      flagFor(input, "repeat", { kind: "number", label: "N" }),
      flagFor(input, "history", { kind: "string", label: "FILE" }),
      flagFor(input, "reporters", reporterSpelling),
      flagFor(input, "slowest", { kind: "number", label: "N" }),
      flagFor(input, "showOutput", { name: "show-output", kind: "boolean" }),
      flagFor(input, "passWithNoTests", { name: "pass-with-no-tests", kind: "boolean" }),
    ],
  },
  async handler(
    {
      on,
      context: kind,
      players,
      suite,
      caseTimeoutMs,
      fileTimeoutMs,
      place,
      data,
      throttle,
      runTimeoutMs,
      random,
      history,
      reporters,
      maxFailures,
      update,
      failedOnly,
      ...wishes
    },
    context,
  ) {
    const isAgent = context.fileRoots !== undefined;
    checkScreen(reporters, context.isJson === true);
    const readWishes: ReadWishes = async ({ coverage = wishes.coverage }) => {
      const found = await findProjectFileAsync(process.cwd());
      const folder = found === undefined ? process.cwd() : dirname(found.file);
      await checkSourcesAsync(folder, [folder], context);
      const settings = settingsOf(found, suite);
      const [word, source] = on === undefined ? [settings.on ?? "headless", "test.on"] : [on, "--on"];
      const target = allowedTarget(word, source, settings, context);
      const patterns = { include: settings.include ?? DEFAULT_INCLUDE, exclude: settings.exclude ?? [] };
      const named = await namedInFullAsync(wishes.files, folder, process.cwd());
      const isUsual = testMatcher(patterns);
      const unusual = named.flatMap((path) =>
        isUsual(path) ? [] : relative(process.cwd(), join(folder, path)),
      );
      // A shard adds its results to the history in the state folder.
      const kept = wishes.shard === undefined ? { history } : {};
      const setting = found === undefined ? undefined : settingsIn(found).data;
      const wanted = reporters.length > 0 ? reporters : (settings.reporters ?? []);
      return {
        ...wishes,
        failed: failedOnly,
        folder,
        target,
        again: againCommand({ suite, on, context: kind, players, place, data, throttle, ...kept }, unusual),
        context: wantedContext(target, kind ?? settings.context, players ?? settings.players),
        upload: settings.cloud?.upload,
        settingsFile: found?.file,
        ...patterns,
        named,
        setup: settings.setup ?? [],
        reporters: isAgent ? [] : wantedReporters(wanted),
        placeFile: place === undefined ? (settings.place ?? (await ownPlaceAsync(folder))) : resolve(place),
        // The command line has already filled in the setting.
        dataKey: data === undefined || data === setting ? "data in sb.config.json" : undefined,
        data: dataChoice(data ?? setting, throttle),
        framework: settings.framework,
        snapshots: snapshotModeOf(update, isAgent),
        shard: wishes.shard === undefined ? undefined : wantedShard(wishes.shard),
        coverage: coverage
          ? coverageWishes(folder, settings.coverage, isAgent ? "none" : wishes.coverageFormats)
          : undefined,
        retries: wishes.retries ?? settings.retries ?? 0,
        caseTimeoutMs: caseTimeoutMs ?? settings.timeoutMs ?? 5_000,
        fileTimeoutMs: fileTimeoutMs ?? settings.fileTimeoutMs ?? 60_000,
        runTimeoutMs: runTimeoutMs ?? settings.runTimeoutMs,
        ...wishesForTarget(
          target,
          { isolate: wishes.isolate, data, workers: wishes.workers },
          {
            isolation: wishes.isolate ?? settings.isolate,
            workers: workerCount(wishes.workers ?? settings.workers),
          },
        ),
        seed: random === ANY_SEED ? 1 + Math.floor(Math.random() * 1_000_000) : random,
        historyFile: history === undefined ? undefined : resolve(history),
      };
    };
    if (wishes.watch) {
      if (wishes.list)
        throw invalidInput("--watch runs tests, and --list runs none.", "Leave out one of them.");
      const { watchTestsAsync } = await import("./watch/watch-tests.ts");
      await watchTestsAsync(readWishes, context);
      return streamed;
    }
    const run = await runProjectTestsAsync(await readWishes({}), context);
    if (isAgent) return answerOf(run, maxFailures, context);
    return run.hasPassed ? streamed : streamedFailure;
  },
});

/** The settings for `sb test`. Throws INVALID_INPUT if there is no such suite. */
function settingsOf(found: FoundProjectFile | undefined, suite: string | undefined): SuiteSettings {
  if (found !== undefined) return testSettingsIn(found, suite);
  if (suite === undefined) return {};
  throw invalidInput(
    "--suite: there is no sb.config.json here.",
    "Make one, and write the suite under test.suites.",
  );
}

function wantedShard(text: string): Shard {
  const shard = shardIn(text);
  if (shard === undefined)
    throw invalidInput(`--shard: not a part: ${text}`, "Write 1/4 for the first of four parts.");
  return shard;
}

function answerOf(
  { hasPassed, files, durationMs, sourceOf, coverage }: ProjectRun,
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
  };
}

/** The default Rojo project of the folder; undefined if it has none. */
async function ownPlaceAsync(folder: string): Promise<string | undefined> {
  const { DEFAULT_PROJECTS } = await import("../../roblox/rojo/files.ts");
  for (const name of DEFAULT_PROJECTS) {
    const file = resolve(folder, name);
    if ((await stat(file).catch(() => undefined))?.isFile() === true) return file;
  }
  return undefined;
}
