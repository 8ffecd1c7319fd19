/** What a caller may say about a run of tests, by flags or as an agent. */
import { QUIET_TEXT } from "../../output/remark.ts";
import { dataSchema, THROTTLE_TEXT } from "../data-choice.ts";
import {
  DEVICE_TEXT,
  deviceSchema,
  FONTS_TEXT,
  fontsSchema,
  INSETS_TEXT,
  insetsSchema,
  VIEWPORT_TEXT,
  viewportSchema,
} from "../screen-choice.ts";
import { MAX_PLAYERS } from "../../protocol/limits.ts";
import { defineSchema, type OutputOf, type Zod } from "../../protocol/schema.ts";
import { coverageFormats } from "../../testing/coverage/format-words.ts";
import { reporterNames } from "../../testing/report/reporters.ts";
import { isolationSchema, workersSchema } from "../../testing/run/run-words.ts";
import { contextKinds } from "../../testing/test-context.ts";
import { FIXTURES_TEXT } from "../fixture-words.ts";
import { STRICT_GEOMETRY_TEXT, WALK_TEXT } from "../world-choice.ts";

const DEFAULT_FAILURES = 10;

/** The value of `--random` without a number. */
export const ANY_SEED = 0;
/** Luau's `Random.new` keeps all digits of a seed up to about this size. Repetitions add to the seed, which needs room. */
const MAX_SEED = 2_000_000_000;
const MAX_TIME_MS = 86_400_000;
const timeSchema = (z: Zod) =>
  z
    .int("expected a whole number of milliseconds")
    .min(1, "expected at least 1 millisecond")
    .max(MAX_TIME_MS, "expected at most a day");

export const testInput = defineSchema((z) =>
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
    quiet: z.boolean().default(false).describe(QUIET_TEXT),
    fixtures: z.string().min(1, "expected a file").optional().describe(`Headless: ${FIXTURES_TEXT}`),
    walk: z.boolean().optional().describe(`Headless: ${WALK_TEXT}`),
    strictGeometry: z.boolean().default(false).describe(`Headless: ${STRICT_GEOMETRY_TEXT}`),
    viewport: viewportSchema(z).optional().describe(`Headless: ${VIEWPORT_TEXT}`),
    insets: insetsSchema(z).optional().describe(`Headless: ${INSETS_TEXT}`),
    device: deviceSchema(z).optional().describe(`Headless: ${DEVICE_TEXT}`),
    fonts: fontsSchema(z).optional().describe(`Headless: ${FONTS_TEXT}`),
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
      .array(z.string())
      .default([])
      .describe(
        "Use this suite of sb.config.json: its settings take precedence; with several, the files run once for each",
      ),
    onlyProject: z
      .array(z.string())
      .default([])
      .describe("Of several projects, run only the tests of this one (can be given several times)"),
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
      .describe("Start no more files after N failed cases, by default after the first"),
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
    allowStale: z
      .boolean()
      .default(false)
      .describe("With --on studio: test the sources that Studio has, even if the files have others"),
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
      .describe("Update stored snapshots and expected pictures, and remove those that no case uses"),
    passWithNoTests: z.boolean().default(false).describe("Pass if there are no tests"),
  }),
);
export type TestInput = OutputOf<typeof testInput>;
