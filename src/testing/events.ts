/**
 * The events of a test run. Reporters, merging, watching and agents read nothing else. The events of a file come from the
 * harness in Luau, through `run/file-record.ts`; sb adds the events of the run. A blob has one event per line of JSON.
 */
import { caveatFields } from "../protocol/caveats.ts";
import { logLevelSchema } from "../protocol/fields/log-lines.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf, Zod } from "../protocol/schema.ts";
import { fileCoverageSchema } from "./coverage/file-coverage.ts";

export const frameworks = [
  "testez",
  "jest",
  "frktest",
  "std-test",
  "tiniest",
  "built-in",
  "functions",
  "script",
  "adapter",
] as const;
export type Framework = (typeof frameworks)[number];

export const caseStatuses = ["passed", "failed", "skipped", "todo"] as const;

/**
 * One call of a stack. `path` is a file of the project if that is known, else the name of the script. For a compiled file with a
 * source map, it is the source.
 */
const frameSchema = defineSchema((z) =>
  z.object({
    path: z.string(),
    line: z.int().positive(),
    name: z.string().optional(),
    /** The position in the compiled file, if `path` is its source. */
    compiled: z.object({ path: z.string(), line: z.int().positive() }).optional(),
  }),
);
export type Frame = OutputOf<typeof frameSchema>;

const failureSchema = defineSchema((z) =>
  z.object({
    /** The text without its stack. If a case has several failures, this is the text of all of them. */
    message: z.string(),
    /** The stack, innermost call first. */
    frames: z.array(frameSchema(z)).default([]),
    /** The two values of a comparison, as Luau writes them. Either both are present or neither. */
    expected: z.string().optional(),
    received: z.string().optional(),
    /** For a case that ran out of time: what it waited for, or that it never yielded. */
    waitsIn: z.string().optional(),
    isTimeout: z.boolean().optional(),
    /** Pictures of differences: what was expected, what there is, and where they differ. Relative to the project's folder. */
    pictures: z.array(z.string()).optional(),
  }),
);
export type Failure = OutputOf<typeof failureSchema>;

/** The fields of every event of a file. */
const fileFields = (z: Zod) => ({
  /** Relative to the project's folder, with slashes. */
  file: z.string(),
  /** The project of the file, if the run has several and its name is not the path of its folder. */
  project: z.string().optional(),
  /** The suite, if the run has several. */
  suite: z.string().optional(),
  /** Where the file ran: `server`, `client`, or `client 2` for the second of several clients; absent for the edited place. */
  context: z.string().optional(),
  /** The number of the repetition, from 1; absent if files run only once. */
  repeat: z.int().positive().optional(),
  /** 1 for the first try, 2 for the first retry. */
  try: z.int().positive().default(1),
});

/** The fields of every event of a case. `id` is the same in every run: the names of the case, joined. */
const caseFields = (z: Zod) => ({
  ...fileFields(z),
  id: z.string(),
  /** From the outermost `describe` to the `it`. */
  names: z.array(z.string()).min(1),
  line: z.int().positive().optional(),
  /** The source from which the file was compiled, with the line of the case. Without a source map, there is no line. */
  source: z.object({ path: z.string(), line: z.int().positive().optional() }).optional(),
});

/** Which stored snapshots a run may write: none, new ones, or all that differ. With `all`, obsolete ones are removed too. */
export const snapshotModes = ["none", "new", "all"] as const;
export type SnapshotMode = (typeof snapshotModes)[number];

/** The name of the one failed case of a file that cannot be read, compiled or loaded. */
export const FILE_CASE = "(file)";
/** The start of the reason of a case that was left out because its target cannot run it; `harness/HeldClock.luau` gives it. */
export const ONLY_HEADLESS = "only headless Studio";
/** The error that `require` raises for every module that fails. Its cause is in the Output, before this error. */
export const NOT_LOADED = "Requested module experienced an error while loading";
/** The start of the message of a failure for a Promise that was rejected without a handler. */
export const UNHANDLED_REJECTION = "unhandled Promise rejection";

/** The numbers of stored snapshots of a file, by what became of them. */
export const snapshotCounts = (z: Zod) => ({
  written: z.int(),
  updated: z.int(),
  removed: z.int(),
  /** Snapshots that no case has read. */
  obsolete: z.int(),
  /** Snapshots that differ from the value of their case, or that are missing and the run may not write. */
  failed: z.int(),
});

/** The same as a type. */
export type SnapshotCounts = Readonly<
  Record<"written" | "updated" | "removed" | "obsolete" | "failed", number>
>;

/** How often a case was flaky, which means that it passed only when it was tried again. */
export const flakeRateFields = (z: Zod) => ({
  /** The number of runs in which the case was flaky. */
  flakyRuns: z.int().positive(),
  /** The number of runs in which the case ran and would have been tried again. */
  runs: z.int().positive(),
});

