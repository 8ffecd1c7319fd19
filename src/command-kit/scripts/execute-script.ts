/** Runs one script in a session, shows its lines as they come, then what it returned or how it failed. */
import { contextSchema, playerSchema } from "../../protocol/fields/contexts.ts";
import { errorInfoSchema } from "../../protocol/actions/scripts.ts";
import { logLevelSchema } from "../../protocol/fields/log-lines.ts";
import { restoredCopySchema } from "../../protocol/fields/changes.ts";
import { undoReportSchema } from "../../protocol/fields/undo-steps.ts";
import type { ActionRequest, ActionResult } from "../../protocol/actions.ts";
import type { LogLevel } from "../../protocol/fields/log-lines.ts";
import type { InputPiece } from "../../bridge/index.ts";
import { caveatFields, type CaveatFields } from "../../protocol/caveats.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { PrintedMessage } from "../../protocol/events.ts";
import { capabilityNotSupported } from "../../protocol/messages.ts";
import { isOneCommandsOwn } from "../../protocol/launch-id.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { words } from "../../protocol/words.ts";
import { defineSchema } from "../../protocol/schema.ts";
import { inOrder, serializedValueSchema } from "../../protocol/values.ts";
import type { SerializedValue } from "../../protocol/values.ts";
import type { Style } from "../../util/style.ts";
import { changeSchema } from "../changes/change-schema.ts";
import { untilTestEnds, untilTestEndsField } from "../../session/session-messages.ts";
import type { TrialFacts } from "./script-trial.ts";
import type { Emission } from "../../output/emission.ts";
import type { SessionCommandContext } from "../context.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { paintLevel } from "./log-line.ts";
import { failureText, messageOf } from "./script-failure.ts";
import { compiledPlace, type ScriptFiles } from "./script-files.ts";
import type { ScriptInputs } from "./script-inputs.ts";
import { chunkNameOf } from "../../files/script-source.ts";
import { literalText, valueText } from "../../output/value-text.ts";

/** What `--json` and agents are given of a script that ran. */
export const scriptResultSchema = defineSchema((z) =>
  z.object({
    success: z.boolean(),
    error: z.string().optional(),
    errorInfo: errorInfoSchema(z).optional(),
    /** `src/Cart.luau:10`: where the error is in the files of the project, of a compiled file in its source. */
    errorFile: z.string().optional(),
    logs: z.array(
      z.object({
        level: logLevelSchema(z),
        body: z.string(),
        /** Where another script printed the line; absent for the script's own. */
        context: contextSchema(z).optional(),
        player: playerSchema(z).optional(),
      }),
    ),
    returnValues: z.array(serializedValueSchema(z)),
    durationMs: z.number().nonnegative(),
    /** What became of the undo step; absent where there is none to speak of, and with older plugins. */
    undo: undoReportSchema(z).optional(),
    ...untilTestEndsField(z),
    ...caveatFields(z),
    /** Present where what the script changed was taken back. */
    dryRun: z.literal(true).optional(),
    diff: z.array(changeSchema(z)).optional(),
    /** How many changes there were, where `diff` has only the first of them. */
    diffTotal: z.int().optional(),
    restoredAsCopy: z.array(restoredCopySchema(z)).optional(),
    notHeld: z.array(z.string()).optional(),
  }),
);
export type ScriptResult = OutputOf<typeof scriptResultSchema>;

/** What help says about `--dry-run`. */
export const DRY_RUN_HELP =
  "With --dry-run its changes are shown and then taken back; files, HTTP requests, data stores and what it does after it has yielded are not held back.";

interface Script {
  readonly text: string;
  /** What messages call it; the plugin has a name for code that has none. */
  readonly name?: string;
  readonly args?: readonly string[];
  /** What it finds in its global `sb`. */
  readonly inputs?: ScriptInputs;
  /** Pieces of standard input, as it asks for them. */
  readonly nextInputAsync?: () => Promise<InputPiece>;
  /** Typed by a person; text that ends too early is no failure to tell about. */
  readonly interactive?: boolean;
  /** Load changed modules anew. A Studio that no other command has used has only fresh modules anyway. */
  readonly fresh?: boolean;
  /** Show what it changes, and take it back. */
  readonly dryRun?: boolean;
  /** Run it in the game's own VM, as a script of the place. */
  readonly inGame?: boolean;
}

