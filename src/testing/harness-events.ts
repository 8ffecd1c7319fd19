/** What the harness sends about one file, before it becomes the events of a run. */
import { logLevelSchema } from "../protocol/actions.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf, Zod } from "../protocol/schema.ts";
import { hitFields } from "./coverage/file-coverage.ts";
import { caseStatuses, snapshotCounts } from "./events.ts";

const caseSchema = (z: Zod) =>
  z.object({
    id: z.string(),
    names: z.array(z.string()).min(1),
    line: z.int().positive().optional(),
  });

/** Stacks are texts, as Luau writes them. */
const failureSchema = defineSchema((z) =>
  z.object({
    message: z.string(),
    trace: z.string().optional(),
    expected: z.string().optional(),
    received: z.string().optional(),
    isTimeout: z.boolean().optional(),
    waits: z.string().optional(),
  }),
);
export type HarnessFailure = OutputOf<typeof failureSchema>;

/** What has run of a script; `script` is its number among those that the harness was told to count. */
const scriptHitsSchema = defineSchema((z) => z.object({ script: z.int().nonnegative(), ...hitFields(z) }));
export type ScriptHits = OutputOf<typeof scriptHitsSchema>;

export const harnessEventSchema = defineSchema((z) =>
  z.union([
    /** The cases, in their order; the harness waits for the ids of those to run. */
    z.object({ type: z.literal("plan"), cases: z.array(caseSchema(z)) }),
    z.object({ type: z.literal("case-start"), case: caseSchema(z) }),
    z.object({
      type: z.literal("case-end"),
      case: caseSchema(z),
      status: z.enum(caseStatuses),
      durationMs: z.number().nonnegative(),
      reason: z.string().optional(),
      failure: failureSchema(z).optional(),
    }),
    z.object({
      type: z.literal("output"),
      id: z.string().optional(),
      level: logLevelSchema(z),
      text: z.string(),
    }),
    /** Instances that the file left in the place. */
    z.object({ type: z.literal("left"), paths: z.array(z.string()) }),
    /** What became of the stored snapshots of the file; `text` or `isRemoved` where its file of them changes. */
    z.object({
      type: z.literal("snapshots"),
      ...snapshotCounts(z),
      text: z.string().optional(),
      isRemoved: z.boolean().optional(),
    }),
    /** Some cases are focused, so that others were left out. */
    z.object({ type: z.literal("focus") }),
    /** Which lines of the project have run since the file began, where that is counted. */
    z.object({ type: z.literal("hits"), scripts: z.array(scriptHitsSchema(z)) }),
    /** An error of a thread or connection that a file before this one has left. `name` is what its code is called. */
    z.object({ type: z.literal("late"), name: z.string(), failure: failureSchema(z) }),
    /** The last event of each file. */
    z.object({ type: z.literal("end") }),
    /** The file could not be loaded. */
    z.object({ type: z.literal("broken"), failure: failureSchema(z) }),
    /** An error of a thread while no case ran. */
    z.object({ type: z.literal("stray"), failure: failureSchema(z) }),
  ]),
);
export type HarnessEvent = OutputOf<typeof harnessEventSchema>;
export type HarnessCase = Extract<HarnessEvent, { readonly type: "case-start" }>["case"];
