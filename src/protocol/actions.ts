/**
 * THE action table: one row per request that the plugin answers. Message unions, decoders, capabilities, typed calls,
 * default timeouts, the Luau constants, golden files and docs/protocol.md are derived from it.
 */
import type { z } from "zod";
import { mapOf } from "./envelope.ts";
import { limits } from "./limits.ts";
import { defineSchema } from "./schema.ts";
import type { OutputOf, Schema, Zod } from "./schema.ts";
import { serializedValueSchema } from "./values.ts";
import type { SerializedValue } from "./values.ts";

export const contexts = ["edit", "server", "client"] as const;
export const contextSchema = defineSchema((z) => z.enum(contexts));
export type SessionContext = OutputOf<typeof contextSchema>;

/** Which client of one Studio a `client` session belongs to; absent with a single client. */
export const playerSchema = defineSchema((z) =>
  z.object({
    name: z.string().describe("Name of the player."),
    index: z.int().positive().describe("Number of the client, counted from 1 in the order of joining."),
  }),
);

export const studioStates = ["Edit", "Play", "Paused", "Run", "Server", "Client"] as const;
export const studioStateSchema = defineSchema((z) => z.enum(studioStates));
export type StudioState = OutputOf<typeof studioStateSchema>;

/** What the plugin can wait for. */
export const waitConditions = ["until", "exists", "gone", "property", "players", "state"] as const;

export const logLevels = ["Print", "Info", "Warning", "Error"] as const;
export const logLevelSchema = defineSchema((z) => z.enum(logLevels));
export type LogLevel = OutputOf<typeof logLevelSchema>;
/** The levels of a script's own lines. `Event` is no text for people but JSON that the script sends with `sb.emit`. */
export const outputLevels = [...logLevels, "Event"] as const;

export const logEntrySchema = defineSchema((z) =>
  z.object({
    level: logLevelSchema(z).describe("Kind of the line."),
    body: z.string().describe("Text of the line."),
    timestamp: z.number().describe("Milliseconds since the plugin started."),
    time: z.number().optional().describe("Milliseconds since the Unix epoch."),
    seq: z
      .int()
      .positive()
      .optional()
      .describe("Number of the line in the log of its session, counted from the start of the plugin."),
    context: contextSchema(z)
      .optional()
      .describe(
        "Context that printed the line, if it is not the session's own: edit keeps the lines of play too.",
      ),
    player: playerSchema(z).optional().describe("Client that printed the line, if the test has several."),
    isOutput: z
      .boolean()
      .optional()
      .describe(
        "True for a line that a script of `execute` printed, because its caller has the line as output.",
      ),
  }),
);
export type LogEntry = OutputOf<typeof logEntrySchema>;

export interface DataModelInstance {
  /** Absent from older plugins. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly className: string;
  /** Dot path from `game`, with `\.` for dots inside names. */
  readonly path: string;
  readonly properties: { readonly [name: string]: SerializedValue };
  /** Plugins always send them, empty where the request did not ask for any; commands leave them out then. */
  readonly attributes?: { readonly [name: string]: SerializedValue } | undefined;
  readonly childCount: number;
  /** Present only where the requested depth reaches. */
  readonly children?: readonly DataModelInstance[] | undefined;
}

export const dataModelInstanceSchema: Schema<z.ZodType<DataModelInstance>> = defineSchema((z) =>
  z.lazy(() =>
    z.object({
      id: z.string().optional().describe("Id of the Instance, such as `@17`. Older plugins send none."),
      name: z.string().describe("Name of the Instance."),
      className: z.string().describe("Class of the Instance."),
      path: z
        .string()
        .describe("Path from `game`, with dots between names and `\\.` for a dot inside a name."),
      properties: mapOf(z, serializedValueSchema(z)).describe(
        "Values of the properties that were asked for.",
      ),
      attributes: mapOf(z, serializedValueSchema(z))
        .optional()
        .describe(
          "Values of the attributes. Where they were not asked for, plugins send none, and commands leave the key out.",
        ),
      childCount: z.int().nonnegative().describe("How many children the Instance has."),
      children: z
        .array(dataModelInstanceSchema(z))
        .optional()
        .describe("The children, each with these same fields, where the requested depth reaches them."),
    }),
  ),
);

export const errorInfoSchema = defineSchema((z) =>
  z.object({
    code: z.string().describe("Error code, such as `SCRIPT_RUNTIME_ERROR`."),
    line: z.int().positive().optional().describe("Line of the script that failed."),
    traceback: z
      .string()
      .optional()
      .describe("Calls that led to the failure, one a line, the innermost first."),
    isIncomplete: z
      .boolean()
      .optional()
      .describe("True for an interactive script whose source ends too early, so more text may complete it."),
    isExpression: z
      .boolean()
      .optional()
      .describe("True for a source that is an expression, so `return` in front of it makes it a script."),
    value: serializedValueSchema(z).optional().describe("The table that was raised as the error."),
  }),
);

export const subscribableEvents = ["stateChange", "logPush", "otherLogPush", "treeChange"] as const;
const eventsOf = (z: Zod, meaning: string) => ({
  events: z.array(z.enum(subscribableEvents)).describe(meaning),
});

/** For questions that Studio answers at once when it can. */
const STUDIO_BUSY =
  "A script or a dialog may keep Studio busy. Try again, or wait longer with --timeout (milliseconds).";

const SAVED = "Reads what is saved, in place of what the script editor shows.";

/** How many Instances one request may name. */
export const MAX_ITEMS = 5_000;
/** Of a frame of 16 ms, so that a person who works in Studio notices nothing. */
export const SLICE_MS = 6;

export const EXECUTE_TIMEOUT_MS = 120_000;

/** Who asks. */
export const callerSchema = defineSchema((z) =>
  z.object({
    id: z.string().min(1).max(128).describe("Id of the client, the same for all of its requests."),
    name: z.string().max(128).describe("What the client says that it is, for people. Nothing proves it."),
    version: z.string().max(64).optional().describe("Version of that program."),
    pid: z.int().positive().optional().describe("Id of the process that sends the request."),
  }),
);
export type Caller = OutputOf<typeof callerSchema>;

