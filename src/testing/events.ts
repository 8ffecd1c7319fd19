/**
 * What happens in a test run, as one stream of events. The harness in Luau sends those of a file; the runner adds those of
 * the run. Reporters, merging, watching and agents read nothing else. One event a line of JSON is the format of blobs.
 */
import { logLevelSchema } from "../protocol/actions.ts";
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
] as const;
export type Framework = (typeof frameworks)[number];

export const caseStatuses = ["passed", "failed", "skipped", "todo"] as const;
export type CaseStatus = (typeof caseStatuses)[number];

/** One call in a stack, innermost first. `path` is a file of the project where it is known, else the name of the script. */
const frameSchema = defineSchema((z) =>
  z.object({
    path: z.string(),
    line: z.int().positive(),
    name: z.string().optional(),
  }),
);
export type Frame = OutputOf<typeof frameSchema>;

const failureSchema = defineSchema((z) =>
  z.object({
    /** Without a stack. Several failures of one case are one text. */
    message: z.string(),
    frames: z.array(frameSchema(z)).default([]),
    /** As Luau writes the values; both or neither. */
    expected: z.string().optional(),
    received: z.string().optional(),
    /** Of a case that ran out of time: what it was waiting for, or that it never yielded. */
    waitsIn: z.string().optional(),
    isTimeout: z.boolean().optional(),
  }),
);
export type Failure = OutputOf<typeof failureSchema>;

/** What all events of a file have. `try` counts from 1. */
const ofFile = (z: Zod) => ({
  /** Relative to the project's folder, with slashes. */
  file: z.string(),
  /** `client 2` for the second client; absent in the default context. */
  context: z.string().optional(),
  /** Counts from 1 where each file runs several times; absent else. */
  repeat: z.int().positive().optional(),
  try: z.int().positive().default(1),
});

/** `id` is the same in every run: the names of the case, joined. */
const ofCase = (z: Zod) => ({
  ...ofFile(z),
  id: z.string(),
  /** From the outermost `describe` to the `it`. */
  names: z.array(z.string()).min(1),
  line: z.int().positive().optional(),
});

/** Which stored snapshots a run may write: none, new ones, or all that differ, and then obsolete ones are removed. */
export const snapshotModes = ["none", "new", "all"] as const;
export type SnapshotMode = (typeof snapshotModes)[number];

/** A file that cannot be read, compiled or loaded is one failed case of this name. */
export const FILE_CASE = "(file)";
/** What `require` raises, whatever the cause; the Output has that before. */
export const NOT_LOADED = "Requested module experienced an error while loading";

/** How many stored snapshots of a file were written and so on. */
export const snapshotCounts = (z: Zod) => ({
  written: z.int(),
  updated: z.int(),
  removed: z.int(),
  /** Those that no case has asked for. */
  obsolete: z.int(),
  /** Those that a case did not match, or that a case wanted and the run might not write. */
  failed: z.int(),
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
      /** Of the order of files and cases, where that is random. */
      seed: z.int().optional(),
      shard: z.string().optional(),
      files: z.array(z.string()),
      /** How many files all shards together are to run. */
      filesInAllShards: z.int().optional(),
    }),
    z.object({
      type: z.literal("file-start"),
      ...ofFile(z),
      framework: z.enum(frameworks),
      worker: z.int().positive(),
    }),
    z.object({ type: z.literal("case-start"), ...ofCase(z) }),
    z.object({
      type: z.literal("case-end"),
      ...ofCase(z),
      status: z.enum(caseStatuses),
      durationMs: z.number().nonnegative(),
      /** Why it was skipped. */
      reason: z.string().optional(),
      failure: failureSchema(z).optional(),
    }),
    z.object({
      type: z.literal("output"),
      ...ofFile(z),
      /** The case that printed it, where that is known. */
      id: z.string().optional(),
      level: logLevelSchema(z),
      text: z.string(),
    }),
    /** What became of the stored snapshots of the file. */
    z.object({
      type: z.literal("snapshots"),
      ...ofFile(z),
      ...snapshotCounts(z),
      /** What the file of snapshots has to contain from now on; null where it has to go, absent where it stays. */
      content: z.string().nullable().optional(),
    }),
    z.object({
      /** After the end of the file: an error of a thread or a connection that it has left. */
      type: z.literal("late-error"),
      ...ofFile(z),
      /** The file that ran then. */
      during: z.string(),
      failure: failureSchema(z),
    }),
    z.object({
      type: z.literal("file-end"),
      ...ofFile(z),
      durationMs: z.number().nonnegative(),
      /** Cases of it that are focused, so that others were left out. */
      hasFocus: z.boolean().optional(),
      /** Instances that it made and left in the place, by their paths, where other files find them. */
      leaked: z.array(z.string()).optional(),
      /** The run ended before the file did, so that cases of it are missing. */
      isUnfinished: z.boolean().optional(),
      /** Cases of it failed and are tried again. */
      isRetried: z.boolean().optional(),
    }),
    /** Of the whole run, and once; absent where it was not asked for. */
    z.object({ type: z.literal("coverage"), files: z.array(fileCoverageSchema(z)) }),
    z.object({
      type: z.literal("run-end"),
      durationMs: z.number().nonnegative(),
      /** Why the run ended early. */
      ended: z.enum(["bail", "interrupted", "timeout", "broken"]).optional(),
      message: z.string().optional(),
    }),
  ]),
);
export type TestEvent = OutputOf<typeof testEventSchema>;
export type CaseEnd = Extract<TestEvent, { readonly type: "case-end" }>;
export type FileStart = Extract<TestEvent, { readonly type: "file-start" }>;

/** Where events go. */
export type Report = (event: TestEvent) => void;
