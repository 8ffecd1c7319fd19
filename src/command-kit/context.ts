/** What the handler of a command receives, depending on the command's target. `dispatch.ts` makes it. */
import type { BridgeConnection } from "../bridge/index.ts";
import type { LogEntry } from "../protocol/fields/log-lines.ts";
import type { Caller } from "../protocol/fields/callers.ts";
import type { SessionContext } from "../protocol/fields/contexts.ts";
import type { PlaceSources } from "../headless/index.ts";
import type { SessionLink } from "../session/session-link.ts";
import type { FileCaller } from "../project/file-roots.ts";
import type { Decision, DecisionAnswers } from "../output/decisions.ts";
import type { OpenKeys, RunSurface } from "../output/run-surface.ts";
import type { CommandFacts } from "./facts.ts";
import type { ScriptFiles } from "./scripts/script-files.ts";
import type { McpOptions } from "./surfaces/mcp-options.ts";
import type { TerminalOutcome } from "./surfaces/terminal-record.ts";
import type { ToolServing } from "./surfaces/tool-words.ts";

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
  /** What `--yes` chooses. */
  readonly isYes?: boolean;
}

/** A text of which a result shows a part. */
export interface WholeText {
  /** What the text contains, such as `all failures`. */
  readonly name: string;
  readonly text: string;
}

/** What every handler gets. */
export interface CommandContext extends RunSurface, FileCaller {
  /** Every command, for those that explain or complete commands. */
  readonly catalog: { allAsync(): Promise<readonly CommandFacts[]> };
  /** The connection of the surface, opened at the first call; for commands that need one in some cases only. */
  bridgeAsync(): Promise<BridgeConnection>;
  readStdinAsync(): Promise<Uint8Array>;
  /**
   * Standard input for a script that reads it as it comes. Undefined if it was read already; the method is absent where
   * standard input is not the command's.
   */
  openStdin?(): ReadableStream<Uint8Array> | undefined;
  /** Keeps a long text of which the result shows a part, and tells the agent where it is; absent for people. */
  readonly keepWhole?: (whole: WholeText) => void;
  /** True where an agent may run tests in the cloud of Roblox; a person always may. */
  readonly allowsCloud?: boolean;
  /** An agent may have tests run the program of test.before. */
  readonly allowsBefore?: boolean;
  /** Who asks: this process, or the agent that it serves. */
  readonly caller: Caller;
  /** The bridge is on another machine. */
  readonly isRemote: boolean;
  /** Opens a file in a person's text editor until they are done; absent where there is no terminal for it. */
  readonly openEditorAsync?: ((file: string) => Promise<void>) | undefined;
  /** Asks a person and gives the answer; undefined, and absent, if no person can answer. */
  readonly confirmAsync?: (question: string) => Promise<boolean | undefined>;
  /** Lets a person choose and gives the value; undefined, and absent, if no person can answer. */
  readonly chooseAsync?: (question: string, choices: readonly Choice[]) => Promise<string | undefined>;
  /** Lets a person decide several things together; undefined, and absent, if no person can answer. */
  readonly decideAsync?: (
    message: string,
    decisions: readonly Decision[],
  ) => Promise<DecisionAnswers | undefined>;
  /** Hears each key that a person presses; undefined, and absent, if there is no keyboard. */
  readonly openKeys?: OpenKeys | undefined;
  /** True with `--verbose`. */
  readonly isVerbose?: boolean;
  /** True with `--json`: stdout is for a program, and texts for people are not shown. */
  readonly isJson?: boolean;
}

export interface ConnectionCommandContext extends CommandContext {
  /** A connection of the caller's own each time, to the host that the flags name. */
  connectAsync(): Promise<BridgeConnection>;
}

export interface BridgeCommandContext extends CommandContext {
  readonly bridge: BridgeConnection;
  /** Present where the place of a headless Studio of the command's own has been read here. */
  readonly scriptFiles?: ScriptFiles;
}

export interface SessionCommandContext extends BridgeCommandContext, SessionLink {
  /** What a REPL on this session follows as tests begin and end; absent where the caller named a context or a session. */
  readonly followedContext?: SessionContext;
  /** True within a REPL: globals of scripts stay for the next ones, and a value looks as Luau code writes it. */
  readonly isRepl?: boolean;
  /** Present where scripts run in a Studio that is the command's own. */
  readonly otherOutput?: OtherOutput;
  /** Present where the Studio is a headless one of the command's own. */
  readonly ownStudio?: OwnStudio;
  /** Present where a command may turn into another surface. */
  readonly surfaces?: Surfaces;
}

export interface OwnStudio {
  /** What on disk its place was read from. */
  readonly placeSources: PlaceSources;
  /** Ends it once another like it is open, whose place is read from the disk as it is now. Throws as the first did. */
  renewAsync(): Promise<SessionCommandContext>;
}

/** For commands that turn into another surface and stay in it. */
export interface SurfaceCommandContext extends ConnectionCommandContext {
  readonly surfaces: Surfaces;
  /** Queues text for the reader of stdout, after everything that was queued before. */
  write(text: string): void;
}

/** One context for each `Target`. */
export interface ContextByTarget {
  none: CommandContext;
  connection: ConnectionCommandContext;
  bridge: BridgeCommandContext;
  session: SessionCommandContext;
  surface: SurfaceCommandContext;
}

/** A line that another script printed, with the DataModel that it is from. */
export type OtherLine = Pick<LogEntry, "level" | "body" | "player"> & {
  readonly context: NonNullable<LogEntry["context"]>;
};

/** What prints beside a command's own script in a Studio that runs for this command alone. */
export interface OtherOutput {
  /** What has come since the last call. */
  take(): readonly OtherLine[];
  /** Resolves when all that the Studio heard of before the call has come, or never will. */
  settledAsync(): Promise<void>;
}

/**
 * How a command turns into another surface: `main.ts` imports the surface when the command asks for it, so that commands
 * never import one.
 */
export interface Surfaces {
  readonly terminalAsync: (context: SessionCommandContext) => Promise<TerminalOutcome>;
  readonly mcpAsync: (options: McpOptions, context: SurfaceCommandContext) => Promise<void>;
  readonly toolAsync: (serving: ToolServing, context: SurfaceCommandContext) => Promise<void>;
}