const valuesOf = (z: Zod, meaning: string) =>
  z.record(z.string(), serializedValueSchema(z)).optional().describe(meaning);

const operationKinds = [
  "create",
  "set",
  "delete",
  "move",
  "rename",
  "clone",
  "replace",
  "tag",
  "source",
] as const;

const operationSchema = defineSchema((z) =>
  z.object({
    op: z.enum(operationKinds).describe("What is done."),
    path: z
      .string()
      .optional()
      .describe("The Instance that is changed: its path, its id, or `$NAME`. Not for `create`."),
    className: z
      .string()
      .optional()
      .describe(
        "Class of the Instance that `create` makes, or that `replace` puts in the place of another one, with the children of that one, the references to it, and what both classes have.",
      ),
    model: z
      .string()
      .optional()
      .describe(
        "Bytes of a binary model file as Base64, whose only outermost Instance `create` takes in place of a new one.",
      ),
    parent: z.string().optional().describe("The Instance that `create`, `clone` and `move` put it below."),
    name: z.string().optional().describe("Name that `create`, `clone` and `rename` give."),
    as: z
      .string()
      .optional()
      .describe("Later operations name the Instance of this one, or the one that it made, by `$` and this."),
    properties: valuesOf(
      z,
      "Values that `create` and `set` give properties. `nil` sets a reference to nil, and any other property to its default.",
    ),
    attributes: valuesOf(z, "Values that `create` and `set` give attributes; `nil` removes one."),
    tags: z.array(z.string()).optional().describe("Tags of the Instance that `create` makes."),
    add: z.array(z.string()).optional().describe("Tags that `tag` adds."),
    remove: z.array(z.string()).optional().describe("Tags that `tag` removes."),
    source: z.string().optional().describe("What `source` makes the source of a script."),
    after: z
      .int()
      .nonnegative()
      .optional()
      .describe("Position of an earlier operation. If that one cannot be done, this one is not tried."),
    expect: z
      .object({
        className: z.string().optional().describe("Class of the Instance."),
        name: z.string().optional().describe("Name of the Instance."),
        parent: z.string().optional().describe("Path or id of its parent."),
        hash: z.string().optional().describe("SHA-1 of the script's source as a git blob."),
        properties: valuesOf(z, "Values of properties; `nil` for no Instance, or for the default."),
        attributes: valuesOf(z, "Values of attributes; `nil` for one that is not there."),
        unchangedSince: z
          .string()
          .optional()
          .describe(
            "A `mark` of `readTree`, since which neither the Instance nor anything below it has changed.",
          ),
      })
      .optional()
      .describe("What must hold for the Instance before the operation; else nothing is changed."),
  }),
);
export type PatchOperation = OutputOf<typeof operationSchema>;

const verdictSchema = defineSchema((z) =>
  z.object({
    index: z.int().nonnegative().describe("Position of the operation, counted from 0."),
    ok: z.boolean().describe("Whether the operation can be done."),
    path: z
      .string()
      .optional()
      .describe("Path of the Instance after the patch; absent where it is in the place no more."),
    id: z.string().optional().describe("Id of the Instance."),
    className: z.string().optional().describe("Class of the Instance."),
    code: z.string().optional().describe("Error code of an operation that cannot be done."),
    message: z.string().optional().describe("What is wrong with it, for people."),
    details: z.unknown().optional().describe("What is wrong with it, in parts."),
    before: z.unknown().optional().describe("What the operation names, as it was."),
    after: z.unknown().optional().describe("What the operation names, as it is afterwards."),
  }),
);
export type PatchVerdict = OutputOf<typeof verdictSchema>;

export const undoReportSchema = defineSchema((z) =>
  z.object({
    recorded: z
      .union([z.boolean(), z.literal("partly")])
      .describe("Whether the call is one undo step of Studio; `partly` for a script that went on after it."),
    name: z.string().describe("Name of the step."),
    reason: z.string().optional().describe("Why it is no step, or not the whole of it."),
  }),
);

/** Names a sync to the machine that made it. */
export const syncOfStepSchema = defineSchema((z) =>
  z.object({
    project: z.string().max(64).describe("Key of the project in the state folder of the client's machine."),
    plan: z.string().max(64).describe("Id of the plan."),
  }),
);
export type SyncOfStep = OutputOf<typeof syncOfStepSchema>;

const stepSchema = defineSchema((z) =>
  z.object({
    name: z.string().describe("Name of the step."),
    by: z.string().describe("Who made it."),
    callerId: z.string().describe("Id of the client; empty for a step of another caller."),
    isPartial: z.boolean().describe("True for a script that went on after the recording had ended."),
    at: z
      .number()
      .optional()
      .describe("When it was made, in milliseconds since 1970; absent for a step of another caller."),
    count: z.int().nonnegative().optional().describe("How many Instances it changed, where that is known."),
    paths: z.array(z.string()).optional().describe("The first paths of those."),
    script: z.string().optional().describe("The first line of the script that made it."),
    sync: syncOfStepSchema(z).optional().describe("The sync that it belongs to."),
  }),
);

