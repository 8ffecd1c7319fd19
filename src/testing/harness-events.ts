/** The events that the harness sends about one file. `run/file-record.ts` makes events of a run from them. */
import { logLevelSchema } from "../protocol/fields/log-lines.ts";
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

const failureFields = (z: Zod) =>
  z.object({
    message: z.string(),
    /** The stack, as Luau writes it. */
    trace: z.string().optional(),
    expected: z.string().optional(),
    received: z.string().optional(),
    isTimeout: z.boolean().optional(),
    /** What the case waited for when its time was over. */
    waits: z.string().optional(),
  });
const failureSchema = defineSchema((z) =>
  z.object({
    ...failureFields(z).shape,
    /** Further failures of the same case, which it did not end with. */
    more: z.array(failureFields(z)).optional(),
  }),
);
export type HarnessFailure = OutputOf<typeof failureSchema>;

/** How often the lines of one script have run. `script` is its index in the list of scripts that the harness counts. */
const scriptHitsSchema = defineSchema((z) => z.object({ script: z.int().nonnegative(), ...hitFields(z) }));
export type ScriptHits = OutputOf<typeof scriptHitsSchema>;

/** The origin of an error: a thread or a connection, a rejected Promise, or a call of TestService. */
const origin = (z: Zod) => z.enum(["thread", "promise", "test-service"]);

/** A picture that a test compares with the expected one of the same name. */
const pictureWishSchema = (z: Zod) =>
  z.object({
    name: z.string(),
    /** Only the interface. */
    gui: z.boolean().optional(),
    /** The path of what the camera looks at, or the twelve numbers of its CFrame. */
    lookAt: z.string().optional(),
    camera: z.array(z.number()).length(12).optional(),
    /** Width and height that the picture fits into. */
    size: z.array(z.int().positive()).length(2).optional(),
    /** Rectangles as X,Y,WIDTH,HEIGHT, or paths of objects. */
    masks: z.array(z.string()),
    threshold: z.number().min(0).max(1).optional(),
    maxDiff: z.int().nonnegative().optional(),
  });

/** An event before any file runs: the reason why the files of a framework will take longer than usual. */
export const slowEventSchema = defineSchema((z) => z.object({ type: z.literal("slow"), remark: z.string() }));

export const harnessEventSchema = defineSchema((z) =>
  z.union([
    /** All cases of the file, in their order. The harness then waits until it reads the ids of the cases to run. */
    z.object({ type: z.literal("plan"), cases: z.array(caseSchema(z)) }),
    z.object({ type: z.literal("case-start"), case: caseSchema(z) }),
    z.object({
      type: z.literal("case-end"),
      /** Absent for the case that started last. */
      case: caseSchema(z).optional(),
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
    /** Paths of Instances that the file left in the place. */
    z.object({ type: z.literal("left"), paths: z.array(z.string()) }),
    /**
     * The outcome for the stored snapshots of the file. `text` is the new content of the file of snapshots, `isRemoved`
     * means that the file is to be removed; without both it stays as it is.
     */
    z.object({
      type: z.literal("snapshots"),
      ...snapshotCounts(z),
      text: z.string().optional(),
      isRemoved: z.boolean().optional(),
    }),
    /** Some cases are focused, so that the other cases were left out. */
    z.object({ type: z.literal("focus") }),
    /** Which lines of the project have run since the file began. Sent only if lines are counted. */
    z.object({ type: z.literal("hits"), scripts: z.array(scriptHitsSchema(z)) }),
    /** An error of a thread or a connection that an earlier file has left. `name` is the name of that file's code. */
    z.object({ type: z.literal("late"), name: z.string(), origin: origin(z), failure: failureSchema(z) }),
    /** The harness then reads a line, which sb answers when the next frame has run. */
    z.object({ type: z.literal("frame") }),
    /** A test holds the clock of the place, moves it or lets it run on. The harness then reads a line, which sb answers afterwards. */
    z.object({
      type: z.literal("clock"),
      act: z.enum(["hold", "advance", "release"]),
      /** For `advance`. */
      seconds: z.number().nonnegative().optional(),
      /** For `hold`: the source of the harness, as it is in stacks. */
      source: z.string().optional(),
    }),
    /** A test gives input or looks at the screen. The harness then reads a line, which has the same `id` as `ui`. */
    z.object({
      type: z.literal("ui"),
      id: z.int(),
      act: z.enum(["input", "look", "see", "picture", "viewport"]),
      /** For `input`. They are checked as those of `sb input` are. */
      steps: z.array(z.unknown()).optional(),
      timeoutMs: z.number().nonnegative().optional(),
      force: z.boolean().optional(),
      /** For `look` and `see`; for `picture` an object that it shows alone. */
      target: z.string().optional(),
      /** For `picture`. */
      picture: pictureWishSchema(z).optional(),
      /** For `viewport`; absent for the one of the start. */
      viewport: z
        .object({
          width: z.number(),
          height: z.number(),
          scale: z.number(),
          insets: z.array(z.number()).length(4),
        })
        .optional(),
    }),
    /** The last event of each file. */
    z.object({ type: z.literal("end") }),
    /** The file could not be loaded. */
    z.object({ type: z.literal("broken"), failure: failureSchema(z) }),
    /** A failure of the file, although its cases run. */
    z.object({ type: z.literal("stray"), failure: failureSchema(z) }),
    /** An error that no code has caught, while a case runs or at any other time. */
    z.object({
      type: z.literal("uncaught"),
      origin: origin(z),
      failure: failureSchema(z),
      /** The function that the harness runs has caused the error. Absent if that is not known. */
      isOwn: z.boolean().optional(),
    }),
  ]),
);
export type HarnessEvent = OutputOf<typeof harnessEventSchema>;
export type Uncaught = Extract<HarnessEvent, { readonly type: "uncaught" }>;
export type ClockWish = Extract<HarnessEvent, { readonly type: "clock" }>;
export type UiWish = Extract<HarnessEvent, { readonly type: "ui" }>;
export type HarnessCase = Extract<HarnessEvent, { readonly type: "case-start" }>["case"];
