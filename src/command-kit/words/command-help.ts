/** The help of a command as data. It is taken from the command's definition, so the two always agree. */
import { errorCodes } from "../../protocol/errors.ts";
import { defineSchema } from "../../protocol/schema.ts";
import { commandGroups } from "../facts.ts";
import type { CommandFacts } from "../facts.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { sessionTargetSchema } from "../../session/session-target.ts";
import { flagSections } from "./shared-flags.ts";
import type { Flag, Positional } from "./spelling.ts";

export const helpSchema = defineSchema((z) =>
  z.object({
    name: z.string(),
    group: z.enum(commandGroups),
    summary: z.string(),
    description: z.string(),
    usage: z.string(),
    arguments: z.array(z.object({ label: z.string(), description: z.string() })),
    sections: z.array(
      z.object({
        title: z.string(),
        flags: z.array(z.object({ spelling: z.string(), description: z.string() })),
      }),
    ),
    examples: z.array(z.object({ command: z.string(), note: z.string() })),
  }),
);
export type CommandHelp = OutputOf<typeof helpSchema>;

export const errorHelpSchema = defineSchema((z) =>
  z.object({ code: z.string(), meaning: z.string(), cure: z.string(), exitCode: z.int() }),
);
export type ErrorHelp = OutputOf<typeof errorHelpSchema>;

/** The commands that the command line lists. */
export function listedCommands<Facts extends CommandFacts>(commands: readonly Facts[]): readonly Facts[] {
  return commands.filter(({ cli, surfaces }) => cli.hidden !== true && surfaces.includes("cli"));
}

export function describeErrors(): ErrorHelp[] {
  return Object.entries(errorCodes).map(([code, row]) => ({ code, ...row }));
}

export function describeCommand(command: CommandFacts): CommandHelp {
  const { name, group, summary, description, examples } = command;
  const { positionals = [], rest } = command.cli;
  return {
    name,
    group,
    summary,
    description,
    usage: usageLine(command),
    arguments: [
      ...positionals.map((positional) => ({
        label: positional.label,
        description: argumentDescription(command, positional),
      })),
      ...(rest === undefined ? [] : [{ label: rest.label, description: rest.description }]),
    ],
    sections: (command.cli.raw === undefined ? flagSections(command) : []).map(({ title, flags }) => ({
      title,
      flags: flags
        .filter(({ hidden }) => hidden !== true)
        .map((flag) => ({ spelling: flagSpelling(flag), description: flag.describe() })),
    })),
    examples: [...examples],
  };
}

function usageLine({ name, cli: { positionals = [], rest, raw } }: CommandFacts): string {
  if (raw !== undefined) return raw.usage;
  const words = positionals.map(({ label, required, repeated }) => {
    const word = repeated === true ? `${label}…` : label;
    return required === true ? word : `[${word}]`;
  });
  return ["sb", name, ...words, "[flags]", ...(rest === undefined ? [] : [`[-- ${rest.label}…]`])].join(" ");
}

function argumentDescription(command: CommandFacts, { key, required, dashReadsStdin }: Positional): string {
  const session = required === true ? sessionTargetSchema.field("sessionId").description : undefined;
  const description = command.input.field(key).description ?? session ?? "The same as --session";
  return dashReadsStdin === true ? `${description}; - reads stdin` : description;
}

function flagSpelling({ name, alias, label, kind }: Flag): string {
  const value = label === undefined ? "" : ` ${label}`;
  const dots = kind === "list" ? ",…" : "";
  return `${alias === undefined ? "    " : `-${alias}, `}--${name}${value}${dots}`;
}