/** A script that fails is a result; throws only when it cannot be told how the script ended. */
export async function executeScriptAsync(
  context: SessionCommandContext,
  script: Script,
): Promise<ScriptResult> {
  const { otherOutput } = context;
  const logs: ScriptResult["logs"] = [];
  const addOthers = () => logs.push(...(otherOutput?.take() ?? []));
  if (script.inputs !== undefined) checkInputs(context.session, script.inputs);
  // Loaded for a dry run only, so that other scripts start sooner.
  const trial = script.dryRun === true ? await import("./script-trial.ts") : undefined;
  trial?.checkTrial(context.session);
  if (script.inGame === true) checkInGame(context.session);
  context.status(`Running ${script.name ?? "script"}`);
  try {
    const request = requestOf(script, context);
    const listeners = listenersOf(script, context, (messages) => {
      addOthers();
      logs.push(...messages.map(({ level, body }) => ({ level, body })));
    });
    const { reply, facts } = await (trial === undefined
      ? runAsync(context, request, listeners, script.inGame)
      : trial.tryScriptAsync(context, request, listeners));
    const outcome = { ...outcomeOf(reply, context.session), ...facts };
    // What a test printed that the script itself has started came before its reply.
    if (context.session.context !== "edit") await otherOutput?.settledAsync();
    addOthers();
    const errorFile = await showOutcomeAsync(outcome, script, context);
    if (trial !== undefined)
      context.emit({ stream: "stdout", text: (style) => trial.trialText(outcome, style) });
    const told = errorFile === undefined ? outcome : { ...outcome, errorFile };
    return { ...told, durationMs: roundedMs(outcome.durationMs), logs };
  } catch (error) {
    await otherOutput?.settledAsync();
    addOthers();
    throw error instanceof StudioBridgeError ? withLogs(error, logs, hintOf(error, context.session)) : error;
  }
}

function requestOf(
  { text, name, args = [], inputs, interactive = false, fresh = false }: Script,
  { caller, ownStudio, isRepl = false }: SessionCommandContext,
): ActionRequest<"execute"> {
  return {
    script: text,
    ...(args.length === 0 ? {} : { args: [...args] }),
    ...(inputs === undefined ? {} : { ...inputs, variables: [...inputs.variables] }),
    ...(name === undefined ? {} : { chunkName: chunkNameOf(name) }),
    ...(interactive ? { interactive } : {}),
    ...(isRepl ? { keepsGlobals: true } : {}),
    caller,
    ...(fresh && ownStudio === undefined ? { fresh } : {}),
  };
}

/** Shows each line as it comes. `note` takes the lines before they are shown. */
function listenersOf(
  { nextInputAsync }: Script,
  context: SessionCommandContext,
  note: (messages: readonly PrintedMessage[]) => void,
): Parameters<SessionCommandContext["callAsync"]>[2] {
  const isStack = stackFinder();
  return {
    onOutput: (messages) => {
      note(messages);
      for (const { level, body } of messages) {
        const line = printedLine(level, body, context.scriptFiles);
        context.emit(isStack(level, body) ? { ...line, stream: "stderr" } : line);
      }
    },
    ...(nextInputAsync === undefined ? {} : { nextInputAsync }),
  };
}

/** What the plugin has answered, in the words of `--json`. */
function outcomeOf(
  { outputCount: _, undo, ...reply }: ActionResult<"execute">,
  session: SessionInfo,
): Omit<ScriptResult, "logs" | keyof TrialFacts | keyof CaveatFields> {
  const error = messageOf(reply);
  return {
    ...reply,
    returnValues: reply.returnValues.map(inOrder),
    ...(error === undefined ? {} : { error }),
    ...untilTestEnds(session),
    ...(undo !== undefined && isTold(undo, session) ? { undo } : {}),
  };
}

/** Resolves with the file and line of the project in which the script has failed, if they are known. */
async function showOutcomeAsync(
  outcome: Omit<ScriptResult, "logs">,
  { text, name }: Script,
  context: SessionCommandContext,
): Promise<string | undefined> {
  for (const value of outcome.returnValues)
    context.emit({ stream: "stdout", text: (style) => shownValue(value, style, context.isRepl === true) });
  if (outcome.success || outcome.errorInfo?.isIncomplete === true) return undefined;
  const { error = "", errorInfo } = outcome;
  const lines = [error, ...(errorInfo?.traceback ?? "").split("\n")];
  const files = context.scriptFiles ?? (await filesOfAsync(context, lines, errorInfo?.code));
  // Only a file can have been compiled. Its source is searched only for a failure, so that other scripts start sooner.
  const compiled =
    name === undefined || !/\.luau?$/.test(name)
      ? undefined
      : await (await import("./compiled-lines.ts")).openCompiledLinesAsync(context);
  context.emit({
    stream: "stderr",
    text: (style) => failureText(outcome, text, name, style, { files, compiled }),
  });
  const ofModule = lines.flatMap((line) => files?.placeIn(line) ?? [])[0];
  if (ofModule !== undefined || name === undefined || errorInfo?.line === undefined) return ofModule;
  return compiledPlace(name, errorInfo.line, compiled);
}