/** What a script is given, whether it runs for good or for trial. */
const scriptFields = (z: Zod) => ({
  script: z.string().describe("Luau source."),
  args: z.array(z.string()).default([]).describe("Strings that the script gets as `...`."),
  variables: z
    .array(z.string())
    .default([])
    .describe("Values for the script's `sb.env`, each as `NAME=VALUE`."),
  input: z.string().optional().describe("Text for the script's `sb.input`."),
  chunkName: z.string().max(256).default("Script").describe("Name of the script in errors and tracebacks."),
  timeoutMs: z
    .int()
    .positive()
    .default(EXECUTE_TIMEOUT_MS)
    .describe("Milliseconds from the arrival at the plugin until the script is stopped."),
  interactive: z
    .boolean()
    .default(false)
    .describe("True for a line that a person typed: an expression gives its value, and globals stay."),
  keepsGlobals: z
    .boolean()
    .default(false)
    .describe(
      "True where later scripts with this field, or with `interactive`, see the globals that the script makes, and its first value as `_`.",
    ),
  fresh: z
    .boolean()
    .default(false)
    .describe("Modules that have changed since such a script loaded them are loaded anew."),
  moduleSet: z
    .string()
    .max(64)
    .optional()
    .describe(
      "For `fresh`: modules that scripts with another name here have loaded are loaded anew. Gives the script `sb.compileModules`, which takes a function of a module and its source that returns the module's function, or nil where the plugin is to compile it.",
    ),
  caller: callerSchema(z).optional().describe("Whose undo step the script's changes are."),
  emits: z
    .boolean()
    .default(false)
    .describe(
      "Gives the script `sb.emit`, which sends a value as a line of the level `Event`, and `sb.limitResumption`, which limits how many seconds a thread may run without a yield.",
    ),
});

/** How a script ended. */
const scriptEndFields = (z: Zod) => ({
  success: z.boolean().describe("False for a script that does not compile, fails, or is stopped."),
  error: z.string().optional().describe("What went wrong, in one text for people."),
  errorInfo: errorInfoSchema(z).optional().describe("What went wrong, in parts."),
  returnValues: z.array(serializedValueSchema(z)).default([]).describe("Values that the script returned."),
  durationMs: z.number().nonnegative().default(0).describe("Milliseconds that the script ran."),
  outputCount: z
    .int()
    .nonnegative()
    .optional()
    .describe("How many lines were sent as `output`, so a receiver notices a missing one."),
  undo: undoReportSchema(z).optional().describe("What became of the undo step. Older plugins send none."),
});

const changePairSchema = defineSchema((z) =>
  z.object({
    before: serializedValueSchema(z).optional().describe("The value before; absent if there was none."),
    after: serializedValueSchema(z).optional().describe("The value afterwards; absent if there is none."),
  }),
);

export const changeKinds = ["added", "removed", "moved", "changed"] as const;

/** One Instance that differs between two states of a place. */
export const wireChangeSchema = defineSchema((z) =>
  z.object({
    path: z.string().describe("Path of the Instance after the change; before it, if it was removed."),
    className: z.string().describe("Class of the Instance."),
    id: z.string().optional().describe("Id of the Instance."),
    change: z.enum(changeKinds).describe("What happened to it."),
    properties: mapOf(z, changePairSchema(z)).describe(
      "The properties that differ; for an added Instance, those that differ from the defaults of its class. `Parent` has paths.",
    ),
    attributes: mapOf(z, changePairSchema(z)).optional().describe("The attributes that differ."),
    tags: z
      .object({
        before: z.array(z.string()).describe("The tags before."),
        after: z.array(z.string()).describe("The tags afterwards."),
      })
      .optional()
      .describe("Present if the tags differ."),
    source: z
      .object({
        before: z.string().describe("The source before."),
        after: z.string().describe("The source afterwards."),
      })
      .optional()
      .describe("Present if the source of a script differs."),
  }),
);
export type WireChange = OutputOf<typeof wireChangeSchema>;

export const restoredCopySchema = defineSchema((z) =>
  z.object({
    path: z.string().optional().describe("Path of the Instance."),
    id: z.string().describe("Id of the Instance, which is that of the destroyed one."),
    className: z.string().describe("Class of the Instance."),
  }),
);

/** How results name an Instance. */
const namedInstance = (z: Zod) => ({
  path: z.string().describe("Path from `game`."),
  id: z.string().describe("Number of the Instance, such as `@17`, while the plugin lives."),
});

