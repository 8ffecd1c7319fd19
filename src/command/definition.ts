/**
 * What a command is. A definition says everything once: input, output, target, spelling, wording. Surfaces read the
 * definition and never name a command; `dispatch.ts` is the only caller of `executeAsync`.
 */
import type { z } from "zod";
import type { BridgeConnection, BridgeSession } from "../bridge/index.ts";
import type {
  ActionName,
  ActionRequest,
  ActionResult,
  LogLevel,
  SessionContext,
} from "../protocol/actions.ts";
import type { OutputMessage } from "../protocol/events.ts";
import type { SessionInfo } from "../protocol/network.ts";
import type { Schema } from "../protocol/schema.ts";
import type { Style } from "../util/style.ts";
import { parseInput } from "./input.ts";
import type { OtherOutput } from "./scripts/other-output.ts";
import type { CliSpelling, Positional } from "./words/spelling.ts";
import type { Surfaces } from "./surfaces.ts";

type Surface = "cli" | "terminal" | "mcp";

export const commandGroups = ["Scripts", "Studio", "Setup", "Bridge", "Help"] as const;
type CommandGroup = (typeof commandGroups)[number];

/** What a handler returns whose emissions were the whole result, as with `--follow`. */
export const streamed = Symbol("streamed");
/** The same, where something in it failed. */
export const streamedFailure = Symbol("streamed failure");

/** Something shown before the result: a printed line, a followed log entry, a failure report. */
export interface Emission {
  readonly stream: "stdout" | "stderr";
  /** Without the final newline; absent where people have been shown it already. */
  readonly text?: (style: Style) => string;
  /** One line of `--json` output; absent where the result carries the same facts. */
  readonly json?: unknown;
  /** A line that Studio's log has too. */
  readonly logged?: { readonly level: LogLevel; readonly body: string };
}

/** What every handler gets. */
export interface CommandContext {
  /** Fires when the person or the agent gives up. */
  readonly signal: AbortSignal;
  readonly catalog: readonly Command[];
  emit(emission: Emission): void;
  /** A line such as `Waiting for Studio`, shown while nothing else is. */
  status(text: string): void;
  readStdinAsync(): Promise<Uint8Array>;
  /** The bridge is on another machine. */
  readonly isRemote: boolean;
  /** Asks a person; undefined, and absent, where there is nobody to ask. */
  readonly confirmAsync?: (question: string) => Promise<boolean | undefined>;
}

export interface BridgeCommandContext extends CommandContext {
  readonly bridge: BridgeConnection;
}

export interface SessionCommandContext extends BridgeCommandContext {
  /** How long each request may take, where the caller says so. */
  readonly timeoutMs?: number;
  readonly session: SessionInfo;
  /** Asks the session's plugin, under the caller's `--timeout` and signal. */
  callAsync<Name extends ActionName>(
    name: Name,
    request: ActionRequest<Name>,
    onOutput?: (messages: readonly OutputMessage[]) => void,
  ): Promise<ActionResult<Name>>;
  readonly subscribeAsync: BridgeSession["subscribeAsync"];
  /** Present where scripts run in a Studio that is the command's own. */
  readonly otherOutput?: OtherOutput;
  /** Present where a command may turn into another surface. */
  readonly surfaces?: Surfaces;
}

/** For commands that turn into another surface and stay in it. */
export interface SurfaceCommandContext extends CommandContext {
  readonly surfaces: Surfaces;
  /** A connection of the caller's own each time, to the host that the flags name. */
  connectAsync(): Promise<BridgeConnection>;
  /** Queues text for whoever waits at stdout, after everything that was queued before. */
  write(text: string): void;
}

/** What a command works on, and so what its handler gets. */
export interface ContextByTarget {
  none: CommandContext;
  surface: SurfaceCommandContext;
  bridge: BridgeCommandContext;
  session: SessionCommandContext;
}
export type Target = keyof ContextByTarget;

/** A picture, for surfaces that can show one. */
export interface Media {
  readonly mimeType: string;
  readonly base64: string;
}

export interface Example {
  readonly command: string;
  readonly note: string;
}

interface CommandFacts {
  readonly name: string;
  /** One sentence without a full stop, for lists. */
  readonly summary: string;
  /** Whole sentences, for help pages. */
  readonly description: string;
  /** For agents, in place of `description`: Markdown from a file beside the command. */
  readonly agentDescription?: string;
  readonly group: CommandGroup;
  readonly examples: readonly Example[];
  readonly surfaces: readonly Surface[];
  /** Starts Studio where none is connected (spec 2 "Zero-instance behavior by command"). */
  readonly launchesStudio?: boolean;
  /** Works on a Studio that is there already: one of its own makes no sense. */
  readonly opensNoStudio?: boolean;
  /** Stays until it is told to end, and so may well be the bridge host itself. */
  readonly stays?: boolean;
  /** Milliseconds that a first signal leaves it, where the usual two seconds do not do because it saves something. */
  readonly graceMs?: number;
  /** Where a Studio in play has several contexts (spec 2 "Context default by command category"). */
  readonly defaultContext?: SessionContext;
  /** The request whose answer it waits for; help names how long, where nobody says otherwise. */
  readonly waitsFor?: ActionName;
  /** The request that it makes again and again; `--timeout` is for each. */
  readonly repeats?: ActionName;
  readonly annotations: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
  };
  readonly cli: CliSpelling;
  /** The words of the dot-command, where they are not those of the command line without the session. */
  readonly dotWords?: readonly Positional[];
}

