/** Formats help for people. It fits 60 columns, and uses more only up to a comfortable width. */
import type { Style } from "../../util/style.ts";
import { cells, pad, wrap } from "../../util/text-width.ts";
import type { CommandHelp, ErrorHelp } from "./command-help.ts";
import { helpPages } from "./help-pages.ts";
import { commandGroups } from "../facts.ts";

const COMFORTABLE_COLUMNS = 88;
const NARROW_COLUMNS = 70;

/** A line of the overview. */
export interface CommandSummary {
  readonly name: string;
  readonly group: string;
  readonly summary: string;
}

export function overviewText(commands: readonly CommandSummary[], style: Style): string {
  const groups = commandGroups.flatMap((group) => {
    const members = commands.filter((command) => command.group === group);
    if (members.length === 0) return [];
    return [
      section(
        group,
        pairs(
          members.map(({ name, summary }) => [name, summary]),
          style,
        ),
        style,
      ),
    ];
  });
  return [
    paragraph("sb drives Roblox Studio, or a headless one, from the command line.", style),
    `${style.bold("Usage:")} sb COMMAND [flags]`,
    ...groups,
    section(
      "Pages, with sb help NAME",
      pairs(
        helpPages.map(({ name, description }) => [name, description]),
        style,
      ),
      style,
    ),
    section(
      "First steps",
      examples(
        [
          { command: "sb exec --headless 'print(\"hello\")'", note: "no Studio needed" },
          { command: "sb run script.luau", note: "in the open Studio" },
          { command: "sb help run", note: "how a command is used" },
          { command: "sb doctor", note: "when something does not work" },
        ],
        style,
      ),
      style,
    ),
  ].join("\n\n");
}

/** A page, which is Markdown: set for a screen, and as it was written in a file or a pipe. */
export function pageText(markdown: string, { isScreen, columns, color }: Style): string {
  if (!isScreen) return markdown;
  const width = Math.min(columns, COMFORTABLE_COLUMNS);
  return Bun.markdown.ansi(markdown, { columns: width, colors: color }).trimEnd();
}

/** The commands that share their first word. */
export function familyText(commands: readonly CommandHelp[], style: Style): string {
  const [family = ""] = commands[0]?.name.split(" ") ?? [];
  return [
    `${style.bold("Usage:")} sb ${family} COMMAND [flags]`,
    section(
      "Commands",
      pairs(
        commands.map(({ name, summary }) => [name, summary]),
        style,
      ),
      style,
    ),
    paragraph(`\`sb help ${commands[0]?.name}\` explains one of them.`, style),
  ].join("\n\n");
}

export function commandText(help: CommandHelp, style: Style): string {
  const named = help.arguments.map(({ label, description }): [string, string] => [label, description]);
  return [
    `${style.bold("Usage:")} ${help.usage}`,
    paragraph(help.description, style),
    ...(named.length === 0 ? [] : [section("Words", pairs(named, style), style)]),
    ...help.sections.map(({ title, flags }) =>
      section(
        title,
        pairs(
          flags.map((flag) => [flag.spelling, flag.description]),
          style,
        ),
        style,
      ),
    ),
    ...(help.examples.length === 0 ? [] : [section("Examples", examples(help.examples, style), style)]),
  ].join("\n\n");
}

/** Each code with its meaning and its cure below it. */
export function errorsText(errors: readonly ErrorHelp[], style: Style): string {
  const room = width(style) - 4;
  return errors
    .map(({ code, meaning, cure }) =>
      [
        style.bold(code),
        ...wrap(meaning, room).map((line) => `    ${line}`),
        ...wrap(cure, room).map((line) => `    ${style.cyan(line)}`),
      ].join("\n"),
    )
    .join("\n");
}

function width({ columns }: Style): number {
  return Math.min(columns, COMFORTABLE_COLUMNS);
}

function paragraph(text: string, style: Style): string {
  return wrap(text, width(style)).join("\n");
}

function section(title: string, lines: readonly string[], style: Style): string {
  return [style.bold(`${title}:`), ...lines].join("\n");
}

/** Terms beside their meaning; below each other where the screen is narrow and the terms are long. */
function pairs(rows: readonly (readonly [string, string])[], style: Style): string[] {
  const termWidth = Math.max(...rows.map(([term]) => cells(term)));
  if (width(style) < NARROW_COLUMNS && termWidth > 16)
    return rows.flatMap(([term, meaning]) => [
      `  ${style.cyan(term)}`,
      ...wrap(meaning, width(style) - 8).map((line) => `        ${line}`),
    ]);
  const room = width(style) - termWidth - 4;
  return rows.flatMap(([term, meaning]) => {
    const [first = "", ...more] = wrap(meaning, room);
    return [
      `  ${style.cyan(pad(term, termWidth))}  ${first}`,
      ...more.map((line) => " ".repeat(termWidth + 4) + line),
    ];
  });
}

function examples(list: CommandHelp["examples"], style: Style): string[] {
  return list.flatMap(({ command, note }) => {
    if (note === "") return [`  ${command}`];
    const oneLine = `  ${command}  # ${note}`;
    return cells(oneLine) <= width(style)
      ? [`  ${command}  ${style.dim(`# ${note}`)}`]
      : [`  ${style.dim(`# ${note}`)}`, `  ${command}`];
  });
}
