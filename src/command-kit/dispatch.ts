/**
 * The only path from a command and raw input to a result: check the input, open what the target needs, run the handler,
 * check the output. Surfaces differ in where input comes from and how the result is shown.
 */
import { StudioBridgeError } from "../protocol/errors.ts";
import type { Style } from "../util/style.ts";
import { askerOf } from "./asker.ts";
import type { CommandContext, ContextByTarget } from "./context.ts";
import { streamed, streamedFailure } from "./definition.ts";
import type { Command, Finished } from "./definition.ts";
import type { Media } from "../output/emission.ts";
import { basicContext, type Environment } from "./environment.ts";
import type { Target } from "./facts.ts";
import { parseInput } from "../protocol/input.ts";
import { type Opened, openSessionAsync } from "./open-session.ts";
import { sessionTargetSchema, splitSessionTarget } from "../session/session-target.ts";
import type { SessionTarget } from "../session/session-target.ts";

export interface CommandResult {
  /** Undefined where everything was streamed. */
  readonly output: unknown;
  readonly failed: boolean;
  /** Typed text that ends too early: nothing of it ran. */
  readonly isIncomplete: boolean;
  readonly media: readonly Media[];
  readonly agentNote?: string;
  /** For a file or a pipe in place of the text, without a line break of ours. */
  readonly exact?: string;
  text(style: Style): string;
}

export const nothingToShow: CommandResult = {
  output: undefined,
  failed: false,
  isIncomplete: false,
  media: [],
  text: () => "",
};

/**
 * Throws StudioBridgeError, INVALID_INPUT before anything is opened; `failed` in the result means that what the command
 * ran failed.
 */
export async function dispatchAsync(
  command: Command,
  rawInput: unknown,
  environment: Environment,
): Promise<CommandResult> {
  const { target, own } =
    command.target === "session" ? splitSessionTarget(rawInput) : { target: {}, own: rawInput };
  const sessionTarget = parseInput(sessionTargetSchema, target);
  const input = parseInput(command.input, own);
  const handle = await handlerAsync(command, input, basicContext(environment));
  if (handle === streamed) return nothingToShow;
  if (typeof handle !== "function") return resultOf(command, handle.finished, input);
  const open = openers(command, input, environment, sessionTarget)[command.target];
  const found = await open().catch((error: unknown) =>
    withoutSessionAsync(command, error, sessionTarget, environment),
  );
  if ("finished" in found) return resultOf(command, found.finished, input);
  await using opened = found;
  const raw = await handle(opened.context);
  if (raw === streamed) return nothingToShow;
  if (raw === streamedFailure) return { ...nothingToShow, failed: true };
  const result = resultOf(command, raw, input);
  if (!result.failed) await opened.finishAsync?.();
  return withContext(result, opened.playedContext);
}

/** While a test plays, an answer names the context that it is from. */
function withContext(result: CommandResult, context: string | undefined): CommandResult {
  const { output } = result;
  const isObject = typeof output === "object" && output !== null && !Array.isArray(output);
  if (context === undefined || !isObject || "context" in output) return result;
  return { ...result, output: { ...output, context } };
}

/** What a command does where no Studio is connected and none was named. Throws the error of all others. */
async function withoutSessionAsync(
  command: Command,
  error: unknown,
  { sessionId, instanceId }: SessionTarget,
  environment: Environment,
): Promise<Finished<unknown>> {
  const isNoSession = error instanceof StudioBridgeError && error.code === "NO_SESSION";
  if (!isNoSession || command.withoutSessionAsync === undefined) throw error;
  if (sessionId !== undefined || instanceId !== undefined) throw error;
  return { finished: await command.withoutSessionAsync(error, basicContext(environment)) };
}

type Input = { [key: string]: unknown };
type AnyContext = ContextByTarget[Target];

async function handlerAsync(command: Command, input: Input, basics: CommandContext) {
  if ("prepareAsync" in command) return command.prepareAsync(input, basics);
  return (context: AnyContext) => command.handler(input, context);
}

/** Throws where a handler gives what its definition does not promise, which is a defect of the command. */
function resultOf(command: Command, raw: unknown, input: Input): CommandResult {
  const output = command.output.read(raw)?.value ?? command.output().parse(raw);
  const agentNote = command.agentNote?.(output, input);
  return {
    ...(agentNote === undefined ? {} : { agentNote }),
    ...(command.exact === undefined ? {} : { exact: command.exact(output) }),
    output,
    failed: command.failed?.(output) ?? false,
    isIncomplete: command.typed?.isIncomplete(output) ?? false,
    media: command.media?.(output) ?? [],
    text: (style) => command.format?.(output, style) ?? "",
  };
}

type ContextOpeners = { [T in Target]: () => Promise<Opened<ContextByTarget[T]>> };

function openers(
  command: Command,
  input: Input,
  environment: Environment,
  target: SessionTarget,
): ContextOpeners {
  const base = basicContext(environment);
  const fromCommandLine = () => {
    if (environment.commandLine === undefined) throw new Error(`${command.name} needs a command line.`);
    return { ...base, ...environment.commandLine };
  };
  return {
    none: async () => keep(base),
    connection: async () => keep(fromCommandLine()),
    bridge: async () =>
      keep({ ...base, bridge: (await environment.bridgeAsync()).as(askerOf(command, input, environment)) }),
    session: () =>
      openSessionAsync({ command, input, environment, target: targetIn(environment, target), base }),
    surface: async () => keep(fromCommandLine()),
  };
}

/** A headless Studio of the command's own has only the contexts that are asked for. */
function targetIn({ headless, defaultContext }: Environment, target: SessionTarget): SessionTarget {
  const isOpen = headless && target.context === undefined && target.player === undefined;
  return isOpen && defaultContext !== undefined ? { ...target, context: defaultContext } : target;
}

/** A context that opened nothing of its own. */
function keep<Context>(context: Context): Opened<Context> {
  return { context, [Symbol.asyncDispose]: async () => undefined };
}
