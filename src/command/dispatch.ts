/**
 * The only path from a command and raw input to a result: check the input, connect, resolve the session, run the
 * handler, check the output. Surfaces differ in where input comes from and how the result is shown.
 */
import type { BridgeConnection } from "../bridge/index.ts";
import {
  acquireSessionAsync,
  checkHeadlessTarget,
  checkPlaceTargetAsync,
} from "./sessions/acquire-session.ts";
import type {
  BridgeCommandContext,
  Command,
  CommandContext,
  CommandResult,
  ContextOpeners,
  Opened,
  SurfaceCommandContext,
} from "./definition.ts";
import { parseInput } from "./input.ts";
import { startHeadless } from "./sessions/start-headless.ts";
import { failAtEndOfPlay } from "./sessions/start-play.ts";
import { sessionTargetSchema, splitSessionTarget } from "./sessions/session-target.ts";
import type { SessionTarget } from "./sessions/session-target.ts";

/** What a surface provides. */
export interface Environment extends CommandContext {
  /** Called only by commands that need the bridge; the surface owns the connection. */
  bridgeAsync(): Promise<BridgeConnection>;
  /** What commands need that turn into another surface; only the command line has it. */
  readonly shell?: Pick<SurfaceCommandContext, "surfaces" | "connectAsync" | "write">;
  /** Session commands that launch Studio may do so here. */
  readonly mayLaunchStudio?: boolean;
  /** Session commands get a headless Studio of their own, which ends with the command. */
  readonly headless: boolean;
  /** The place, model or project that a headless Studio opens, or the place that Studio is launched with. */
  readonly placeFile?: string | undefined;
}

/** Throws StudioBridgeError; `failed` in the result means that what the command ran failed. */
export async function dispatchAsync(
  command: Command,
  rawInput: unknown,
  environment: Environment,
): Promise<CommandResult> {
  if (command.target !== "session")
    return command.executeAsync(rawInput, environment, openers(command, environment, {}));
  const { target, own } = splitSessionTarget(rawInput);
  const checked = parseInput(sessionTargetSchema, target);
  return command.executeAsync(own, environment, openers(command, environment, checked));
}

function openers(command: Command, environment: Environment, target: SessionTarget): ContextOpeners {
  const { signal, catalog, headless, placeFile, isRemote, confirmAsync, mayLaunchStudio } = environment;
  const launchesStudio = command.launchesStudio === true && mayLaunchStudio === true;
  const base: CommandContext = {
    signal,
    catalog,
    isRemote,
    emit: (emission) => environment.emit(emission),
    status: (text) => environment.status(text),
    readStdinAsync: () => environment.readStdinAsync(),
    ...(confirmAsync === undefined ? {} : { confirmAsync }),
  };
  const bridgeContextAsync = async (): Promise<BridgeCommandContext> => ({
    ...base,
    bridge: await environment.bridgeAsync(),
  });
  return {
    none: async () => keep(base),
    surface: async () => {
      if (environment.shell === undefined) throw new Error(`${command.name} needs a command line.`);
      return keep({ ...base, ...environment.shell });
    },
    bridge: async () => keep(await bridgeContextAsync()),
    session: async () => {
      if (headless) checkHeadlessTarget(target, isRemote);
      else if (placeFile !== undefined) await checkPlaceTargetAsync(target, placeFile, launchesStudio);
      await using own = new AsyncDisposableStack();
      const started = headless ? own.use(startHeadless(placeFile)) : undefined;
      await started?.placeRead;
      const context = await bridgeContextAsync();
      const { session: found, otherOutput } = await acquireSessionAsync(context, target, {
        ...(started === undefined ? {} : { headless: started }),
        runsScripts: command.waitsFor === "execute",
        ...(placeFile === undefined ? {} : { placeFile }),
        launchesStudio,
        opensNoStudio: command.opensNoStudio === true,
        ...(command.defaultContext === undefined ? {} : { defaultContext: command.defaultContext }),
      });
      const session = context.bridge.session(found.sessionId);
      const { timeoutMs } = target;
      const isOwnPlay = headless && found.context !== "edit";
      const kept = own.move();
      return {
        context: {
          ...context,
          session: found,
          ...(otherOutput === undefined ? {} : { otherOutput }),
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
          ...(environment.shell === undefined ? {} : { surfaces: environment.shell.surfaces }),
          callAsync: (name, request, onOutput) => {
            const reply = session.callAsync(name, request, {
              signal,
              ...(timeoutMs === undefined ? {} : { timeoutMs }),
              ...(onOutput === undefined ? {} : { onOutput }),
            });
            return isOwnPlay ? reply.catch(failAtEndOfPlay) : reply;
          },
          subscribeAsync: (events, listener, options) => session.subscribeAsync(events, listener, options),
        },
        [Symbol.asyncDispose]: () => kept.disposeAsync(),
      };
    },
  };
}

/** A context that opened nothing of its own. */
function keep<Context>(context: Context): Opened<Context> {
  return { context, [Symbol.asyncDispose]: async () => undefined };
}
