/** `sb logs`: what Studio printed, or prints from now on. */
import { actions } from "../../protocol/actions.ts";
import { logEntrySchema, logLevels } from "../../protocol/fields/log-lines.ts";
import type { LogEntry, LogLevel } from "../../protocol/fields/log-lines.ts";
import { words } from "../../protocol/words.ts";
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand, streamed } from "../../command-kit/definition.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import type { CommandContext, SessionCommandContext } from "../../command-kit/context.ts";
import { followAsync } from "../../session/follow.ts";
import { droppedNote, logLine } from "../../command-kit/scripts/log-line.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { isOfEarlierLog, logCursor, logFilter, sinceSchema } from "../../logs/log-filter.ts";
import type { LogCursor } from "../../logs/log-filter.ts";
import { searchTextsAsync } from "../../scripts/search-texts.ts";
import agentDescription from "./logs.md" with { type: "text" };

const COUNT_LIMIT = 1_000_000;

const input = defineSchema((z) =>
  z.strictObject({
    count: z
      .int("expected a whole number of lines")
      .min(1, "expected at least 1 line")
      .max(COUNT_LIMIT, `expected at most ${COUNT_LIMIT} lines`)
      .default(50)
      .describe("How many lines"),
    direction: z.enum(["head", "tail"]).default("tail").describe("tail: the newest lines; head: the oldest"),
    levels: z.array(z.enum(logLevels)).optional().describe("Only these levels"),
    includeInternal: z.boolean().default(false).describe(`Include internal ${words.logPrefix} lines`),
    since: sinceSchema(z)
      .optional()
      .describe(
        "Only lines of a time span (30s), since a time (14:30, time of a line), after a line (its seq)",
      ),
    match: z.string().optional().describe("Only lines that match this regex"),
    ended: z.boolean().default(false).describe("Kept lines of Studios and play tests that are gone"),
    follow: z
      .boolean()
      .default(false)
      .describe("Stream new lines until interrupted, or until --timeout is over"),
  }),
);

/** A line, and the file of the project here that it is about. */
const entrySchema = defineSchema((z) =>
  z.object({
    ...logEntrySchema(z).shape,
    /** `src/Cart.luau:10`, for a compiled file with a source map the line of its source. */
    file: z.string().optional(),
  }),
);
type Entry = OutputOf<typeof entrySchema>;

const output = defineSchema((z) =>
  z.object({
    ...actions.queryLogs.result(z).shape,
    entries: z.array(entrySchema(z)),
    /** The plugin has started anew since the line that `since` names, so that all its lines are newer. */
    isNewLog: z.boolean().optional(),
  }),
);
type Output = OutputOf<typeof output>;

export const command = defineCommand({
  name: "logs",
  summary: "Show or follow Studio's output",
  description: "Shows the latest lines of a session's output, or follows it as it is printed.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb logs", note: "the last 50 lines" },
    { command: "sb logs --tail 100 --level Error,Warning", note: "" },
    { command: "sb logs --since 5m --grep '^Score'", note: "" },
    { command: "sb logs --since 10m --ended", note: "of Studios and play tests that are gone" },
    { command: "sb logs --follow", note: "until Ctrl+C" },
    { command: "sb logs --follow --json | jq .body", note: "one object a line" },
  ],
  toolGroups: ["core", "play"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "queryLogs",
  defaultContext: "edit",
  endsWithReader: ({ follow }) => follow === true,
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  personalInput: ["follow", "ended"],
  cli: {
    olderNames: ["console logs"],
    positionals: [{ key: "sessionId", label: "SESSION-ID" }],
    flags: [
      countFlag("tail", "Show the last N lines (default 50)"),
      countFlag("head", "Show the first N lines since the plugin connected"),
      ...flagsOf(input, {
        follow: { alias: "f", kind: "boolean" },
        ended: "boolean",
        levels: {
          name: "level",
          kind: "list",
          label: "LEVELS",
          describe: () => `Only these levels: ${logLevels.join(", ")}`,
        },
        since: {
          kind: "string",
          label: "TIME",
          describe: () =>
            "Only lines of a time span (30s, 5m), since a time (14:30), or after a line (#812, its seq)",
        },
        match: { name: "grep", kind: "string", label: "PATTERN" },
        includeInternal: { name: "all", kind: "boolean" },
      }),
    ],
    conflicts: [
      { flags: ["tail", "head"], message: "Cannot use --tail and --head together." },
      {
        flags: ["follow", "since"],
        message: "Cannot use --follow with --since.",
        hint: "--follow shows new lines only; leave out one of the two.",
      },
      { flags: ["follow", "ended"], message: "Cannot use --follow with --ended." },
      { flags: ["follow", "tail"], message: "Cannot use --follow with --tail or --head." },
      { flags: ["follow", "head"], message: "Cannot use --follow with --tail or --head." },
    ],
  },
  format: ({ entries }, style) => entries.map((entry) => logLine(entry, style)).join("\n"),
  async prepareAsync({ follow, ended, since, ...query }, { emit }) {
    const cursor = since === undefined ? undefined : logCursor(since);
    const passes = logFilter(query);
    if (ended) return { finished: await endedAsync({ ...query, since: cursor }, emit) };
    return async (context) => {
      if (!follow) {
        const result = await queryAsync(context, { ...query, since: cursor });
        return { ...result, entries: await withFilesAsync(context, result.entries) };
      }
      await followLogsAsync(context, passes);
      return streamed;
    };
  },
});