export const actions = {
  queryState: {
    reply: "stateResult",
    /** Subject of "… timed out after 5 seconds." */
    subject: "State query",
    /** Object of "does not support …". */
    capability: "state queries",
    timeoutMs: 5_000,
    /** The next step after a timeout, where the usual one does not fit. */
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) => z.object({}).describe("Asks which mode Studio is in, and of which place.")),
    result: defineSchema((z) =>
      z
        .object({
          state: studioStateSchema(z).describe("Mode of the session's DataModel."),
          placeName: z.string().describe("Name of the place."),
          placeId: z.number().describe("Roblox's id of the place; 0 while it is unpublished."),
          gameId: z.number().describe("Roblox's id of the experience; 0 while it is unpublished."),
        })
        .describe("The mode and the place."),
    ),
  },
  queryLogs: {
    reply: "logsResult",
    subject: "Log query",
    capability: "log queries",
    timeoutMs: 10_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          count: z.int().positive().default(50).describe("How many lines to give, after the filters."),
          direction: z
            .enum(["head", "tail"])
            .default("tail")
            .describe("`head` gives the oldest lines, `tail` the newest."),
          levels: z
            .array(logLevelSchema(z))
            .optional()
            .describe("Only lines of these kinds; all without it."),
          includeInternal: z
            .boolean()
            .default(false)
            .describe("Includes the plugin's own lines, which start with `[StudioBridge]`."),
        })
        .describe("Asks for lines of Studio's Output."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          entries: z.array(logEntrySchema(z)).describe("The lines, the oldest first in either direction."),
          total: z.int().nonnegative().describe("Lines in the buffer, before the filters and `count`."),
          bufferCapacity: z.int().positive().describe("How many lines the plugin keeps."),
          lastSeq: z
            .int()
            .nonnegative()
            .optional()
            .describe("Number of the newest line, before the filters and `count`; 0 for none."),
        })
        .describe("The lines that were asked for."),
    ),
  },
  queryDataModel: {
    reply: "dataModelResult",
    subject: "DataModel query",
    capability: "DataModel queries",
    timeoutMs: 10_000,
    lateHint: "Ask for fewer levels (--depth), or wait longer with --timeout (milliseconds).",
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          path: z
            .string()
            .min(1)
            .optional()
            .describe(
              "Path from `game` to an Instance or a property; may be absent only with `listServices`.",
            ),
          depth: z
            .int()
            .nonnegative()
            .default(0)
            .describe("How many levels of children to include; 0 gives the Instance alone."),
          properties: z
            .array(z.string())
            .optional()
            .describe("Names of the properties to read; Name, ClassName and Parent without it."),
          allProperties: z
            .boolean()
            .default(false)
            .describe("Reads every property that the class of an Instance has, in place of `properties`."),
          includeAttributes: z.boolean().default(false).describe("Reads the attributes too."),
          listServices: z.boolean().default(false).describe("Gives the services, in place of a path."),
        })
        .describe("Asks for Instances of the DataModel."),
    ),
    result: defineSchema((z) =>
      z
        .object({ instance: dataModelInstanceSchema(z).describe("The Instance that the path leads to.") })
        .describe("The Instance that was asked for, with its descendants as deep as asked."),
    ),
  },
  checkSources: {
    reply: "sourcesChecked",
    subject: "Checking of sources",
    capability: "checking sources",
    timeoutMs: 30_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({ sources: z.array(z.string()).describe("Luau sources.") })
        .describe("Asks what the Luau compiler says of sources. None of them runs."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          isChecked: z.boolean().describe("False where this Studio has no compiler that plugins may ask."),
          faults: z
            .array(
              z.object({
                index: z.int().nonnegative().describe("Position of the source, counted from 0."),
                line: z.int().positive().optional().describe("Line of the fault."),
                message: z.string().describe("What is wrong."),
              }),
            )
            .describe("The first fault of each source that does not compile."),
        })
        .describe("What the compiler said."),
    ),
  },
  readScript: {
    reply: "scriptResult",
    subject: "Reading of a script",
    capability: "reading scripts",
    timeoutMs: 10_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          path: z.string().min(1).describe("Path from `game` to the script."),
          saved: z.boolean().default(false).describe(SAVED),
        })
        .describe("Asks for the source of one script."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          ...namedInstance(z),
          className: z.string().describe("Class of the script."),
          isDraft: z.boolean().describe("True if the source is what the script editor shows."),
          hasUnsavedDraft: z
            .boolean()
            .describe("True if the script editor shows something else than what is saved."),
          source: z.string().optional().describe("The source."),
          base64: z
            .string()
            .optional()
            .describe("The source as Base64, in place of `source`, if it is not valid UTF-8."),
        })
        .describe("The script that was asked for."),
    ),
  },
  readScripts: {
    reply: "scriptsResult",
    subject: "Reading of scripts",
    capability: "reading scripts",
    timeoutMs: 30_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          path: z
            .string()
            .min(1)
            .default("game")
            .describe("Path from `game` to the Instance whose scripts are read, itself included."),
          className: z.string().optional().describe("Only scripts of this class or of one that inherits it."),
          saved: z.boolean().default(false).describe(SAVED),
          generation: z
            .string()
            .default("")
            .describe("The life of the plugin that `revisions` are from; another one has none of them."),
          revisions: z
            .array(z.int().nonnegative())
            .optional()
            .describe("Gives the texts of these revisions, in place of the list of scripts."),
        })
        .describe("Asks for the sources of many scripts."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          generation: z
            .string()
            .describe("Names the life of the plugin, in which a revision means one text."),
          paths: z
            .array(z.string())
            .describe(
              "Path from `game` of each script, in the order of the tree; none where texts were asked for.",
            ),
          revisions: z.array(z.int()).describe("For each of the paths, the revision of its text."),
          newRevisions: z
            .array(z.int())
            .describe(
              "Revisions whose texts are in this reply: those that were asked for, as far as there was room for them and a script still has them.",
            ),
          newSizes: z
            .array(z.int())
            .describe("For each of the new revisions, the size of its text in bytes."),
          newTexts: z
            .string()
            .describe("The new texts behind one another, with U+FFFD for what is not valid UTF-8."),
        })
        .describe("The scripts that were asked for."),
    ),
  },
  readTree: {
    reply: "treeResult",
    subject: "Reading of the tree",
    capability: "reading trees",
    timeoutMs: 30_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          roots: z
            .array(z.string().min(1))
            .default(["game"])
            .describe(
              "Paths or ids of the Instances that are read with all that is below them. `game` stands for the services that make up a place.",
            ),
          cursor: z
            .string()
            .optional()
            .describe("Asks for the next page of a reading, as its last page said; `roots` is ignored then."),
          budget: z
            .int()
            .positive()
            .default(limits.sourcesPerReplyBytes)
            .describe(`About how many bytes a page may have; at most ${limits.treePageBytes}.`),
          sliceMs: z
            .number()
            .nonnegative()
            .default(SLICE_MS)
            .describe("Milliseconds of work in one frame of Studio; at most 100."),
          hashes: z
            .boolean()
            .default(true)
            .describe("False leaves out the hashes, sources and references, and reads no properties."),
          watch: z
            .boolean()
            .default(false)
            .describe(
              "Watches the place from now on, so that hashes need not be made again and `since` works. Only the edited place can be watched.",
            ),
          since: z
            .string()
            .optional()
            .describe(
              "With `watch`: the `mark` of an earlier reading with the same roots. Only what has changed since is read, if that is still known.",
            ),
        })
        .describe("Asks for a page of the tree below some Instances."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          generation: z
            .string()
            .describe("Names the life of the plugin, in which a number means one Instance."),
          rootPaths: z
            .array(z.string())
            .describe("Path from `game` of each root in this page, in the order of their rows."),
          isPartial: z
            .boolean()
            .describe("True if the reading has only what changed since the mark that was given."),
          total: z.int().nonnegative().describe("About how many rows the whole reading has."),
          cursor: z.string().optional().describe("Asks for the next page; absent in the last one."),
          mark: z
            .string()
            .optional()
            .describe(
              "With `watch`, in the last page: names the moment when the reading began, for `since`.",
            ),
          ids: z
            .string()
            .describe(
              "The numbers of the Instances in the order of the tree, a parent before its children, with commas between them: `17` of the id `@17`. What moved since the mark is behind its siblings.",
            ),
          parents: z
            .string()
            .describe("For each row, the number of the parent; 0 for a root. Commas between them."),
          names: z
            .string()
            .describe(
              "For each row, the name, with line feeds between them. A line feed in a name is written `\\n`, a backslash `\\\\`.",
            ),
          classes: z
            .string()
            .describe("For each row, the position of its class in `classNames`, with commas between them."),
          classNames: z.array(z.string()).describe("The classes that occur in this page."),
          hashes: z
            .string()
            .describe(
              "For each row, the hash of its properties, attributes and tags, with commas between them; empty for an Instance that is like a new one. Only the properties that differ from those of a new Instance count. Name, class, source and references do not.",
            ),
          scripts: z.array(z.int()).describe("Positions of the rows that are scripts, counted from 0."),
          sourceHashes: z
            .array(z.string())
            .describe(
              "For each of the scripts, the SHA-1 of its source as a git blob; of what the script editor shows, where that differs from what is saved.",
            ),
          drafts: z
            .array(z.int())
            .describe("Positions of the rows whose script editor shows something else than what is saved."),
          referrers: z
            .array(z.int())
            .describe(
              "Positions of the rows with a property that refers to an Instance, once for each property.",
            ),
          referenceNames: z
            .array(z.string())
            .describe("For each of the referrers, the name of the property."),
          referenceTargets: z
            .array(z.int())
            .describe("For each of the referrers, the number of the Instance that is referred to."),
          removed: z
            .array(z.int())
            .describe(
              "Numbers of Instances that have left the roots since the mark or since the reading began.",
            ),
        })
        .describe("A page of a tree, in columns."),
    ),
  },
  readItems: {
    reply: "itemsResult",
    subject: "Reading of Instances",
    capability: "reading trees",
    timeoutMs: 30_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          ids: z
            .array(z.int().positive())
            .max(MAX_ITEMS)
            .describe("Numbers of the Instances, as `readTree` gives them."),
          aspects: z
            .array(z.enum(["properties", "custom", "defaults", "attributes", "tags", "source"]))
            .describe("What is read of each."),
          saved: z.boolean().default(false).describe(SAVED),
          sliceMs: z
            .number()
            .nonnegative()
            .default(SLICE_MS)
            .describe("Milliseconds of work in one frame of Studio; at most 100."),
        })
        .describe("Asks what some Instances are made of."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          items: z
            .array(
              z.object({
                id: z.int().positive().describe("Number of the Instance."),
                className: z.string().describe("Class of the Instance."),
                properties: mapOf(z, serializedValueSchema(z))
                  .optional()
                  .describe(
                    "Properties that differ from those of a new Instance; of a class that scripts cannot make, all that are not nil. Those that make up the hash of `readTree`, and references.",
                  ),
                defaults: mapOf(z, serializedValueSchema(z))
                  .optional()
                  .describe(
                    "The properties of a new Instance of the class; none for a class that scripts cannot make.",
                  ),
                attributes: mapOf(z, serializedValueSchema(z)).optional().describe("The attributes."),
                tags: z.array(z.string()).optional().describe("The tags."),
                source: z.string().optional().describe("Source of a script."),
                base64: z
                  .string()
                  .optional()
                  .describe("The source as Base64, in place of `source`, if it is not valid UTF-8."),
                isDraft: z
                  .boolean()
                  .optional()
                  .describe("Of a script: true if the source is what the script editor shows."),
                hasUnsavedDraft: z
                  .boolean()
                  .optional()
                  .describe(
                    "Of a script: true if the script editor shows something else than what is saved.",
                  ),
              }),
            )
            .describe(
              "The Instances in the order of their numbers in the request, without those that are gone.",
            ),
        })
        .describe("What the Instances are made of."),
    ),
  },
  othersChanges: {
    reply: "othersChangesResult",
    subject: "Question about the changes of others",
    capability: "checkpoints",
    timeoutMs: 10_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          since: z
            .string()
            .optional()
            .describe("A `mark` of an earlier reply: asks for the changes since that moment."),
        })
        .describe(
          "Asks what has changed in the edited place while no call of sb ran. The first request begins to record it.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({
          mark: z.string().describe("Names this moment."),
          isKnown: z
            .boolean()
            .describe("False if it was not recorded all the time since, so that anything may have changed."),
          changes: z
            .array(
              z.object({
                generation: z.string().describe("The life of the plugin that `id` is of."),
                id: z.int().positive().describe("Number of the Instance."),
                name: z.string().describe("Name of the Instance, when it changed."),
                className: z.string().describe("Class of the Instance."),
                path: z
                  .string()
                  .optional()
                  .describe("Path from `game`; absent if the Instance has left the place."),
              }),
            )
            .describe("The Instances that have changed, each once."),
        })
        .describe("What people and other plugins have changed."),
    ),
  },
  findInstances: {
    reply: "instancesResult",
    subject: "Search",
    capability: "selectors",
    timeoutMs: 10_000,
    lateHint: "Search below one Instance, or wait longer with --timeout (milliseconds).",
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          selector: z.string().min(1).describe("Selector, as `Instance:QueryDescendants` reads it."),
          path: z
            .string()
            .min(1)
            .default("game")
            .describe("Path from `game` to the Instance whose descendants are searched."),
          limit: z.int().positive().default(100).describe("How many Instances to give at most."),
          properties: z.array(z.string()).default([]).describe("Names of the properties to read."),
          includeAttributes: z.boolean().default(false).describe("Reads the attributes too."),
        })
        .describe("Asks for the descendants of an Instance that match a selector."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          instances: z
            .array(
              z.object({
                ...namedInstance(z),
                name: z.string().describe("Name of the Instance."),
                className: z.string().describe("Class of the Instance."),
                properties: mapOf(z, serializedValueSchema(z)).describe(
                  "Values of the properties that were asked for and that the Instance has.",
                ),
                attributes: mapOf(z, serializedValueSchema(z)).describe(
                  "Values of the attributes; empty where they were not asked for.",
                ),
              }),
            )
            .describe("The first Instances that match, each once, in the order of the selector."),
          total: z.int().nonnegative().describe("How many match."),
          missing: z
            .array(z.string())
            .default([])
            .describe("Properties that were asked for and that none of the given Instances has."),
        })
        .describe("The Instances that were found."),
    ),
  },
  select: {
    reply: "selectResult",
    subject: "Selection",
    capability: "selections",
    timeoutMs: 5_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          paths: z
            .array(z.string().min(1))
            .optional()
            .describe("Paths from `game` to what is to be selected; without it the selection stays."),
          focus: z.boolean().default(false).describe("Points the camera at the selection."),
        })
        .describe("Reads the selection of Studio, or sets it."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          selection: z.array(z.object(namedInstance(z))).describe("What is selected now."),
        })
        .describe("The selection."),
    ),
  },
  wait: {
    reply: "waitResult",
    subject: "Wait",
    capability: "waiting",
    timeoutMs: 30_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    /** It lasts until something happens, so the plugin is told when the caller is gone. */
    endsWithCaller: true,
    request: defineSchema((z) =>
      z
        .object({
          condition: z.enum(waitConditions).describe("What is waited for; the other fields say more."),
          source: z
            .string()
            .optional()
            .describe("With `until`: Luau, an expression or a chunk that returns."),
          path: z
            .string()
            .min(1)
            .optional()
            .describe("With `exists`, `gone` and `property`: path from `game` to the Instance."),
          property: z.string().min(1).optional().describe("With `property`: its name."),
          value: z
            .unknown()
            .optional()
            .describe("With `property`: the value, as JSON that fits the type of the property."),
          count: z.int().nonnegative().optional().describe("With `players`: how many at least; 0 for none."),
          state: studioStateSchema(z)
            .optional()
            .describe("With `state`: the mode of the session's DataModel."),
          timeoutMs: z
            .int()
            .positive()
            .default(30_000)
            .describe("Milliseconds from the arrival at the plugin until it answers that it was not met."),
          holdsTest: z
            .boolean()
            .default(false)
            .describe(
              "True where the play test that runs is to end when the caller of this request goes away before it is met.",
            ),
        })
        .describe("Waits for a condition. It is checked once a frame, at most 60 times a second."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          met: z.boolean().describe("False where the time ran out first."),
          waitedMs: z.number().nonnegative().describe("Milliseconds from the arrival at the plugin."),
          evidence: mapOf(z, z.unknown()).describe("What was seen when it was met, or last."),
        })
        .describe("The end of a wait."),
    ),
  },
  captureScreenshot: {
    reply: "screenshotResult",
    subject: "Screenshot capture",
    capability: "screenshots",
    timeoutMs: 15_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) => z.object({}).describe("Asks for a picture of the viewport.")),
    result: defineSchema((z) =>
      z
        .object({
          format: z
            .enum(["png", "rgba"])
            .describe("`png` is a PNG file; `rgba` is four bytes a pixel, row by row from the top left."),
          width: z.int().positive().describe("Pixels in a row."),
          height: z.int().positive().describe("Rows of pixels."),
          data: z.string().describe("The bytes of the picture, as Base64."),
        })
        .describe("The picture of the viewport."),
    ),
  },
  complete: {
    reply: "completeResult",
    subject: "Completion",
    capability: "completion",
    timeoutMs: 2_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({ text: z.string().describe("Luau source up to the cursor.") })
        .describe("Asks which names may stand at the cursor."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          fragment: z.string().describe("The end of `text`, with which each candidate starts."),
          candidates: z
            .array(z.string())
            .describe(
              "The names in alphabetical order. If there are very many, the first ones and the last one.",
            ),
        })
        .describe("The names that complete the text."),
    ),
  },
  execute: {
    reply: "scriptComplete",
    subject: "Script execution",
    capability: "script execution",
    timeoutMs: EXECUTE_TIMEOUT_MS,
    retrySafe: false,
    request: defineSchema((z) =>
      z.object(scriptFields(z)).describe("Runs a script. The scripts of a session run one after the other."),
    ),
    result: defineSchema((z) => z.object(scriptEndFields(z)).describe("The end of a script.")),
  },
  tryScript: {
    reply: "scriptTried",
    subject: "Dry run",
    capability: "dry runs of scripts",
    timeoutMs: EXECUTE_TIMEOUT_MS,
    retrySafe: false,
    request: defineSchema((z) =>
      z
        .object(scriptFields(z))
        .describe(
          "Runs a script as `execute` does, and takes back what it changed in the place until it first yielded.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({
          ...scriptEndFields(z),
          diff: z.array(wireChangeSchema(z)).describe("What the script changed before it was taken back."),
          diffTotal: z
            .int()
            .nonnegative()
            .describe("How many changes there were; `diff` has the first of them."),
          restoredAsCopy: z
            .array(restoredCopySchema(z))
            .optional()
            .describe("The destroyed Instances in whose place there are copies now."),
          notHeld: z
            .array(z.string())
            .optional()
            .describe("What the script may have done that was not taken back."),
        })
        .describe("The end of a script that was tried."),
    ),
  },
  provideInput: {
    reply: "provideInputResult",
    subject: "Script input",
    capability: "script input",
    timeoutMs: EXECUTE_TIMEOUT_MS,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          scriptId: z.string().describe("Request id of the script that asked with `inputWanted`."),
          seq: z.int().nonnegative().describe("Number of the piece, as the script asked for it."),
          text: z.string().default("").describe("The piece, of any length."),
          isLast: z.boolean().default(false).describe("True for the end of standard input."),
          fault: z
            .string()
            .optional()
            .describe("Why there is no standard input; the script's call fails with it."),
        })
        .describe("Gives a running script the next piece of standard input."),
    ),
    result: defineSchema((z) =>
      z.object({}).describe("The script has the piece, or has ended, or had it before."),
    ),
  },
  applyPatch: {
    reply: "patchResult",
    subject: "Editing",
    capability: "editing",
    timeoutMs: 30_000,
    retrySafe: false,
    request: defineSchema((z) =>
      z
        .object({
          operations: z
            .array(operationSchema(z))
            .max(limits.stepOperations)
            .describe("What is done, one after the other."),
          name: z.string().max(256).describe("Name of the undo step."),
          caller: callerSchema(z).optional().describe("Whose undo step it is."),
          sync: syncOfStepSchema(z)
            .optional()
            .describe("The sync that the step belongs to, which has changed files as well."),
          dryRun: z.boolean().default(false).describe("Gives the verdicts, and leaves everything as it is."),
          step: z
            .object({
              id: z.string().min(1).max(128).describe("The same in all requests of the step."),
              isLast: z.boolean().describe("True in the last request, which ends the step."),
            })
            .optional()
            .describe(
              "Several requests with this field are one undo step. Each does what can be done of its operations, leaves out the others, and works a few milliseconds in each frame. No other changing call runs until the last request, or until none has come for ten seconds.",
            ),
          sliceMs: z
            .number()
            .nonnegative()
            .default(SLICE_MS)
            .describe("With `step`: milliseconds of work in one frame of Studio."),
        })
        .describe(
          "Changes the place: all operations, or none where one cannot be done. The changes are one undo step.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({
          ok: z
            .boolean()
            .describe(
              "Whether all operations can be done. False: nothing was changed, except in a request with `step`.",
            ),
          items: z.array(verdictSchema(z)).describe("A verdict for each operation, in their order."),
          undo: undoReportSchema(z).describe("What became of the undo step."),
        })
        .describe("What became of a patch."),
    ),
  },
  insertModel: {
    reply: "insertResult",
    subject: "Insertion",
    capability: "inserting models",
    timeoutMs: 60_000,
    retrySafe: false,
    request: defineSchema((z) =>
      z
        .object({
          model: z.string().optional().describe("The bytes of a binary model file, as Base64."),
          assetId: z.int().positive().optional().describe("Id of an asset of Roblox, in place of `model`."),
          query: z
            .string()
            .min(1)
            .optional()
            .describe(
              "Words for the Creator Store, in place of `model`. The first free model that it finds is inserted as one Instance that is named after the words, in front of the camera.",
            ),
          parent: z
            .string()
            .min(1)
            .default("game.Workspace")
            .describe("The Instance below which the model is put: its path or its id."),
          enableScripts: z
            .boolean()
            .default(false)
            .describe(
              "Leaves Scripts and LocalScripts as they are, and takes an asset out of its sandbox. Without it they are disabled.",
            ),
          name: z.string().max(256).describe("Name of the undo step."),
          caller: callerSchema(z).optional().describe("Whose undo step it is."),
        })
        .describe("Inserts a model, as one undo step."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          inserted: z
            .array(
              z.object({
                ...namedInstance(z),
                className: z.string().describe("Class of the Instance."),
              }),
            )
            .describe("The outermost Instances of the model."),
          scripts: z.array(z.string()).describe("Paths of all scripts in the model, ModuleScripts too."),
          sandboxed: z
            .literal(true)
            .optional()
            .describe("Studio has put the asset into a sandbox, where it stays unless scripts are enabled."),
          undo: undoReportSchema(z).describe("What became of the undo step."),
        })
        .describe("What was inserted."),
    ),
  },
  exportModel: {
    reply: "exportResult",
    subject: "Export",
    capability: "exporting models",
    timeoutMs: 60_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          paths: z
            .array(z.string().min(1))
            .describe("Paths or ids of the Instances that are exported with all that is below them."),
        })
        .describe("Asks for Instances as a model file."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          model: z.string().describe("The bytes of a binary model file, as Base64."),
          roots: z.array(z.object(namedInstance(z))).describe("The outermost Instances of the model."),
          instances: z.int().positive().describe("How many Instances the model has."),
          leftOut: z
            .int()
            .nonnegative()
            .describe("How many Instances below them are not in it, because they are not Archivable."),
        })
        .describe("The model."),
    ),
  },
  queryPlaceFile: {
    reply: "placeFileResult",
    subject: "The question about the place file",
    capability: "saving",
    timeoutMs: 30_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({})
        .describe(
          "Asks a headless Studio for the file of its place, and whether there is something to save. Other Studios refuse it.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({
          file: z.string().optional().describe("The place file that was opened, or last saved to."),
          isUnsaved: z.boolean().describe("Whether the place has changed since it was opened or saved."),
        })
        .describe("The file of the place."),
    ),
  },
  savePlace: {
    reply: "savePlaceResult",
    subject: "Saving",
    capability: "saving",
    timeoutMs: 120_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({ file: z.string().min(1).describe("The whole path of a `.rbxl` or `.rbxlx` file.") })
        .describe("Saves the edited place of a headless Studio. Other Studios refuse it."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          bytes: z.int().nonnegative().describe("How large the file is."),
          instances: z.int().nonnegative().describe("How many Instances it has."),
        })
        .describe("The place is saved."),
    ),
  },
  endStudio: {
    reply: "endStudioResult",
    subject: "The end of Studio",
    capability: "ending Studio",
    timeoutMs: 120_000,
    retrySafe: false,
    request: defineSchema((z) =>
      z
        .object({
          unsaved: z
            .enum(["keep", "discard"])
            .describe("`keep` puts a place that was not saved among the kept places; `discard` drops it."),
        })
        .describe("Ends a headless Studio. Other Studios refuse it."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          kept: z.string().optional().describe("Name of the kept place."),
          dropped: z
            .array(z.string())
            .optional()
            .describe("Names of older kept places that had to go for it."),
          savedTo: z.string().optional().describe("The file that the place was saved to at the end."),
        })
        .describe("What became of the place. Studio ends after this answer."),
    ),
  },
  undo: {
    reply: "undoResult",
    subject: "Undo",
    capability: "undo",
    timeoutMs: 15_000,
    retrySafe: false,
    request: defineSchema((z) =>
      z
        .object({
          steps: z.int().positive().default(1).describe("How many steps at most."),
          redo: z.boolean().default(false).describe("Makes undone steps again."),
          only: z
            .string()
            .optional()
            .describe("Id of the client whose steps may be undone; without it, those of every client."),
          force: z.boolean().default(false).describe("Undoes the steps of others too."),
          plan: z
            .string()
            .max(64)
            .optional()
            .describe(
              "The plan of the sync whose step is meant. No other step is undone then; without it, no step of a sync is.",
            ),
        })
        .describe("Takes back the last undo steps that sb made, newest first."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          undone: z.array(z.string()).describe("Names of the steps, in the order in which they were undone."),
          stoppedAt: z
            .object({
              name: z.string().describe("Name of the step."),
              by: z.string().describe("Who made it."),
              sync: syncOfStepSchema(z)
                .optional()
                .describe("Present where it ended there because the step is that of a sync."),
            })
            .optional()
            .describe("The step that ended it: that of another caller, or of a sync."),
          forgotten: z
            .int()
            .positive()
            .optional()
            .describe("How many older steps Studio has forgotten, where there were too few."),
        })
        .describe("What was undone."),
    ),
  },
  listSteps: {
    reply: "stepsResult",
    subject: "Undo list",
    capability: "undo",
    timeoutMs: 5_000,
    retrySafe: true,
    request: defineSchema((z) => z.object({}).describe("Asks for the undo steps that sb made.")),
    result: defineSchema((z) =>
      z
        .object({
          steps: z
            .array(stepSchema(z))
            .describe(
              "The steps, newest first. A step of another caller is listed only if it is the newest.",
            ),
          undone: z
            .array(stepSchema(z))
            .default([])
            .describe("The steps that were undone and can be redone, the next one first."),
        })
        .describe("The undo steps that sb made."),
    ),
  },
  syncOpen: {
    reply: "syncOpened",
    subject: "Opening of a sync",
    capability: "syncing",
    timeoutMs: 5_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          holder: callerSchema(z).describe("The client that syncs the place; no other client may meanwhile."),
          holdMs: z
            .int()
            .nonnegative()
            .default(15_000)
            .describe(
              "Milliseconds for which the place is held; the client asks again before they are over. 0 ends the hold.",
            ),
          replaces: z
            .string()
            .optional()
            .describe("Id of a holder that is known to have ended without saying so."),
          project: z
            .string()
            .optional()
            .describe("Id of the project on the client's machine, of which the place may name a revision."),
        })
        .describe(
          "Holds the place for a sync, and asks what must be known of it. Fails if another client holds it.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({
          generation: z.string().describe("Names the life of the plugin, in which ids keep their meaning."),
          state: studioStateSchema(z).describe("Mode of the session's DataModel."),
          placeId: z.number().describe("Roblox's id of the place; 0 while it is unpublished."),
          gameId: z.number().describe("Roblox's id of the experience; 0 while it is unpublished."),
          placeName: z.string().describe("Name of the place."),
          mark: z.string().optional().describe("Id that an earlier sync has left in the place."),
          revision: z
            .object({
              named: z.string().optional().describe("The name that the place carries, with its day."),
              last: z
                .string()
                .optional()
                .describe("The name that this life of the plugin has written last, or read first."),
              lasting: z
                .string()
                .optional()
                .describe("The name that the place was given last, whatever was undone since."),
            })
            .optional()
            .describe(
              "The names of the project's revisions; absent where there is none, or no project was given.",
            ),
          canMakeModels: z
            .boolean()
            .describe("Whether this Studio makes Instances from the bytes of a model file."),
        })
        .describe("The place is held."),
    ),
  },
  nameRevision: {
    reply: "revisionNamed",
    subject: "Naming of a revision",
    capability: "syncing",
    timeoutMs: 5_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          project: z.string().describe("Id of the project on the client's machine."),
          name: z.string().describe("Name of the revision, with its day."),
        })
        .describe("Writes the name of a revision into the place, apart from any undo step."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          isWritten: z.boolean().describe("False where the place takes no attribute."),
        })
        .describe("Whether the place has the name now."),
    ),
  },
  watchTree: {
    reply: "treeWatched",
    subject: "Watching of the tree",
    capability: "watching the tree",
    timeoutMs: 30_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          isOn: z.boolean().describe("False ends the watching."),
        })
        .describe(
          "Watches the edited place, and sends `treeChange` to the sessions' subscribers when it has changed.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({
          isWatched: z
            .boolean()
            .describe("False where it was ended, or where this DataModel cannot be watched."),
          generation: z.string().describe("Names the life of the plugin, in which ids keep their meaning."),
        })
        .describe("Whether every change from now on is told."),
    ),
  },
  subscribe: {
    reply: "subscribeResult",
    subject: "Subscription",
    capability: "subscriptions",
    timeoutMs: 5_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z.object(eventsOf(z, "Events to turn on.")).describe("Turns events on, until the connection ends."),
    ),
    result: defineSchema((z) =>
      z.object(eventsOf(z, "Events that were turned on.")).describe("Confirms a subscription."),
    ),
  },
  unsubscribe: {
    reply: "unsubscribeResult",
    subject: "Unsubscription",
    capability: "subscriptions",
    timeoutMs: 5_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) => z.object(eventsOf(z, "Events to turn off.")).describe("Turns events off.")),
    result: defineSchema((z) =>
      z.object(eventsOf(z, "Events that were turned off.")).describe("Confirms the end of a subscription."),
    ),
  },
} as const;

export type ActionName = keyof typeof actions;
export type ActionRequest<Name extends ActionName> = z.input<ReturnType<(typeof actions)[Name]["request"]>>;
export type ActionResult<Name extends ActionName> = z.output<ReturnType<(typeof actions)[Name]["result"]>>;

export const actionNames = Object.keys(actions).filter(isActionName);

/** Whether a request must not run twice: its plugin remembers it, and can be asked what became of it. */
export function runsOnce(name: ActionName): boolean {
  return !actions[name].retrySafe;
}

/** Whether a request lasts until something happens, so that its plugin is told when its caller is gone. */
export function endsWithCaller(name: ActionName): boolean {
  return "endsWithCaller" in actions[name];
}

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name);
}
