/** Every dot-command: the commands that the terminal shares with other surfaces, and those that concern it alone. */
import { describeCommand } from "../command-kit/words/command-help.ts";
import type { CommandHelp } from "../command-kit/words/command-help.ts";
import { defineCommand, streamed } from "../command-kit/definition.ts";
import type { Command } from "../command-kit/definition.ts";
import { familyOf } from "../command-kit/words/families.ts";
import type { Example } from "../command-kit/facts.ts";
import { commandText } from "../command-kit/words/help-text.ts";
import { contexts } from "../protocol/fields/contexts.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { defineSchema } from "../protocol/schema.ts";
import { invalidInput } from "../protocol/messages.ts";
import type { Style } from "../util/style.ts";
import { cells, pad, wrap } from "../util/text-width.ts";
import { dotQuestion, inDots, parseDotLine } from "./dot-line.ts";

interface TerminalControls {
  /** Goes to another context of the Studio, or tells which there are; gives what people are told. */
  contextAsync(word: string | undefined): Promise<string>;
  /** Detaches from the session, which goes on. */
  disconnect(): void;
  clear(): void;
  exit(): void;
}

const HELP = "help";
const COMFORTABLE_COLUMNS = 88;
const MIN_SUMMARY_COLUMNS = 20;
const LUAU_NOTE =
  "Anything else is Luau: an expression shows its value, and _ is the last one; globals stay, locals end with their line. Tab completes, Ctrl+R searches what was typed, Ctrl+C cancels what runs.";

const empty = defineSchema((z) => z.strictObject({}));
const nothing = defineSchema((z) => z.object({}));
const facts = {
  group: "Help",
  examples: [],
  surfaces: ["terminal"],
  target: "none",
  annotations: { readOnly: true, destructive: false, idempotent: true },
} as const;

/** `shared` may have a `help`, which is left out because the terminal explains its commands in its own words. */
export function dotCommands(controls: TerminalControls, shared: readonly Command[]): readonly Command[] {
  const simple = (name: string, summary: string, act: () => void) =>
    defineCommand({
      ...facts,
      name,
      summary,
      description: `${summary}.`,
      input: empty,
      output: nothing,
      cli: {},
      handler: async () => {
        act();
        return streamed;
      },
    });
  const own = [
    contextCommand(controls),
    simple("disconnect", "Let go of the session", () => controls.disconnect()),
    simple("clear", "Clear the screen", () => controls.clear()),
    simple("exit", "Leave", () => controls.exit()),
  ];
  const others = shared.filter(({ name }) => name !== HELP);
  return [...others, ...own, helpCommand([...others, ...own])];
}

const contextInput = defineSchema((z) =>
  z.strictObject({
    words: z.array(z.string()).default([]).describe("edit, server, client or client 2; none shows them"),
  }),
);

function contextCommand(controls: TerminalControls): Command {
  return defineCommand({
    ...facts,
    name: "context",
    summary: "Go to another context of a test",
    description:
      "Goes to the edited place, or to the server or a client of the test that plays, and shows where lines run without a word. The prompt names the context while a test plays. A chosen context is used again in the next test.",
    input: contextInput,
    output: defineSchema((z) => z.object({ told: z.string() })),
    cli: { positionals: [{ key: "words", label: "CONTEXT", repeated: true, values: contexts }] },
    format: ({ told }) => told,
    handler: async ({ words }) => ({
      told: await controls.contextAsync(words.length === 0 ? undefined : words.join(" ")),
    }),
  });
}

const helpInput = defineSchema((z) =>
  z.strictObject({ words: z.array(z.string()).default([]).describe("The dot-command to explain") }),
);

function helpCommand(others: readonly Command[]): Command {
  const help: Command = defineCommand({
    ...facts,
    name: HELP,
    summary: "Show this help",
    description: "Lists the dot-commands, or explains one.",
    input: helpInput,
    output: defineSchema((z) => z.object({ name: z.string() })),
    cli: { positionals: [{ key: "words", label: "COMMAND", repeated: true }] },
    format: ({ name }, style) => {
      const catalog = [...others, help];
      const command = catalog.find((each) => each.name === name);
      if (command !== undefined) return dotHelpText(command, style);
      const family = familyOf(name, catalog);
      return listText(family.length === 0 ? catalog : family, style);
    },
    handler: async ({ words }) => {
      const name = words.join(" ").replace(/^\./, "");
      const names = [...others, help].map((each) => each.name);
      if (name === "" || names.includes(name) || familyOf(name, others).length > 0) return { name };
      throw invalidInput(`There is no dot-command .${name}.${dotQuestion(name, names)}`, "See `.help`.");
    },
  });
  return help;
}

function listText(catalog: readonly Command[], style: Style): string {
  const rows = catalog.map((command): [string, string] => [usageOf(command), command.summary]);
  const width = Math.max(...rows.map(([usage]) => cells(usage)));
  return [
    ...rows.flatMap(([usage, summary]) => helpRow(usage, width, summary, style)),
    "",
    ...wrap(LUAU_NOTE, Math.min(style.columns, COMFORTABLE_COLUMNS)),
  ].join("\n");
}

/** A summary that is too wide goes on below itself. */
function helpRow(usage: string, width: number, summary: string, style: Style): string[] {
  const lines = wrap(summary, Math.max(MIN_SUMMARY_COLUMNS, style.columns - width - 4));
  return lines.map((line, index) => `  ${style.cyan(pad(index === 0 ? usage : "", width))}  ${line}`);
}

function usageOf(command: Command, flags = ""): string {
  const { positionals = [], rest } = inDots(command).cli;
  const words = positionals.map(({ label, required, repeated }) => {
    const word = repeated === true ? `${label}…` : label;
    return required === true ? word : `[${word}]`;
  });
  return [
    `.${command.name}`,
    ...words,
    ...(flags === "" ? [] : [flags]),
    ...(rest === undefined ? [] : [`[-- ${rest.label}…]`]),
  ].join(" ");
}

/** What help says about the command line, in the words of the terminal. */
function dotHelpText(command: Command, style: Style): string {
  const help = describeCommand(inDots(command));
  const sections = help.sections.filter(({ title }) => title === "Flags");
  const dotted: CommandHelp = {
    ...help,
    usage: usageOf(command, sections.length === 0 ? "" : "[flags]"),
    sections,
    examples: help.examples.flatMap((example) => dotExample(command, example)),
  };
  return commandText(dotted, style);
}

/** An example of the command line, where its words mean the same behind a dot. */
function dotExample(command: Command, { command: line, note }: Example): Example[] {
  const words = /^sb (.+)$/.exec(line)?.[1];
  if (words === undefined || /[|<>]/.test(words)) return [];
  try {
    parseDotLine(`.${words}`, [command]);
    return [{ command: `.${words}`, note }];
  } catch (error) {
    if (error instanceof StudioBridgeError) return [];
    throw error;
  }
}
