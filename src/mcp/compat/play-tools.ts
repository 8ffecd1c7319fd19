/** The tools about playing: get_studio_mode, start_stop_play, run_script_in_play_mode. */
import type { Command } from "../../command-kit/definition.ts";
import type { SessionCommandContext } from "../../command-kit/context.ts";
import { messageOf } from "../../command-kit/scripts/script-failure.ts";
import { duringTestAsync, endTestAsync, startTestAsync, studioModeAsync } from "../../play/play-test.ts";
import type { PlayMode } from "../../play/play-test.ts";
import { valueText } from "../../output/value-text.ts";
import type { ActionResult } from "../../protocol/actions.ts";
import type { LogEntry } from "../../protocol/fields/log-lines.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import type { ConsoleReader } from "./console.ts";
import { defineCompat } from "./define-compat.ts";
import modeDescription from "./get_studio_mode.md" with { type: "text" };
import runDescription from "./run_script_in_play_mode.md" with { type: "text" };
import playDescription from "./start_stop_play.md" with { type: "text" };

const TIMEOUT_SECONDS = 100;
/** The longest time that a timer can have. */
const TIMEOUT_LIMIT_SECONDS = 2_000_000;
const LOG_LINES = 1_000;

const text = defineSchema((z) => z.string());
const playModes = ["start_play", "run_server"] as const;
/** The names that these tools have for the modes of a Studio. */
const toolModes = { play: "start_play", run: "run_server", edit: "stop" } as const;
const playModeOf = { start_play: "play", run_server: "run" } as const satisfies Record<string, PlayMode>;
const levelNames = { Print: "output", Info: "info", Warning: "warning", Error: "error" } as const;

const playInput = defineSchema((z) =>
  z.object({ mode: z.enum([...playModes, "stop"]).describe("What to do") }),
);
const runInput = defineSchema((z) =>
  z.object({
    code: z.string().min(1, "the code is empty").describe("Code to run on the server of the test"),
    timeout: z
      .int("expected a whole number of seconds")
      .min(1, "expected at least 1 second")
      .max(TIMEOUT_LIMIT_SECONDS, `expected at most ${TIMEOUT_LIMIT_SECONDS} seconds`)
      .optional()
      .describe(`Seconds until it is stopped; ${TIMEOUT_SECONDS} where left out`),
    mode: z.enum(playModes).describe("With a client, or only the server"),
  }),
);

const logSchema = defineSchema((z) =>
  z.object({
    level: z.enum(["output", "info", "warning", "error"]),
    message: z.string(),
    ts: z.number().describe("Seconds since the server connected"),
  }),
);
const runResultSchema = defineSchema((z) =>
  z.object({
    success: z.boolean(),
    value: z.string().optional(),
    error: z.string().optional(),
    logs: z.array(logSchema(z)),
    errors: z.array(logSchema(z)),
    duration: z.number().describe("Seconds"),
    isTimeout: z.boolean(),
  }),
);

const ALREADY = {
  start_play: "Already in play mode",
  run_server: "Already in run_server mode",
  stop: "Already stopped",
} as const;

export function playTools(console: ConsoleReader): Command[] {
  return [
    defineCompat({
      name: "get_studio_mode",
      summary: "Say whether Studio plays",
      description: modeDescription,
      readOnly: true,
      target: "session",
      input: defineSchema((z) => z.object({})),
      output: text,
      handler: (_input, context) => modeAsync(context),
    }),
    defineCompat({
      name: "start_stop_play",
      summary: "Start or stop a play test",
      description: playDescription,
      readOnly: false,
      target: "session",
      input: playInput,
      output: text,
      async handler({ mode }, context) {
        const current = await modeAsync(context);
        if (mode === current) return ALREADY[mode];
        if (mode === "stop") {
          await endTestAsync(context, { force: false });
          return "Stopped";
        }
        refuseWhilePlaying(current);
        console.clear(context);
        await startTestAsync(context, { mode: playModeOf[mode] });
        return mode === "start_play" ? "Started play" : "Ran server";
      },
    }),
    defineCompat({
      name: "run_script_in_play_mode",
      summary: "Run code in a play test",
      description: runDescription,
      readOnly: false,
      target: "session",
      input: runInput,
      output: runResultSchema,
      async handler({ code, timeout = TIMEOUT_SECONDS, mode }, context) {
        refuseWhilePlaying(await modeAsync(context));
        console.clear(context);
        return duringTestAsync(context, playModeOf[mode], (server) =>
          runOnServerAsync(context, server, code, timeout * 1_000),
        );
      },
    }),
  ];
}

const modeAsync = async (context: SessionCommandContext) => toolModes[await studioModeAsync(context)];

function refuseWhilePlaying(current: string): void {
  if (current === "stop") return;
  throw new StudioBridgeError("BUSY", `Studio is not in edit mode: ${current}.`, {
    hint: "Stop it first with start_stop_play.",
  });
}

async function runOnServerAsync(
  { bridge, signal, status }: SessionCommandContext,
  { sessionId }: SessionInfo,
  script: string,
  timeoutMs: number,
) {
  status("Running the script");
  const server = bridge.session(sessionId);
  const startedAt = performance.now();
  const outcome = await outcomeAsync(() => server.callAsync("execute", { script }, { signal, timeoutMs }));
  const duration = Number(((performance.now() - startedAt) / 1_000).toFixed(3));
  signal.throwIfAborted();
  const { entries } = await server.callAsync("queryLogs", { count: LOG_LINES }, { signal });
  const logs = entries.map(logOf);
  const errors = logs.filter(({ level }) => level === "error" || level === "warning");
  return { ...outcome, logs, errors, duration };
}

/** A script that fails or takes too long is a result. */
async function outcomeAsync(
  runAsync: () => Promise<ActionResult<"execute">>,
): Promise<{ success: boolean; value?: string; error?: string; isTimeout: boolean }> {
  try {
    const reply = await runAsync();
    const { success, errorInfo, returnValues } = reply;
    if (!success) return { success, error: messageOf(reply) ?? "", isTimeout: errorInfo?.code === "TIMEOUT" };
    const [first] = returnValues;
    return { success, ...(first === undefined ? {} : { value: valueText(first) }), isTimeout: false };
  } catch (error) {
    if (!(error instanceof StudioBridgeError) || error.code !== "TIMEOUT") throw error;
    return { success: false, error: error.message, isTimeout: true };
  }
}

function logOf({ level, body, timestamp }: LogEntry) {
  return { level: levelNames[level], message: body, ts: timestamp / 1_000 };
}
