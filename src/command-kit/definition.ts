/**
 * The definition of a command: one object with everything about it. Surfaces read definitions and never name a command;
 * `dispatch.ts` is the only caller of a handler.
 */
import type { z } from "zod";
import type { StudioBridgeError } from "../protocol/errors.ts";
import type { Schema } from "../protocol/schema.ts";
import type { Style } from "../util/style.ts";
import type { CommandContext, ContextByTarget } from "./context.ts";
import type { Media } from "../output/emission.ts";
import type { CommandFacts, Target } from "./facts.ts";

/** What a handler returns whose emissions were the whole result, as with `--follow`. */
export const streamed = Symbol("streamed");
/** The same, where something in it failed. */
export const streamedFailure = Symbol("streamed failure");

type Handled<O extends z.ZodType> = Promise<z.input<O> | typeof streamed | typeof streamedFailure>;

interface Definition<T extends Target, I extends z.ZodObject, O extends z.ZodType> extends CommandFacts {
  readonly target: T;
  readonly input: Schema<I>;
  readonly output: Schema<O>;
  readonly personalInput?: readonly (keyof z.input<I> & string)[];
  /** What the input of an agent always holds. */
  readonly agentInput?: Partial<z.input<I>>;
  /**
   * What makes the command change nothing: the input that it then always gets, undefined for what it then never takes.
   * `sb mcp --read-only` offers it with that. Absent where the command never or always only looks.
   */
  readonly readOnlyInput?: { readonly [Key in keyof z.input<I>]?: z.input<I>[Key] | undefined };
  /**
   * What it does where no Studio is connected, which `error` says. It throws `error` where there is nothing to do.
   */
  withoutSessionAsync?(error: StudioBridgeError, context: CommandContext): Promise<z.input<O>>;
  /** For people; empty where everything was emitted already. */
  format?(output: z.output<O>, style: Style): string;
  /** What a file or a pipe gets in place of the text for people, to the byte. */
  exact?(output: z.output<O>): string;
  /** It ran, but what it ran failed. */
  failed?(output: z.output<O>): boolean;
  /** Takes what is typed into a REPL and is no dot-command; the result tells whether the text goes on. */
  readonly typed?: { input(text: string): z.input<I>; isIncomplete(output: z.output<O>): boolean };
  /** Pictures that the output holds. */
  media?(output: z.output<O>): readonly Media[];
  /** The output as agents get it, where people and programs get another; `commands` are all that there are. */
  agentOutput?(output: z.output<O>, commands: readonly CommandFacts[]): unknown;
  /** A sentence for agents beside the output, where the output alone would leave them without a next step. */
  agentNote?(output: z.output<O>, input: z.output<I>): string | undefined;
}

/** Most commands have a handler; one that reads files first prepares, so that bad files never open a Studio. */
type Handling<T extends Target, I extends z.ZodObject, O extends z.ZodType> =
  | { handler(input: z.output<I>, context: ContextByTarget[T]): Handled<O> }
  | {
      /** `streamed`, or what is finished, where nothing more is to be done, and so nothing to be opened. */
      prepareAsync(
        input: z.output<I>,
        context: CommandContext,
      ): Promise<typeof streamed | Finished<z.input<O>> | Prepared<T, O>>;
    };

/** The output of a command that turned out to need no target. */
export interface Finished<Output> {
  readonly finished: Output;
}

/** What is left to do when the target is open. Typed as a method, like handlers, so that every command fits `Command`. */
type Prepared<T extends Target, O extends z.ZodType> = {
  handler(context: ContextByTarget[T]): Handled<O>;
}["handler"];

type CommandDefinition<T extends Target, I extends z.ZodObject, O extends z.ZodType> = Definition<T, I, O> &
  Handling<T, I, O>;

/** Any command, so that all fit one list. Only `dispatch.ts` hands a handler its input and its context. */
export type Command = CommandDefinition<Target, z.ZodObject, z.ZodType>;

export function defineCommand<T extends Target, I extends z.ZodObject, O extends z.ZodType>(
  definition: CommandDefinition<T, I, O>,
): Command {
  return definition;
}
