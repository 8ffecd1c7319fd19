/**
 * What is known about a command without running it: its name and wording, its input, how it is typed, what it works on.
 * Help, completion and the reading of words need no more than this.
 */
import type { z } from "zod";
import type { ActionName } from "../protocol/actions.ts";
import type { SessionContext } from "../protocol/fields/contexts.ts";
import type { Schema } from "../protocol/schema.ts";
import type { CliSpelling, Positional } from "./words/spelling.ts";

type Surface = "cli" | "terminal" | "mcp";

export const commandGroups = ["Scripts", "Studio", "Setup", "Bridge", "Help"] as const;
type CommandGroup = (typeof commandGroups)[number];

/**
 * What `dispatch.ts` opens for a command: nothing; the way to a connection, for a command that examines connecting
 * itself; a connection to the bridge; a session; what it needs to become another surface.
 */
export type Target = "none" | "connection" | "bridge" | "session" | "surface";

export interface Example {
  readonly command: string;
  readonly note: string;
}

/** What `sb mcp --tools` chooses from. `core` has the few tools that most work needs. */
export const toolGroups = ["core", "edit", "script", "play", "test", "sync", "look", "ui"] as const;
export type ToolGroup = (typeof toolGroups)[number];

export interface CommandFacts {
  readonly name: string;
  /** What agents call it after `studio_`, where that is not its name. */
  readonly toolName?: string;
  /** The groups of tools that it belongs to; every tool has one. */
  readonly toolGroups?: readonly ToolGroup[];
  /** One sentence without a full stop, for lists. */
  readonly summary: string;
  /** Whole sentences, for help pages. */
  readonly description: string;
  /** For agents, in place of `description`: Markdown from a file beside the command. */
  readonly agentDescription?: string;
  readonly group: CommandGroup;
  readonly examples: readonly Example[];
  readonly surfaces: readonly Surface[];
  readonly target: Target;
  /** Strict and flat, every field described; built when it is first asked for. */
  readonly input: Schema<z.ZodObject>;
  /** Input keys that make no sense to an agent. */
  readonly personalInput?: readonly string[];
  /**
   * Input keys whose words others may be told beside the command's name, such as that of a file without its folders.
   * Never values, sources, patterns or arguments.
   */
  readonly toldInput?: readonly string[];
  /** What it is given changes no place and runs no code. Absent where `annotations.readOnly` says all. */
  readonly onlyLooks?: (input: { readonly [key: string]: unknown }) => boolean;
  /** Launches Studio where none is connected. */
  readonly launchesStudio?: boolean;
  /** Works on a Studio that is there already, because one of its own makes no sense: the next step where none is. */
  readonly withoutStudio?: string;
  /** Stays until it is told to end, and so may well be the bridge host itself. */
  readonly stays?: boolean;
  /**
   * Its process never becomes the bridge host, because what it runs has to survive the end of a host, and it starts no
   * further one, because it needs none by itself.
   */
  readonly neverHosts?: boolean;
  /**
   * It lasts until it is stopped and shows what happens, so that it ends when the reader of stdout has gone. Every other
   * command goes on to its end without a reader.
   */
  readonly endsWithReader?: (input: { readonly [key: string]: unknown }) => boolean;
  /** Its exit code 1 is an answer, such as "they differ", so that a failure to find out is 2. */
  readonly answersByExitCode?: (input: { readonly [key: string]: unknown }) => boolean;
  /** Milliseconds that a first signal leaves it, where the usual two seconds do not do because it saves something. */
  readonly graceMs?: number;
  /** It may work for minutes, so that agents whose clients know tasks (MCP) get one in place of a late answer. */
  readonly takesLong?: boolean;
  /** Works on a whole Studio. One session of its play test never stands for the Studio, so the command refuses it. */
  readonly isForWholeStudio?: boolean;
  /** May save the place, so that a Studio of its own keeps what the engine cannot hold of the opened file. */
  readonly savesPlace?: boolean;
  /** Changes the place and nothing else, so that in a headless Studio of its own it has to write a place file. */
  readonly patchesPlace?: boolean;
  /** The context that it works in where a Studio in play has several and the caller names none. */
  readonly defaultContext?: SessionContext;
  /** Works in one context, so that its answer names that while a test plays. */
  readonly namesContext?: (input: { readonly [key: string]: unknown }) => boolean;
  /** The request that it waits for. Help shows the timeout of that request, unless the user sets another. */
  readonly waitsFor?: ActionName;
  /** How long that is for agents, where it is not the time of the request. */
  readonly timeoutInWords?: string;
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
