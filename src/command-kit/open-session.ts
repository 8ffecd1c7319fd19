/** Opens the session that a command works in: one that is connected, or that of a headless Studio of the command's own. */
import type { BridgeConnection } from "../bridge/index.ts";
import type { PlaceSources } from "../headless/index.ts";
import type { SessionContext } from "../protocol/fields/contexts.ts";
import type { SessionInfo } from "../protocol/network.ts";
import { askerOf, ownCaller } from "./asker.ts";
import type { BridgeCommandContext, CommandContext, SessionCommandContext } from "./context.ts";
import type { Command } from "./definition.ts";
import type { Environment } from "./environment.ts";
import { openCompiledLinesAsync } from "./scripts/compiled-lines.ts";
import { type ScriptFile, ScriptFiles } from "./scripts/script-files.ts";
import {
  acquireSessionAsync,
  checkHeadlessTarget,
  checkPlaceTargetAsync,
  dataIsForHeadless,
  fixturesAreForHeadless,
  memoryIsForHeadless,
  screenIsForHeadless,
  worldIsForHeadless,
} from "./sessions/acquire-session.ts";
import { contextRemark, playedContextOfAsync } from "../session/answer-context.ts";
import { failAtEndOfPlay } from "./sessions/own-play-test.ts";
import { chosenText } from "../session/session-messages.ts";
import type { SessionTarget } from "../session/session-target.ts";
import { startHeadless } from "./sessions/start-headless.ts";
import { checkWholeStudio, namesSession, studioTarget } from "./sessions/whole-studio.ts";
import { dataChoice } from "../project/data-choice.ts";
import { screenChoice, screenFlagIn } from "../project/screen-choice.ts";

type Input = { [key: string]: unknown };

/** An opened context; closing it ends whatever was opened for this one command. */
export interface Opened<Context> extends AsyncDisposable {
  readonly context: Context;
  /** The context of the session, where the command names it because a test plays. */
  readonly playedContext?: string | undefined;
  /** What follows after a command that succeeded. */
  finishAsync?(): Promise<void>;
}
/** A session that can be exchanged for a fresh one where its Studio is the command's own. */
export async function openSessionAsync(wish: SessionWish): Promise<Opened<SessionCommandContext>> {
  let current = await openOneSessionAsync(wish);
  const withRenewal = ({ context, placeSources }: OpenedSession): SessionCommandContext =>
    placeSources === undefined ? context : { ...context, ownStudio: { placeSources, renewAsync } };
  const renewAsync = async (): Promise<SessionCommandContext> => {
    const before = current;
    current = await openOneSessionAsync(wish);
    await before[Symbol.asyncDispose]();
    return withRenewal(current);
  };
  const { playedContext, patchedFile } = current;
  return {
    context: withRenewal(current),
    playedContext,
    ...(patchedFile === undefined ? {} : { finishAsync: () => writeAsync(patchedFile, current.context) }),
    [Symbol.asyncDispose]: () => current[Symbol.asyncDispose](),
  };
}

interface OpenedSession extends Opened<SessionCommandContext> {
  /** Of a headless Studio of the command's own. */
  readonly placeSources: PlaceSources | undefined;
  /** What is written after a command that succeeded. */
  readonly patchedFile: string | undefined;
}

/** What a session is opened for. */
interface SessionWish {
  readonly command: Command;
  readonly input: Input;
  readonly environment: Environment;
  readonly target: SessionTarget;
  readonly base: CommandContext;
}

/** Throws where the wishes do not fit the Studio that they are for. */
async function checkWishesAsync({ command, environment, target }: SessionWish): Promise<void> {
  const {
    headless,
    placeFile,
    data,
    throttle = false,
    walk,
    strictGeometry = false,
    fixtures,
    memoryLimitMb,
    screen = {},
    isRemote,
  } = environment;
  const screenFlag = screenFlagIn(screen);
  if (headless) checkHeadlessTarget(target, isRemote);
  else if (memoryLimitMb !== undefined) throw memoryIsForHeadless();
  else if (strictGeometry || walk === true)
    throw worldIsForHeadless(strictGeometry ? "--strict-geometry" : "--walk");
  else if (fixtures !== undefined) throw fixturesAreForHeadless();
  else if (screenFlag !== undefined) throw screenIsForHeadless(screenFlag);
  else if (data !== undefined || throttle)
    throw dataIsForHeadless(data === undefined ? "--throttle" : "--data");
  else if (placeFile !== undefined)
    await checkPlaceTargetAsync(target, placeFile, mayLaunch(command, environment));
}