/** A script that was stopped may have left Studio busy, so that Studio is not asked for sources then. */
async function filesOfAsync(
  context: SessionCommandContext,
  lines: readonly string[],
  code: string | undefined,
): Promise<ScriptFiles | undefined> {
  if (code === "TIMEOUT" || code === "CANCELLED") return undefined;
  return (await import("./studio-files.ts")).studioFilesAsync(context, lines);
}

async function runAsync(
  context: SessionCommandContext,
  request: ActionRequest<"execute">,
  listeners: Parameters<SessionCommandContext["callAsync"]>[2],
  isInGame = false,
): Promise<{ readonly reply: ActionResult<"execute">; readonly facts: TrialFacts }> {
  const { script, chunkName, caller } = request;
  const inGame = { script, caller, ...(chunkName === undefined ? {} : { chunkName }) };
  const reply = await (isInGame
    ? context.callAsync("runInGame", inGame, listeners)
    : context.callAsync("execute", request, listeners));
  return { reply, facts: {} };
}

/** Not where nothing changed, nor in a play test, which has no undo and whose result says that its changes end with it. */
function isTold({ recorded, reason }: OutputOf<typeof undoReportSchema>, { context }: SessionInfo): boolean {
  return recorded !== false || (context === "edit" && reason !== words.nothingChanged);
}

/** Throws before anything runs. */
function checkInGame({ context, capabilities }: SessionInfo): void {
  if (context === "edit")
    throw new StudioBridgeError(
      "CONTEXT_UNAVAILABLE",
      "Only a running play test has the VM of a game; this is the edited place.",
      { hint: "Start a play test first: `sb play start`.", outcome: "not_started" },
    );
  if (!capabilities.includes("runInGame")) throw capabilityNotSupported("runInGame");
}

/** An older plugin drops what it does not know, and the script would miss it. */
function checkInputs({ capabilities }: SessionInfo, { variables, input }: ScriptInputs): void {
  const isEmpty = variables.length === 0 && input === undefined;
  if (!isEmpty && !capabilities.includes("provideInput")) throw capabilityNotSupported("provideInput");
}

/** Where a person reads the values of a REPL, `"5"` and 5 must look different; a pipe is given the text itself. */
function shownValue(value: SerializedValue, style: Style, isRepl: boolean): string {
  return isRepl && style.isScreen ? literalText(value, style) : style.body(valueText(value));
}

/** To the microsecond; clocks and sums add digits that mean nothing. */
export function roundedMs(timeMs: number): number {
  return Number(timeMs.toFixed(3));
}

export function printedLine(level: LogLevel, body: string, files?: ScriptFiles): Emission {
  const isTrouble = level === "Warning" || level === "Error";
  return {
    stream: isTrouble ? "stderr" : "stdout",
    logged: { level, body },
    text: (style) => paintLevel(level, style.body(body), style) + (files?.noteFor(level, body, style) ?? ""),
  };
}

/** Tells, line by line, which belong to the stack of an error: Studio logs that as lines of the level Info. */
function stackFinder(): (level: LogLevel, body: string) => boolean {
  let isInside = false;
  return (level, body) => {
    const isPart = level === "Info" && (isInside || body === "Stack Begin");
    isInside = isPart && body !== "Stack End";
    return isPart;
  };
}

/** There is no place to look after when a Studio of the command's own is gone. */
function hintOf({ code, hint }: StudioBridgeError, session: SessionInfo): string {
  const isItsOwnGone = code === "SESSION_GONE" && isOneCommandsOwn(session);
  return isItsOwnGone ? "Run it again; what it changed was only in this Studio of its own." : hint;
}

/** What a script printed before it was lost is not lost with it. */
function withLogs(error: StudioBridgeError, logs: ScriptResult["logs"], hint: string): StudioBridgeError {
  return new StudioBridgeError(error.code, error.message, {
    hint,
    data: { ...error.data, logs },
    cause: error,
    ...(error.outcome === undefined ? {} : { outcome: error.outcome }),
  });
}
