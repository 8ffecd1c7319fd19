/** `sb wait`: returns when a condition in Studio has become true, or when the time is over. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { mapOf } from "../../protocol/envelope.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import type { SessionCommandContext } from "../../command-kit/context.ts";
import { detailsOf } from "../../session/path-failure.ts";
import { contextsAsync, editSessionAsync } from "../../play/play-test.ts";
import { shownPath } from "../../tree/instance-path.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { valueText } from "../../output/value-text.ts";
import { serializedValueSchema } from "../../protocol/values.ts";
import type { Style } from "../../util/style.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { sinceSchema } from "../../logs/log-filter.ts";
import { checkPattern } from "../../scripts/search-texts.ts";
import { DEFAULT_WAIT_MS, MAX_WAIT_MS, states, typedProperty, waitTask } from "./wait-request.ts";
import type { WaitRequest, WaitTask } from "./wait-request.ts";
import agentDescription from "./wait.md" with { type: "text" };

/** How much later than the plugin's own answer the bridge gives up. */
const SLACK_MS = 5_000;

const input = defineSchema((z) =>
  z.strictObject({
    until: z
      .string()
      .min(1, "the Luau is empty")
      .optional()
      .describe("Luau that becomes true: an expression, or a chunk with return; no yields"),
    log: z.string().min(1, "the pattern is empty").optional().describe("Regex for a new line of the log"),
    since: sinceSchema(z).optional().describe("With log: also lines before the call, as in studio_logs"),
    exists: z.string().min(1, "the path is empty").optional().describe("Path that leads to an Instance"),
    gone: z.string().min(1, "the path is empty").optional().describe("Path that leads to none"),
    property: z
      .strictObject({
        path: z.string().min(1, "the path is empty"),
        name: z.string().min(1, "the name is empty"),
        value: z.unknown(),
      })
      .optional()
      .describe("A property that gets a value"),
    players: z
      .int("expected a number of players")
      .min(0, "expected 0 players or more")
      .optional()
      .describe("At least this many players; 0 for none"),
    state: z.string().optional().describe("Mode of Studio: Edit, Play, Run or Paused"),
    typedProperty: z.string().optional().describe("PATH.PROPERTY=VALUE that becomes true"),
    isGone: z.boolean().default(false).describe("Wait until PATH is gone"),
  }),
);
type WaitInput = OutputOf<typeof input>;

const output = defineSchema((z) =>
  z.object({ met: z.boolean(), waitedMs: z.number(), evidence: mapOf(z, z.unknown()) }),
);
type Waited = OutputOf<typeof output>;

export const command = defineCommand({
  name: "wait",
  summary: "Wait for a condition in Studio",
  description:
    "Returns when PATH exists, or what a flag names has happened, and prints what it saw. When the time is over (30 seconds, or --timeout up to 10 minutes), it prints what it saw last and exits with 1; it exits with 2 if it cannot look. While Studio plays, it looks in the server.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb wait Workspace.Door", note: "until it exists" },
    { command: "sb wait Workspace.Door --gone", note: "" },
    { command: "sb wait --until 'workspace:GetAttribute(\"Ready\")'", note: "" },
    { command: "sb wait --log 'Round \\d+ started'", note: "a new line" },
    { command: "sb wait --log Ready --since 10s", note: "or one of the last ten seconds" },
    { command: "sb wait --property Workspace.Door.Transparency=1", note: "" },
    { command: "sb wait --players 2 --timeout 1m", note: "" },
    { command: "sb wait --state edit", note: "" },
  ],
  toolGroups: ["play"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "wait",
  defaultContext: "server",
  // These two are watched where they can be seen, whatever the context.
  namesContext: ({ state, players }) => state === undefined && players === undefined,
  timeoutInWords: "30 seconds, at most 600",
  onlyLooks: ({ until }) => until === undefined,
  readOnlyInput: { until: undefined },
  answersByExitCode: () => true,
  takesLong: true,
  annotations: { readOnly: false, destructive: false, idempotent: true },
  input,
  output,
  personalInput: ["typedProperty", "isGone"],
  cli: {
    positionals: [{ key: "exists", label: "PATH" }],
    flags: flagsOf(input, {
      isGone: { name: "gone", kind: "boolean" },
      until: { kind: "string", label: "LUAU" },
      log: { kind: "string", label: "REGEX" },
      since: {
        kind: "string",
        label: "TIME",
        describe: () =>
          "With --log: also lines of a time span (30s), since a time (14:30), or after a line (#812)",
      },
      typedProperty: { name: "property", kind: "string", label: "PATH=VALUE", lookup: "members" },
      players: { kind: "number", label: "N" },
      state: { kind: "string", label: "MODE", values: states },
    }),
  },
  format: waitText,
  failed: ({ met }) => !met,
  async prepareAsync(wish) {
    const task = waitTask(withTyped(wish));
    if ("log" in task) checkLogPattern(task.log);
    return (context) => waitAsync(task, context);
  },
});

function checkLogPattern(pattern: string): void {
  try {
    checkPattern({ pattern, isRegex: true, ignoreCase: false });
  } catch (error) {
    if (!(error instanceof StudioBridgeError)) throw error;
    throw invalidInput(error.message, "A backslash before a character, such as \\(, matches it literally.");
  }
}