function mayLaunch(command: Command, { mayLaunchStudio }: Environment): boolean {
  return command.launchesStudio === true && mayLaunchStudio === true;
}

function contextFor({ command, environment }: SessionWish): SessionContext | undefined {
  return command.isForWholeStudio === true ? "edit" : (environment.defaultContext ?? command.defaultContext);
}

async function openOneSessionAsync(wish: SessionWish): Promise<OpenedSession> {
  const { command, input, environment, target, base } = wish;
  const { headless, placeFile, data, throttle = false, memoryLimitMb, screen = {} } = environment;
  await checkWishesAsync(wish);
  const patched = await patchedFileOfAsync(command, input, environment, target);
  await using own = new AsyncDisposableStack();
  const choice = dataChoice(data, throttle);
  const world = headless ? await worldAsync(environment) : undefined;
  // Loaded only where it is used, because every command would load `node:fs` with it.
  const fontsFolder =
    screen.fonts && (await (await import("../studio/fonts-folder.ts")).fontsFolderAsync(screen.fonts));
  const isSaved = command.savesPlace === true || patched !== undefined;
  const started = headless
    ? own.use(
        startHeadless({
          placeFile,
          data: choice,
          world,
          memoryLimitMb,
          screen: screenChoice(screen, fontsFolder),
          isSavable: isSaved,
        }),
      )
    : undefined;
  const placeSources = await started?.placeRead;
  // A Studio of the command's own has a bridge host of its own.
  const bridge = (await (started ?? environment).bridgeAsync()).as(askerOf(command, input, environment));
  const context: BridgeCommandContext = {
    ...base,
    bridge,
    ...(placeSources === undefined
      ? {}
      : { scriptFiles: await scriptFilesAsync(placeSources.scripts, base) }),
  };
  const { session, otherOutput } = await acquireAsync(wish, context, started);
  const playedContext =
    started === undefined && command.namesContext?.(input) === true
      ? await playedContextOfAsync(bridge, session)
      : undefined;
  if (playedContext !== undefined) tellContext(wish, session, playedContext);
  const kept = own.move();
  return {
    placeSources,
    playedContext,
    patchedFile: patched,
    context: sessionContext(wish, context, session, otherOutput),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Reads the fixtures before a Studio starts for nothing. */
async function worldAsync({ strictGeometry = false, walk = false, fixtures }: Environment) {
  const world = { isStrict: strictGeometry, walks: walk };
  if (fixtures === undefined) return world;
  const { readFixturesAsync } = await import("../project/fixtures.ts");
  return { ...world, fixtures: await readFixturesAsync(fixtures) };
}

/** Without scripts, no file has to be found. */
async function scriptFilesAsync(
  scripts: ReadonlyMap<string, ScriptFile>,
  base: CommandContext,
): Promise<ScriptFiles> {
  return new ScriptFiles(scripts, scripts.size === 0 ? undefined : await openCompiledLinesAsync(base));
}

async function acquireAsync(
  wish: SessionWish,
  context: BridgeCommandContext,
  started: ReturnType<typeof startHeadless> | undefined,
): ReturnType<typeof acquireSessionAsync> {
  const { command, input, environment, target, base } = wish;
  const { headless, placeFile } = environment;
  const isForWhole = command.isForWholeStudio === true;
  const defaultContext = contextFor(wish);
  const checkAsync = mayChange(command, input)
    ? (session: SessionInfo) => checkPlaceOfAsync(session, environment)
    : undefined;
  const acquired = await acquireSessionAsync(context, isForWhole ? studioTarget(target) : target, {
    ...(checkAsync === undefined ? {} : { checkLaunchedAsync: checkAsync }),
    ...(started === undefined ? {} : { headless: started }),
    runsScripts: command.waitsFor === "execute",
    ...(placeFile === undefined ? {} : { placeFile }),
    launchesStudio: mayLaunch(command, environment),
    ...(await nextStepAsync(command)),
    ...(target.timeoutMs === undefined ? {} : { timeoutMs: target.timeoutMs }),
    ...(defaultContext === undefined ? {} : { defaultContext }),
  });
  if (isForWhole) checkWholeStudio(command.name, target, acquired.session);
  await checkAsync?.(acquired.session);
  base.note(`Session ${chosenText(acquired.session, target, headless)}.`);
  return acquired;
}

/** Tells a person in which context the command works while a test plays. */
function tellContext(
  { environment, target, base, input }: SessionWish,
  found: SessionInfo,
  context: string,
): void {
  const isQuiet = input["quiet"] === true;
  const isForPeople = environment.commandLine !== undefined && environment.isRepl !== true && !isQuiet;
  if (isForPeople && !namesSession(target, found))
    base.emit({ stream: "stderr", text: (style) => style.dim(contextRemark(context)) });
}

function sessionContext(
  wish: SessionWish,
  context: BridgeCommandContext,
  found: SessionInfo,
  otherOutput: SessionCommandContext["otherOutput"],
): SessionCommandContext {
  const { environment, target } = wish;
  const { isRepl, commandLine } = environment;
  const { timeoutMs } = target;
  const defaultContext = contextFor(wish);
  const session = context.bridge.session(found.sessionId);
  return {
    ...context,
    session: found,
    caller: environment.caller ?? ownCaller(),
    ...(otherOutput === undefined ? {} : { otherOutput }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(defaultContext === undefined || namesSession(target, found)
      ? {}
      : { followedContext: defaultContext }),
    ...(isRepl === undefined ? {} : { isRepl }),
    ...(commandLine === undefined ? {} : { surfaces: commandLine.surfaces }),
    callAsync: callerOf(wish, found, session),
    subscribeAsync: (events, listener, options) => session.subscribeAsync(events, listener, options),
  };
}

/** Sends requests to the session, and turns errors of the plugin into those of a command. */
function callerOf(
  { environment: { headless, signal }, target: { timeoutMs }, base }: SessionWish,
  found: SessionInfo,
  session: ReturnType<BridgeConnection["session"]>,
): SessionCommandContext["callAsync"] {
  const isOwnPlay = headless && found.context !== "edit";
  return async (name, request, listeners = {}) => {
    const sentAtMs = performance.now();
    try {
      return await session.callAsync(name, request, {
        signal,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...listeners,
      });
    } catch (error) {
      if (isOwnPlay) failAtEndOfPlay(error);
      const { inCommandWords } = await import("../session/plugin-failure.ts");
      throw inCommandWords(error);
    } finally {
      base.note(`Request ${name} took ${Math.round(performance.now() - sentAtMs)} ms.`);
    }
  };
}

/** Whether it may change a place or run code in it. */
function mayChange({ annotations, onlyLooks, waitsFor }: Command, input: Input): boolean {
  if (waitsFor === "execute") return true;
  return !annotations.readOnly && onlyLooks?.(input) !== true;
}

async function checkPlaceOfAsync(session: SessionInfo, environment: Environment): Promise<void> {
  // Most sessions need no rule, and then its code is not loaded.
  if (session.placeId === 0) return;
  const [{ checkPlaceAsync }, { projectFolderAsync }] = await Promise.all([
    import("../project/place-rules.ts"),
    import("../project/project-folder.ts"),
  ]);
  const folder = await projectFolderAsync(environment).catch(() => process.cwd());
  await checkPlaceAsync(session, folder);
}

/** The file that the command writes at its end, where it changes a place in a Studio of its own. */
async function patchedFileOfAsync(
  command: Command,
  input: Input,
  environment: Environment,
  target: SessionTarget,
): Promise<string | undefined> {
  if (command.patchesPlace !== true) return undefined;
  const { patchedFileAsync } = await import("./sessions/patched-place.ts");
  return patchedFileAsync(
    command,
    input,
    { ...environment.patch, headless: environment.headless, placeFile: environment.placeFile },
    target,
  );
}

async function writeAsync(patchedFile: string, context: SessionCommandContext): Promise<void> {
  const { writePatchedAsync } = await import("./sessions/patched-place.ts");
  await writePatchedAsync(patchedFile, context);
}

/** What to do where no Studio is connected, if it is not what most commands say. */
async function nextStepAsync({ patchesPlace, withoutStudio }: Command): Promise<{ withoutStudio?: string }> {
  if (withoutStudio !== undefined) return { withoutStudio };
  if (patchesPlace !== true) return {};
  return { withoutStudio: (await import("./sessions/patched-place.ts")).OPEN_OR_PATCH };
}