type Query = Omit<OutputOf<typeof input>, "follow" | "ended" | "since"> & {
  readonly since: LogCursor | undefined;
};
type Filter = ReturnType<typeof logFilter>;

/** What the journal has kept; a remark says how to keep more where it has nothing. */
async function endedAsync(
  { count, direction, ...query }: Query,
  emit: CommandContext["emit"],
): Promise<Output> {
  const { endedLines } = await import("../../journal/ended-lines.ts");
  const kept = endedLines();
  if (kept.length === 0)
    emit({
      stream: "stderr",
      text: (style) => style.dim("Nothing is kept. `sb journal lines on` keeps lines for a day."),
    });
  const entries = kept.filter(logFilter(query));
  return {
    entries: direction === "head" ? entries.slice(0, count) : entries.slice(-count),
    total: kept.length,
    bufferCapacity: Math.max(1, kept.length),
  };
}

/** The plugin knows levels and counts; where more is asked, it sends all that it keeps, and the rest is left out here. */
async function queryAsync(
  context: SessionCommandContext,
  { since, match, ...request }: Query,
): Promise<Output> {
  if (since === undefined && match === undefined) return context.callAsync("queryLogs", request);
  const { count, direction, includeInternal } = request;
  const all = await context.callAsync("queryLogs", { ...request, count: COUNT_LIMIT });
  const isNewLog = isOfEarlierLog(since, all);
  const newer = all.entries.filter(logFilter({ includeInternal, since: isNewLog ? undefined : since }));
  const wanted = match === undefined ? newer : await matchingAsync(newer, match, context.signal);
  return {
    ...all,
    entries: direction === "head" ? wanted.slice(0, count) : wanted.slice(-count),
    ...(isNewLog ? { isNewLog } : {}),
  };
}

/** Tells which files of the project the lines of errors and their stacks are about. */
async function withFilesAsync(
  context: SessionCommandContext,
  entries: readonly LogEntry[],
): Promise<Entry[]> {
  const bodies = entries.flatMap(({ level, body }) => (isOfError(level) ? [body] : []));
  if (bodies.length === 0) return [...entries];
  const { studioFilesAsync } = await import("../../command-kit/scripts/studio-files.ts");
  const files = context.scriptFiles ?? (await studioFilesAsync(context, bodies));
  return entries.map((entry) => {
    const file = isOfError(entry.level) ? files?.placeIn(entry.body) : undefined;
    return file === undefined ? entry : { ...entry, file };
  });
}

/** Studio logs an error as one line of the level Error, and its stack as lines of the level Info. */
const isOfError = (level: LogLevel): boolean => level === "Error" || level === "Info";

/** In a thread of its own, which ends where a regular expression takes too long. */
async function matchingAsync(
  entries: readonly LogEntry[],
  pattern: string,
  signal: AbortSignal,
): Promise<LogEntry[]> {
  const search = { pattern, isRegex: true, ignoreCase: false, contextLines: 0, limit: COUNT_LIMIT };
  const bodies = entries.map(({ body }) => body);
  const { hits } = await searchTextsAsync(bodies, search, signal);
  const found = new Set(hits.map(({ text }) => text));
  return entries.filter((_, index) => found.has(index));
}

function countFlag(direction: "head" | "tail", description: string) {
  return {
    name: direction,
    key: "count",
    kind: "number",
    label: "N",
    describe: () => description,
    sets: (value: unknown) => ({ count: value, direction }),
  } as const;
}

async function followLogsAsync(context: SessionCommandContext, passes: Filter): Promise<void> {
  // A REPL says itself how to stop.
  const onListening = () => {
    if (context.isRepl !== true)
      context.emit({ stream: "stderr", text: (style) => style.dim("(streaming, Ctrl+C to stop)") });
  };
  const onDropped = (dropped: number) => context.emit(droppedNote(dropped));
  // Lines stay in their order, although their files are searched.
  let shown = Promise.resolve();
  const showAsync = async (entries: readonly LogEntry[]): Promise<void> => {
    for (const entry of await withFilesAsync(context, entries))
      context.emit({ stream: "stdout", text: (style) => logLine(entry, style), json: entry });
  };
  await followAsync(
    context,
    "logPush",
    (push) => {
      if (push.event !== "logPush") return;
      const { entries, dropped = 0 } = push.payload;
      shown = shown.then(() => {
        if (dropped > 0) onDropped(dropped);
        return showAsync(entries.filter(passes));
      });
    },
    { onDropped, onListening },
  );
  await shown;
}
