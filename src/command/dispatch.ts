/**
 * The only path from a command and raw input to a result: check the input, open what the target needs, run the handler,
 * check the output. Surfaces differ in where input comes from and how the result is shown.
 */
import type { BridgeConnection } from "../bridge/index.ts";
import type { SessionContext } from "../protocol/actions.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { SessionInfo } from "../protocol/network.ts";
import type { Style } from "../util/style.ts";
import type {
  BridgeCommandContext,
  CommandContext,
  ContextByTarget,
  SessionCommandContext,
  SurfaceCommandContext,
} from "./context.ts";
import { streamed, streamedFailure } from "./definition.ts";
import type { Command, Finished } from "./definition.ts";
import type { Caller } from "../protocol/actions.ts";
import { lazy } from "../protocol/lazy.ts";
import { randomHex } from "../util/random-hex.ts";
import type { Media } from "./emission.ts";
import type { Target } from "./facts.ts";
import type { PlaceSources } from "../headless/index.ts";
import { parseInput } from "./input.ts";
import {
  acquireSessionAsync,
  checkHeadlessTarget,
  checkPlaceTargetAsync,
  dataIsForHeadless,
  memoryIsForHeadless,
} from "./sessions/acquire-session.ts";
import { dataChoice } from "./words/data.ts";
import { ScriptFiles } from "./scripts/script-files.ts";
import { sessionTargetSchema, splitSessionTarget } from "./sessions/session-target.ts";
import type { SessionTarget } from "./sessions/session-target.ts";
import { chosenText } from "./sessions/session-messages.ts";
import { startHeadless } from "./sessions/start-headless.ts";
import { failAtEndOfPlay } from "./sessions/own-play-test.ts";

/** What a surface provides. */
export interface Environment extends Omit<CommandContext, "note"> {
  /** Absent where `--verbose` does not exist. */
  readonly note?: CommandContext["note"];
  /** Called only by commands that need the bridge; the surface owns the connection. */
  bridgeAsync(): Promise<BridgeConnection>;
  /** What commands need that connect by themselves or turn into another surface; only a command line has it. */
  readonly commandLine?: Pick<SurfaceCommandContext, "surfaces" | "connectAsync" | "write">;
  /** The client that the undo steps belong to, where it is another than this process. */
  readonly caller?: Caller;
  /** The surface is a REPL, as `SessionCommandContext.isRepl` describes. */
  readonly isRepl?: boolean;
  /** Session commands that launch Studio may do so here. */
  readonly mayLaunchStudio?: boolean;
  /** Session commands get a headless Studio of their own, which ends with the command. */
  readonly headless: boolean;
  /** The place, model or project that a headless Studio opens, or the place that Studio is launched with. */
  readonly placeFile?: string | undefined;
  /** The context that session commands work in where the caller names none, in place of each command's own. */
  readonly defaultContext?: SessionContext | undefined;
  /** Where data stores of that headless Studio keep what scripts save; without it they refuse every script. */
  readonly data?: string | undefined;
  /** Requests of its scripts to data stores are limited as documented. */
  readonly throttle?: boolean;
  /** What the scripts of each DataModel of that headless Studio may use. */
  readonly memoryLimitMb?: number | undefined;
}

export interface CommandResult {
  /** Undefined where everything was streamed. */
  readonly output: unknown;
  readonly failed: boolean;
  /** Typed text that ends too early: nothing of it ran. */
  readonly isIncomplete: boolean;
  readonly media: readonly Media[];
  readonly agentNote?: string;
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
  return resultOf(command, raw, input);
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

/** Whether it may change a place or run code in it. */
function mayChange({ annotations, onlyLooks, waitsFor }: Command, input: Input): boolean {
  if (waitsFor === "execute") return true;
  return !annotations.readOnly && onlyLooks?.(input) !== true;
}

async function checkPlaceOfAsync(session: SessionInfo): Promise<void> {
  // Most sessions need no rule, and then its code is not loaded.
  if (session.placeId === 0 || session.origin === "headless") return;
  const { checkPlaceAsync } = await import("./project/place-rules.ts");
  await checkPlaceAsync(session);
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
    output,
    failed: command.failed?.(output) ?? false,
    isIncomplete: command.typed?.isIncomplete(output) ?? false,
    media: command.media?.(output) ?? [],
    text: (style) => command.format?.(output, style) ?? "",
  };
}

/** An opened context; closing it ends whatever was opened for this one command. */
interface Opened<Context> extends AsyncDisposable {
  readonly context: Context;
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
    bridge: async () => keep({ ...base, bridge: await environment.bridgeAsync() }),
    session: () => openSessionAsync(command, input, environment, targetIn(environment, target), base),
    surface: async () => keep(fromCommandLine()),
  };
}

/** A headless Studio of the command's own has only the contexts that are asked for. */
function targetIn({ headless, defaultContext }: Environment, target: SessionTarget): SessionTarget {
  const isOpen = headless && target.context === undefined && target.player === undefined;
  return isOpen && defaultContext !== undefined ? { ...target, context: defaultContext } : target;
}

