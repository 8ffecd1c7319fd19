/** What a surface provides to the commands that it runs. */
import type { ScreenWords } from "../project/screen-choice.ts";
import type { BridgeConnection } from "../bridge/index.ts";
import type { Caller } from "../protocol/fields/callers.ts";
import { ownCaller } from "./asker.ts";
import type { SessionContext } from "../protocol/fields/contexts.ts";
import type { CommandContext, SurfaceCommandContext } from "./context.ts";
import type { PatchWishes } from "./sessions/patched-place.ts";

export interface Environment extends Omit<CommandContext, "note" | "caller"> {
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
  /** Where a command that changes a place writes the one that it has opened. */
  readonly patch?: Pick<PatchWishes, "inPlace" | "output">;
  /** The context that session commands work in where the caller names none, in place of each command's own. */
  readonly defaultContext?: SessionContext | undefined;
  /** Where data stores of that headless Studio keep what scripts save; without it they refuse every script. */
  readonly data?: string | undefined;
  /** Requests of its scripts to data stores are limited as documented. */
  readonly throttle?: boolean;
  /** In that headless Studio, a query that would take the box of a mesh for its shape is an error. */
  readonly strictGeometry?: boolean;
  /** The file that says what that headless Studio answers in place of Roblox. */
  readonly fixtures?: string | undefined;
  /** In that headless Studio, characters walk. */
  readonly walk?: boolean | undefined;
  /** What the scripts of each DataModel of that headless Studio may use. */
  readonly memoryLimitMb?: number | undefined;
  /** The screen of that headless Studio, as flags say it. */
  readonly screen?: ScreenWords;
}

/** What every command is given, whatever it opens. */
export function basicContext(environment: Environment): CommandContext {
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
  const { allowsCloud, allowsBefore, fileRoots, keepWhole, caller = ownCaller() } = environment;
  return {
    signal,
    catalog,
    isRemote,
    caller,
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
    ...(allowsBefore === undefined ? {} : { allowsBefore }),
    ...(environment.openStdin === undefined ? {} : { openStdin: () => environment.openStdin?.() }),
  };
}