/** Puts what the flags of the command line say in place of what agents give as arguments. */
function withTyped({ isGone, typedProperty: text, ...wish }: WaitInput) {
  const { exists, ...others } = wish;
  if (isGone && exists === undefined) throw invalidInput("--gone needs a PATH.", "sb wait PATH --gone");
  const property = text === undefined ? wish.property : typedProperty(text);
  return { ...(isGone ? { ...others, gone: exists } : wish), property };
}

async function waitAsync(task: WaitTask, context: SessionCommandContext): Promise<Waited> {
  const { timeoutMs = DEFAULT_WAIT_MS } = context;
  if (timeoutMs > MAX_WAIT_MS)
    throw invalidInput("A wait takes at most 10 minutes.", "Wait again if that is not enough.");
  const startedAt = performance.now();
  const waitedMs = () => Math.round(performance.now() - startedAt);
  context.status("Waiting");
  if ("log" in task) {
    const { waitForLogAsync } = await import("../../logs/wait-for-log.ts");
    const { met, evidence } = await waitForLogAsync(context, task, timeoutMs);
    return { met, waitedMs: waitedMs(), evidence: { ...evidence } };
  }
  const { sessionId } = await sessionFor(task, context);
  try {
    const options = { signal: context.signal, timeoutMs: timeoutMs + SLACK_MS };
    const request = { ...task.request, timeoutMs };
    const waited = await context.bridge.session(sessionId).callAsync("wait", request, options);
    const evidence = shownEvidence(waited.evidence);
    const elsewhere = waited.met ? undefined : await elsewhereOfAsync(task.request, context);
    return {
      ...waited,
      waitedMs: Math.round(waited.waitedMs),
      evidence: elsewhere === undefined ? evidence : { ...evidence, elsewhere },
    };
  } catch (error) {
    // A plugin that had to be asked again, because a host was lost, begins its time anew.
    if (!(error instanceof StudioBridgeError) || error.code !== "TIMEOUT" || waitedMs() < timeoutMs)
      throw await withExampleAsync(error, task.request);
    return { met: false, waitedMs: waitedMs(), evidence: {} };
  }
}

/**
 * The server of a test does not live to see that it is over, so the mode is watched in the edit context. That has no
 * players, so they are watched in the server, also where the call names the edit session.
 */
async function sessionFor({ request }: { readonly request: WaitRequest }, context: SessionCommandContext) {
  if (request.condition === "state") return editSessionAsync(context);
  if (request.condition !== "players" || context.session.context !== "edit") return context.session;
  const server = (await contextsAsync(context)).find((session) => session.context === "server");
  return server ?? context.session;
}

/** A path that never came to exist may exist in another context. */
async function elsewhereOfAsync(
  { condition, path }: WaitRequest,
  context: SessionCommandContext,
): Promise<string | undefined> {
  if (path === undefined || (condition !== "exists" && condition !== "property")) return undefined;
  const { elsewhereAsync } = await import("../../session/answer-context.ts");
  return elsewhereAsync(path, context);
}

/** The plugin names the property and its type; the class data has an example of a value. */
async function withExampleAsync(error: unknown, { value }: WaitRequest): Promise<unknown> {
  if (!(error instanceof StudioBridgeError) || error.code !== "INVALID_VALUE") return error;
  const { property, className, typeName } = detailsOf(error);
  if (typeof property !== "string" || typeof className !== "string" || typeof typeName !== "string")
    return error;
  const [{ loadClassApiAsync }, { unfitValue }] = await Promise.all([
    import("../../headless/index.ts"),
    import("../../edit/property-values.ts"),
  ]);
  const { message } = unfitValue(className, property, typeName, value, await loadClassApiAsync());
  return new StudioBridgeError(error.code, message, { hint: error.hint, data: error.data, cause: error });
}

/** The members of a Luau table come in no order. */
const EVIDENCE_ORDER = [
  "path",
  "resolvedTo",
  "missing",
  "id",
  "className",
  "name",
  "value",
  "count",
  "players",
];

function shownEvidence(evidence: { readonly [name: string]: unknown }): { [name: string]: unknown } {
  const rank = ([name]: readonly [string, unknown]) => EVIDENCE_ORDER.indexOf(name);
  const entries = Object.entries(evidence).sort((one, other) => rank(one) - rank(other));
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      (name === "path" || name === "resolvedTo") && typeof value === "string" ? shownPath(value) : value,
    ]),
  );
}

function waitText({ met, waitedMs, evidence }: Waited, style: Style): string {
  const seconds = `${(waitedMs / 1_000).toFixed(1)} s`;
  const seen = Object.entries(evidence).map(([name, value]) => {
    const read = serializedValueSchema.read(value);
    const text = read === undefined ? JSON.stringify(value) : valueText(read.value);
    return `  ${name}: ${style.body(visibleOnOneLine(text))}`;
  });
  const headline = met ? `Met after ${seconds}.` : `Not met within ${seconds}. Last seen:`;
  return [headline, ...(seen.length === 0 && !met ? ["  nothing"] : seen)].join("\n");
}
