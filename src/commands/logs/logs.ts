/** `sb logs`: what Studio printed, or prints from now on. */
import { actions, logLevels } from "../../protocol/actions.ts";
import type { ActionResult } from "../../protocol/actions.ts";
import { words } from "../../protocol/words.ts";
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand, streamed } from "../../command/definition.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import type { SessionCommandContext } from "../../command/context.ts";
import { followAsync } from "../../command/follow.ts";
import { droppedNote, logLine } from "../../command/scripts/log-line.ts";
import { flagFor } from "../../command/words/spelling.ts";
import { logFilter } from "./log-filter.ts";
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
    since: z
      .string()
      .min(1, "expected a time")
      .optional()
      .describe("Only lines of this time span (30s, 5m) or since this time (14:30, 2026-01-31T14:30)"),
    grep: z.string().optional().describe("Only lines that match this regular expression"),
    follow: z
      .boolean()
      .default(false)
      .describe("Stream new lines until interrupted, or until --timeout is over"),
  }),
);

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
    { command: "sb logs --follow", note: "until Ctrl+C" },
    { command: "sb logs --follow --json | jq .body", note: "one object a line" },
  ],
  isCoreTool: true,
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "queryLogs",
  defaultContext: "edit",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output: actions.queryLogs.result,
  // A regular expression of an agent could keep its server busy for ever.
  personalInput: ["follow", "grep"],
  cli: {
    olderNames: ["console logs"],
    positionals: [{ key: "sessionId", label: "SESSION-ID" }],
    flags: [
      countFlag("tail", "Show the last N lines (default 50)"),
      countFlag("head", "Show the first N lines since the plugin connected"),
      flagFor(input, "follow", { alias: "f", kind: "boolean" }),
      {
        ...flagFor(input, "levels", { name: "level", kind: "list", label: "LEVELS" }),
        describe: () => `Only these levels: ${logLevels.join(", ")}`,
      },
      flagFor(input, "since", { kind: "string", label: "TIME" }),
      flagFor(input, "grep", { kind: "string", label: "PATTERN" }),
      flagFor(input, "includeInternal", { name: "all", kind: "boolean" }),
    ],
    conflicts: [
      { flags: ["tail", "head"], message: "Cannot use --tail and --head together." },
      {
        flags: ["follow", "since"],
        message: "Cannot use --follow with --since.",
        hint: "--follow shows new lines only; leave out one of the two.",
      },
      { flags: ["follow", "tail"], message: "Cannot use --follow with --tail or --head." },
      { flags: ["follow", "head"], message: "Cannot use --follow with --tail or --head." },
    ],
  },
  format: ({ entries }, style) => entries.map((entry) => logLine(entry, style)).join("\n"),
  async prepareAsync({ follow, ...query }) {
    const passes = logFilter(query);
    return async (context) => {
      if (!follow) return queryAsync(context, query, passes);
      await followLogsAsync(context, passes);
      return streamed;
    };
  },
});

type Query = Omit<OutputOf<typeof input>, "follow">;
type Filter = ReturnType<typeof logFilter>;

/** The plugin knows levels and counts; where more is asked, it sends all that it keeps, and the rest is left out here. */
async function queryAsync(
  context: SessionCommandContext,
  { since, grep, ...request }: Query,
  passes: Filter,
): Promise<ActionResult<"queryLogs">> {
  if (since === undefined && grep === undefined) return context.callAsync("queryLogs", request);
  const { count, direction } = request;
  const all = await context.callAsync("queryLogs", { ...request, count: COUNT_LIMIT });
  const wanted = all.entries.filter(passes);
  return { ...all, entries: direction === "head" ? wanted.slice(0, count) : wanted.slice(-count) };
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
  await followAsync(
    context,
    "logPush",
    (push) => {
      if (push.event !== "logPush") return;
      const { entries, dropped = 0 } = push.payload;
      if (dropped > 0) onDropped(dropped);
      for (const entry of entries.filter(passes))
        context.emit({ stream: "stdout", text: (style) => logLine(entry, style), json: entry });
    },
    { onDropped, onListening },
  );
}