function basicContext(environment: Environment): CommandContext {
  const {
    signal,
    catalog,
    isRemote,
    confirmAsync,
    chooseAsync,
    decideAsync,
    openEditorAsync,
    isVerbose,
    isJson,
  } = environment;
  const { openKeys } = environment;
  const { allowsCloud, fileRoots, keepWhole } = environment;
  return {
    signal,
    catalog,
    isRemote,
    emit: (emission) => environment.emit(emission),
    status: (text) => environment.status(text),
    note: (text) => environment.note?.(text),
    bridgeAsync: () => environment.bridgeAsync(),
    readStdinAsync: () => environment.readStdinAsync(),
    ...(confirmAsync === undefined ? {} : { confirmAsync }),
    ...(chooseAsync === undefined ? {} : { chooseAsync }),
    ...(decideAsync === undefined ? {} : { decideAsync }),
    ...(openEditorAsync === undefined ? {} : { openEditorAsync }),
    ...(openKeys === undefined ? {} : { openKeys }),
    ...(isVerbose === undefined ? {} : { isVerbose }),
    ...(isJson === undefined ? {} : { isJson }),
    ...(fileRoots === undefined ? {} : { fileRoots }),
    ...(keepWhole === undefined ? {} : { keepWhole }),
    ...(allowsCloud === undefined ? {} : { allowsCloud }),
    ...(environment.openStdin === undefined ? {} : { openStdin: () => environment.openStdin?.() }),
  };
}

/** A session that can be exchanged for a fresh one where its Studio is the command's own. */
async function openSessionAsync(
  ...wishes: Parameters<typeof openOneSessionAsync>
): Promise<Opened<SessionCommandContext>> {
  let current = await openOneSessionAsync(...wishes);
  const withRenewal = ({ context, placeSources }: OpenedSession): SessionCommandContext =>
    placeSources === undefined ? context : { ...context, ownStudio: { placeSources, renewAsync } };
  const renewAsync = async (): Promise<SessionCommandContext> => {
    const before = current;
    current = await openOneSessionAsync(...wishes);
    await before[Symbol.asyncDispose]();
    return withRenewal(current);
  };
  return { context: withRenewal(current), [Symbol.asyncDispose]: () => current[Symbol.asyncDispose]() };
}

interface OpenedSession extends Opened<SessionCommandContext> {
  /** Of a headless Studio of the command's own. */
  readonly placeSources: PlaceSources | undefined;
}

async function openOneSessionAsync(
  command: Command,
  input: Input,
  environment: Environment,
  target: SessionTarget,
  base: CommandContext,
): Promise<OpenedSession> {
  const {
    signal,
    headless,
    placeFile,
    data,
    throttle = false,
    memoryLimitMb,
    isRemote,
    isRepl,
    commandLine,
  } = environment;
  const defaultContext = environment.defaultContext ?? command.defaultContext;
  const launchesStudio = command.launchesStudio === true && environment.mayLaunchStudio === true;
  if (headless) checkHeadlessTarget(target, isRemote);
  else if (memoryLimitMb !== undefined) throw memoryIsForHeadless();
  else if (data !== undefined || throttle)
    throw dataIsForHeadless(data === undefined ? "--throttle" : "--data");
  else if (placeFile !== undefined) await checkPlaceTargetAsync(target, placeFile, launchesStudio);
  await using own = new AsyncDisposableStack();
  const choice = dataChoice(data, throttle);
  const started = headless ? own.use(startHeadless({ placeFile, data: choice, memoryLimitMb })) : undefined;
  const placeSources = await started?.placeRead;
  // A Studio of the command's own has a bridge host of its own.
  const bridge = await (started ?? environment).bridgeAsync();
  const context: BridgeCommandContext = {
    ...base,
    bridge,
    ...(placeSources === undefined ? {} : { scriptFiles: new ScriptFiles(placeSources.scripts) }),
  };
  const checkAsync = mayChange(command, input) ? checkPlaceOfAsync : undefined;
  const { session: found, otherOutput } = await acquireSessionAsync(context, target, {
    ...(checkAsync === undefined ? {} : { checkLaunchedAsync: checkAsync }),
    ...(started === undefined ? {} : { headless: started }),
    runsScripts: command.waitsFor === "execute",
    ...(placeFile === undefined ? {} : { placeFile }),
    launchesStudio,
    ...(command.withoutStudio === undefined ? {} : { withoutStudio: command.withoutStudio }),
    ...(target.timeoutMs === undefined ? {} : { timeoutMs: target.timeoutMs }),
    ...(defaultContext === undefined ? {} : { defaultContext }),
  });
  await checkAsync?.(found);
  base.note(`Session ${chosenText(found, target, headless)}.`);
  const session = context.bridge.session(found.sessionId);
  const { timeoutMs } = target;
  const isOwnPlay = headless && found.context !== "edit";
  const kept = own.move();
  return {
    placeSources,
    context: {
      ...context,
      session: found,
      caller: environment.caller ?? ownCaller(),
      ...(otherOutput === undefined ? {} : { otherOutput }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(isRepl === undefined ? {} : { isRepl }),
      ...(commandLine === undefined ? {} : { surfaces: commandLine.surfaces }),
      callAsync: async (name, request, listeners = {}) => {
        const sentAtMs = performance.now();
        try {
          return await session.callAsync(name, request, {
            signal,
            ...(timeoutMs === undefined ? {} : { timeoutMs }),
            ...listeners,
          });
        } catch (error) {
          if (isOwnPlay) failAtEndOfPlay(error);
          const { inCommandWords } = await import("./sessions/plugin-failure.ts");
          throw inCommandWords(error);
        } finally {
          base.note(`Request ${name} took ${Math.round(performance.now() - sentAtMs)} ms.`);
        }
      },
      subscribeAsync: (events, listener, options) => session.subscribeAsync(events, listener, options),
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** This process, by an id of its own. */
const ownCaller = lazy((): Caller => ({ id: randomHex(8), name: "sb" }));

/** A context that opened nothing of its own. */
function keep<Context>(context: Context): Opened<Context> {
  return { context, [Symbol.asyncDispose]: async () => undefined };
}
