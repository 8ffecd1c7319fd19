/** `sb journal`: what was asked of Studios and how it ended, and whether that is kept. */
import type { BridgeConnection } from "../../bridge/index.ts";
import type { CommandContext } from "../../command-kit/context.ts";
import { defineCommand, streamed } from "../../command-kit/definition.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { choosesCall, shownCall, shownCallSchema, visibleTo } from "../../journal/choose-calls.ts";
import type { CallWishes } from "../../journal/choose-calls.ts";
import { readCalls } from "../../journal/read.ts";
import type { JournaledCall } from "../../journal/read.ts";
import {
  isJournalOff,
  JOURNAL_VARIABLE,
  journalSettings,
  keepJournalSettings,
} from "../../journal/settings.ts";
import { logCursor, sinceSchema } from "../../logs/log-filter.ts";
import { badInput } from "../../protocol/input.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { callLine, callList } from "../../journal/call-list.ts";
import agentDescription from "./journal.md" with { type: "text" };

const COUNT_LIMIT = 100_000;

const input = defineSchema((z) =>
  z.strictObject({
    action: z.enum(["on", "off", "lines"]).optional().describe("What is kept from now on"),
    state: z.enum(["on", "off"]).optional().describe("Of lines"),
    since: sinceSchema(z).optional().describe("Only calls of a time span (30m), or since a time (14:30)"),
    client: z.string().min(1).optional().describe("Only calls of clients with this in their name"),
    from: z
      .string()
      .min(1)
      .optional()
      .describe("Only calls to a session, by its id or the name of its place"),
    failed: z.boolean().default(false).describe("Only calls that were refused or failed"),
    changes: z.boolean().default(false).describe("Only calls that may change a place or run in it"),
    match: z.string().optional().describe("Only calls whose summary matches this regular expression"),
    follow: z.boolean().default(false).describe("Stream calls as they end, until interrupted"),
    limit: z
      .int("expected a whole number of calls")
      .min(1, "expected at least 1 call")
      .max(COUNT_LIMIT, `expected at most ${COUNT_LIMIT} calls`)
      .default(50)
      .describe("How many to show, the newest"),
    export: z
      .string()
      .min(1, "the file name is empty")
      .optional()
      .describe("Write the calls and kept lines to an HTML page"),
    force: z.boolean().default(false).describe("With --export: replace the file"),
    redact: z.boolean().default(false).describe("With --export: numbers in place of names, and no lines"),
  }),
);
type Input = OutputOf<typeof input>;

const output = defineSchema((z) =>
  z.object({
    calls: z.array(shownCallSchema(z)).optional(),
    /** What is kept from now on, where that was asked for or changed. */
    keeps: z.object({ calls: z.boolean(), lines: z.boolean() }).optional(),
    /** The page that was written; `cut` rows had no room. */
    exported: z.object({ file: z.string(), calls: z.int(), lines: z.int(), cut: z.int() }).optional(),
  }),
);
type Output = OutputOf<typeof output>;