export const testEventSchema = defineSchema((z) =>
  z.union([
    z.object({
      type: z.literal("run"),
      id: z.string(),
      version: z.string(),
      target: z.string(),
      /** Milliseconds since the epoch. */
      startedAt: z.number(),
      /** The seed of the random order of files and cases; absent if the order is not random. */
      seed: z.int().optional(),
      /** How often a failed case is tried again; absent if it is not. */
      retries: z.int().positive().optional(),
      /** The cases that were chosen in the files: the cases that failed the last time, or some others; absent for all cases. */
      scope: z.enum(["failed", "some"]).optional(),
      shard: z.string().optional(),
      files: z.array(z.string()),
      /** The thresholds of coverage of the projects of the run, if it has several; files below `prefix` count. */
      thresholds: z
        .array(
          z.object({
            prefix: z.string(),
            lines: z.number().optional(),
            functions: z.number().optional(),
            perFile: z.boolean().optional(),
          }),
        )
        .optional(),
      /** The number of files that all shards together run; absent if the run is no shard. */
      filesInAllShards: z.int().optional(),
    }),
    z.object({
      type: z.literal("file-start"),
      ...fileFields(z),
      framework: z.enum(frameworks),
      worker: z.int().positive(),
      /** The source from which the file was compiled, if a source map names it. */
      source: z.string().optional(),
    }),
    z.object({ type: z.literal("case-start"), ...caseFields(z) }),
    z.object({
      type: z.literal("case-end"),
      ...caseFields(z),
      status: z.enum(caseStatuses),
      durationMs: z.number().nonnegative(),
      /** The reason why the case was skipped. */
      reason: z.string().optional(),
      failure: failureSchema(z).optional(),
    }),
    z.object({
      type: z.literal("output"),
      ...fileFields(z),
      /** The case that printed the text; absent if that is not known. */
      id: z.string().optional(),
      level: logLevelSchema(z),
      text: z.string(),
    }),
    z.object({
      /** The outcome for the stored snapshots of the file. */
      type: z.literal("snapshots"),
      ...fileFields(z),
      ...snapshotCounts(z),
      /** The new content of the file of snapshots; null if the file is to be removed, absent if it stays as it is. */
      content: z.string().nullable().optional(),
    }),
    /** The outcome for the expected pictures of the file. */
    z.object({ type: z.literal("pictures"), ...fileFields(z), ...snapshotCounts(z) }),
    z.object({
      /** An error after the end of the file, raised by a thread or a connection that the file has left. */
      type: z.literal("late-error"),
      ...fileFields(z),
      /** The file that ran when the error was raised. */
      during: z.string(),
      failure: failureSchema(z),
    }),
    z.object({
      type: z.literal("file-end"),
      ...fileFields(z),
      durationMs: z.number().nonnegative(),
      /** Some cases of the file are focused, so that its other cases were left out. */
      hasFocus: z.boolean().optional(),
      /** Paths of the Instances that the file has made and left in the place. */
      leaked: z.array(z.string()).optional(),
      /** The run ended before the file did, so that some of its cases are missing. */
      isUnfinished: z.boolean().optional(),
      /** The file has cases, but none of them was chosen. */
      isLeftOut: z.boolean().optional(),
      /** Some cases of the file failed and will be tried again, so that another `file-end` follows. */
      isRetried: z.boolean().optional(),
    }),
    /** The coverage of the whole run: one event, or none if the run counts no lines. */
    z.object({
      type: z.literal("coverage"),
      files: z.array(fileCoverageSchema(z)),
      /** The percentage of lines that ran in the run of all tests before, if this is such a run too. */
      linesBefore: z.number().optional(),
    }),
    z.object({
      /** Files of stored snapshots whose test no longer exists. At most one event for a run, and only if the run had all files. */
      type: z.literal("obsolete-snapshots"),
      /** Relative to the project's folder, with slashes. */
      files: z.array(z.string()).min(1),
      /** True if the run removes them. */
      areRemoved: z.boolean(),
    }),
    z.object({
      /** What is known about a case that was flaky in this run, from this run and earlier ones. */
      type: z.literal("flake-rate"),
      file: z.string(),
      suite: z.string().optional(),
      id: z.string(),
      ...flakeRateFields(z),
    }),
    z.object({
      /** What the headless Studios of the run have done otherwise than Roblox Studio; none if there is nothing to tell. */
      type: z.literal("caveats"),
      ...caveatFields(z),
    }),
    z.object({
      type: z.literal("run-end"),
      durationMs: z.number().nonnegative(),
      /** The reason why the run ended early; absent for a run that came to its end. */
      ended: z.enum(["bail", "interrupted", "timeout", "broken"]).optional(),
      message: z.string().optional(),
    }),
  ]),
);
export type TestEvent = OutputOf<typeof testEventSchema>;
export type CaseEnd = Extract<TestEvent, { readonly type: "case-end" }>;
export type ObsoleteSnapshots = Extract<TestEvent, { readonly type: "obsolete-snapshots" }>;
export type FlakeRate = Pick<Extract<TestEvent, { readonly type: "flake-rate" }>, "flakyRuns" | "runs">;

/** Receives the events of a run, in order. */
export type Report = (event: TestEvent) => void;