type Handled<O extends z.ZodType> = Promise<z.input<O> | typeof streamed | typeof streamedFailure>;

/** Most commands have a handler; one that reads files first prepares, so that bad files never open a Studio. */
type Handling<T extends Target, I extends z.ZodObject, O extends z.ZodType> =
  | { handler(input: z.output<I>, context: ContextByTarget[T]): Handled<O> }
  | {
      /** `streamed` where nothing more is to be done, and so nothing to be opened. */
      prepareAsync(
        input: z.output<I>,
        context: CommandContext,
      ): Promise<typeof streamed | ((context: ContextByTarget[T]) => Handled<O>)>;
    };

type CommandDefinition<T extends Target, I extends z.ZodObject, O extends z.ZodType> = DefinitionFacts<
  T,
  I,
  O
> &
  Handling<T, I, O>;

interface DefinitionFacts<T extends Target, I extends z.ZodObject, O extends z.ZodType> extends CommandFacts {
  readonly target: T;
  /** Strict and flat, every field described; built when it is first asked for. */
  readonly input: Schema<I>;
  readonly output: Schema<O>;
  /** Input keys that make no sense to an agent. */
  readonly personalInput?: readonly (keyof z.input<I> & string)[];
  /** What the input of an agent always holds. */
  readonly agentInput?: Partial<z.input<I>>;
  /** For people; empty where everything was emitted already. */
  format?(output: z.output<O>, style: Style): string;
  /** It ran, but what it ran failed. */
  failed?(output: z.output<O>): boolean;
  /** Takes what is typed into a REPL and is no dot-command; the result tells whether the text goes on. */
  readonly typed?: { input(text: string): z.input<I>; isIncomplete(output: z.output<O>): boolean };
  /** Pictures that the output holds. */
  media?(output: z.output<O>): readonly Media[];
  /** A sentence for agents beside the output, where the output alone would leave them without a next step. */
  agentNote?(output: z.output<O>): string | undefined;
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

/** An opened context; closing it ends whatever was opened for this one command. */
export interface Opened<Context> extends AsyncDisposable {
  readonly context: Context;
}
export type ContextOpeners = { [T in Target]: () => Promise<Opened<ContextByTarget[T]>> };

/** A definition whose types are closed over, so that all commands fit one list. */
export interface Command extends CommandFacts {
  readonly target: Target;
  readonly input: Schema<z.ZodObject>;
  readonly output: Schema<z.ZodType>;
  readonly personalInput: readonly string[];
  readonly agentInput?: { readonly [key: string]: unknown };
  readonly typed?: { input(text: string): { readonly [key: string]: unknown } };
  /** Throws INVALID_INPUT before anything is opened. */
  executeAsync(rawInput: unknown, basics: CommandContext, openers: ContextOpeners): Promise<CommandResult>;
}

const nothingToShow: CommandResult = {
  output: undefined,
  failed: false,
  isIncomplete: false,
  media: [],
  text: () => "",
};

export function defineCommand<T extends Target, I extends z.ZodObject, O extends z.ZodType>(
  definition: CommandDefinition<T, I, O>,
): Command {
  return {
    ...definition,
    personalInput: definition.personalInput ?? [],
    async executeAsync(rawInput, basics, openers) {
      const input = parseInput(definition.input, rawInput);
      const handle =
        "handler" in definition
          ? (context: ContextByTarget[T]) => definition.handler(input, context)
          : await definition.prepareAsync(input, basics);
      if (handle === streamed) return nothingToShow;
      await using opened = await openers[definition.target]();
      const raw = await handle(opened.context);
      if (raw === streamed || raw === streamedFailure)
        return { ...nothingToShow, failed: raw === streamedFailure };
      const output = definition.output.read(raw)?.value ?? definition.output().parse(raw);
      const agentNote = definition.agentNote?.(output);
      return {
        ...(agentNote === undefined ? {} : { agentNote }),
        output,
        failed: definition.failed?.(output) ?? false,
        isIncomplete: definition.typed?.isIncomplete(output) ?? false,
        media: definition.media?.(output) ?? [],
        text: (style) => definition.format?.(output, style) ?? "",
      };
    },
  };
}