export const command = defineCommand({
  name: "journal",
  summary: "Show the calls of commands and agents",
  description:
    "Shows the calls of all commands and agents of this machine: when, who, what, how long, and how it ended. Paths, counts and names of files are kept for a week, never values, sources or arguments. `on` and `off` turn that on and off; `lines on` keeps the Output of every Studio for a day too.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb journal", note: "the last 50 calls" },
    { command: "sb journal --since 30m --changes", note: "" },
    { command: "sb journal --failed --client claude", note: "" },
    { command: "sb journal --follow", note: "until Ctrl+C" },
    { command: "sb journal lines on", note: "keep the Output of every Studio" },
    { command: "sb journal --since 2h --export run.html", note: "one page, to look at or to send" },
  ],
  toolGroups: ["look"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "bridge",
  endsWithReader: ({ follow }) => follow === true,
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  personalInput: [
    ...(["action", "state", "follow", "client", "from", "changes", "match"] as const),
    ...(["export", "force", "redact"] as const),
  ],
  cli: {
    positionals: [
      { key: "action", label: "on|off|lines" },
      { key: "state", label: "on|off" },
    ],
    flags: flagsOf(input, {
      since: { kind: "string", label: "TIME" },
      client: { kind: "string", label: "NAME" },
      from: { name: "session", kind: "string", label: "SESSION" },
      failed: "boolean",
      changes: "boolean",
      match: { name: "grep", kind: "string", label: "PATTERN" },
      follow: { alias: "f", kind: "boolean" },
      limit: { alias: "n", kind: "number", label: "N" },
      export: { kind: "string", label: "FILE.html" },
      force: "boolean",
      redact: "boolean",
    }),
    conflicts: [
      { flags: ["follow", "export"], message: "Cannot use --follow with --export." },
      {
        flags: ["follow", "since"],
        message: "Cannot use --follow with --since.",
        hint: "--follow shows new calls only; leave out one of the two.",
      },
    ],
  },
  format: ({ calls, keeps, exported }, style) => {
    if (exported !== undefined) return `Written: ${visibleOnOneLine(exported.file)}`;
    return keeps === undefined ? callList(calls ?? [], style) : keepsText(keeps);
  },
  async prepareAsync(wish, context) {
    if (context.isRemote)
      throw invalidInput("The journal is on the machine of the bridge host.", "Run `sb journal` there.");
    const { action, state } = wish;
    if (action !== "lines" && state !== undefined)
      throw invalidInput("Only lines are turned on and off by a second word.", "Use `sb journal lines on`.");
    if (action === "lines" && state === undefined)
      throw invalidInput(
        "`lines` needs a second word.",
        "Use `sb journal lines on` or `sb journal lines off`.",
      );
    if (action !== undefined)
      return async ({ bridge }) => ({ keeps: await keepAsync(action, state, bridge) });
    const wishes = wishesOf(wish);
    if (wish.follow) {
      await followAsync(wishes, context);
      return streamed;
    }
    if (isJournalOff())
      context.note(`${JOURNAL_VARIABLE}=0 keeps hosts that commands start now from keeping calls.`);
    if (wish.export === undefined && (wish.force || wish.redact))
      throw invalidInput("--force and --redact belong to --export.", "Add --export FILE.html.");
    const calls = visible(readCalls().calls, context).filter(choosesCall(wishes));
    if (wish.export !== undefined) {
      const { exportJournalAsync } = await import("../../journal/export-journal.ts");
      return { finished: { exported: await exportJournalAsync(wish.export, wish, calls, context) } };
    }
    return { finished: { calls: calls.slice(-wish.limit).map(shownCall) } };
  },
});

function visible(
  calls: readonly JournaledCall[],
  { caller, fileRoots }: CommandContext,
): readonly JournaledCall[] {
  const isAgent = fileRoots !== undefined;
  return isAgent ? visibleTo(caller.id, calls) : calls;
}

function wishesOf({ since, client, from, failed, changes, match }: Input): CallWishes {
  const cursor = since === undefined ? undefined : logCursor(since);
  if (cursor !== undefined && "afterSeq" in cursor)
    throw badInput([{ key: "since", message: "expected a time such as 30m or 14:30" }]);
  return {
    ...{ sinceMs: cursor?.sinceMs, client, session: from, failed, changes },
    pattern: match === undefined ? undefined : patternOf(match),
  };
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    throw badInput([{ key: "match", message: `${JSON.stringify(text)} is no regular expression` }]);
  }
}

/** The host reads the settings whenever a client asks for its sessions. */
async function keepAsync(
  action: NonNullable<Input["action"]>,
  state: Input["state"],
  bridge: BridgeConnection,
): Promise<NonNullable<Output["keeps"]>> {
  if (isJournalOff())
    throw invalidInput(`${JOURNAL_VARIABLE}=0 keeps everything off.`, `Unset ${JOURNAL_VARIABLE} first.`);
  const before = journalSettings();
  const settings =
    action === "lines"
      ? { calls: before.calls || state === "on", lines: state === "on" }
      : { calls: action === "on", lines: action === "on" && before.lines };
  keepJournalSettings(settings);
  await bridge.listSessionsAsync();
  return settings;
}

function keepsText({ calls, lines }: NonNullable<Output["keeps"]>): string {
  if (!calls)
    return "Nothing is kept from now on. What was kept stays; delete the folder `journal` of the state folder to drop it.";
  const ofLines = lines
    ? "The Output of every Studio is kept for a day."
    : "Output is kept only while a client follows it.";
  return `Calls are kept for a week. ${ofLines}`;
}

const LOOK_MS = 250;

/** Shows each call when it has ended. */
async function followAsync(wishes: CallWishes, context: CommandContext): Promise<void> {
  const { signal, emit } = context;
  const passes = choosesCall({ ...wishes, sinceMs: undefined });
  const isOver = ({ outcome }: JournaledCall) => outcome !== "running";
  const shown = new Set(
    visible(readCalls().calls, context)
      .filter(isOver)
      .map(({ requestId }) => requestId),
  );
  emit({ stream: "stderr", text: (style) => style.dim("(streaming, Ctrl+C to stop)") });
  while (!signal.aborted) {
    for (const call of visible(readCalls().calls, context)) {
      if (!isOver(call) || shown.has(call.requestId)) continue;
      shown.add(call.requestId);
      const told = shownCall(call);
      if (passes(call)) emit({ stream: "stdout", text: (style) => callLine(told, style), json: told });
    }
    await Bun.sleep(LOOK_MS);
  }
}
