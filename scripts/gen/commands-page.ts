/** docs/commands.md, from the definitions of the commands. */
import { KEY_FILE_VARIABLE } from "../../src/auth/index.ts";
import { KEY_VARIABLE } from "../../src/cloud/api-key.ts";
import { describeCommand, listedCommands } from "../../src/command-kit/words/command-help.ts";
import type { CommandHelp } from "../../src/command-kit/words/command-help.ts";
import { NO_AUTH_VARIABLE } from "../../src/auth/auth-switch.ts";
import { commandGroups } from "../../src/command-kit/facts.ts";
import type { Command } from "../../src/command-kit/definition.ts";
import { commands as catalog } from "../../src/commands/index.ts";
import { TOKEN_VARIABLE } from "../../src/mcp/index.ts";
import { PERMISSION_VARIABLE } from "../../src/headless/permission.ts";
import { JOURNAL_VARIABLE } from "../../src/journal/settings.ts";
import { VARIANT_VARIABLE } from "../../src/headless/variants.ts";
import { PLUGINS_VARIABLE, STUDIO_VARIABLE } from "../../src/studio/locate-studio.ts";

const commands = await catalog.allAsync();
const execHelp = helpOf("exec");
const sessionsHelp = helpOf("sessions");

function helpOf(name: string): CommandHelp {
  const command = commands.find((each) => each.name === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return describeCommand(command);
}

const FENCE = "```";

/** Text that Markdown would take for markup stays text. */
const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function table(heads: readonly [string, string], rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return "";
  const lines = rows.map(([term, meaning]) => `| \`${term.trim()}\` | ${cell(meaning)} |\n`);
  return `| ${heads[0]} | ${heads[1]} |\n| --- | --- |\n${lines.join("")}\n`;
}

function exampleBlock(examples: CommandHelp["examples"]): string {
  if (examples.length === 0) return "";
  const lines = examples.map(({ command, note }) => (note === "" ? command : `${command}  # ${note}`));
  return `${FENCE}sh\n${lines.join("\n")}\n${FENCE}\n\n`;
}

const rowsOf = (help: CommandHelp, title: string) =>
  help.sections
    .filter((section) => section.title === title)
    .flatMap(({ flags }) => flags.map((flag): [string, string] => [flag.spelling, flag.description]));

function section(command: Command): string {
  const help = describeCommand(command);
  const shared = help.sections.filter(({ title }) => sharedTitles.includes(title));
  const missing = shared.flatMap(({ title }) => missingFlags(help, title));
  const { olderNames = [], asks } = command.cli;
  const notes = [
    ...(shared.length === 0 ? [] : [sharedNote(shared, missing)]),
    ...(asks === true ? ["`--yes` answers its questions."] : []),
    ...(olderNames.length === 0
      ? []
      : [`Also understood: ${olderNames.map((name) => `\`sb ${name}\``).join(", ")}.`]),
  ];
  return [
    `### sb ${help.name}\n\n`,
    `${help.description}\n\n`,
    `    ${help.usage}\n\n`,
    table(
      ["word", "meaning"],
      help.arguments.map(({ label, description }) => [label, description]),
    ),
    table(["flag", "meaning"], rowsOf(help, "Flags")),
    notes.length === 0 ? "" : `${notes.join(" ")}\n\n`,
    exampleBlock(help.examples),
  ].join("");
}

function sharedNote(shared: CommandHelp["sections"], missing: readonly string[]): string {
  const titles = shared.map(({ title }) => `*${title}*`).join(" and ");
  const except = missing.length === 0 ? "" : ` except ${missing.map((name) => `\`${name}\``).join(", ")}`;
  return `It takes the flags of ${titles}${except}.`;
}

const nameOf = (spelling: string) => /--[a-z-]+/.exec(spelling)?.[0] ?? spelling;

/** Those of the shared list that this command has neither there nor among its own. */
function missingFlags(help: CommandHelp, title: string): string[] {
  const names = [...rowsOf(help, title), ...rowsOf(help, "Flags")].map(([spelling]) => nameOf(spelling));
  const all = rowsOf(execHelp, title).map(([spelling]) => nameOf(spelling));
  return all.filter((name) => !names.includes(name));
}

/** Flags that many commands share, told once. */
const sharedTitles: readonly string[] = ["Which Studio", "Bridge"];

function sharedFlags(): string {
  return [
    "## Flags that commands share\n\n",
    "Every command:\n\n",
    table(["flag", "meaning"], rowsOf(sessionsHelp, "General")),
    ...sharedTitles.flatMap((title) => [
      `### ${title}\n\n`,
      table(["flag", "meaning"], rowsOf(execHelp, title).map(withoutDefault)),
    ]),
  ].join("");
}

/** The time that is said of one command is its own. */
function withoutDefault([flag, meaning]: [string, string]): [string, string] {
  return [flag, meaning.replace(/ \(default: \d+\)$/, ", in place of the command's own time")];
}

const variables: readonly (readonly [string, string])[] = [
  [STUDIO_VARIABLE, "Studio's program, where it is not found"],
  [PLUGINS_VARIABLE, "Studio's folder of plugins, where it is not found"],
  [
    KEY_FILE_VARIABLE,
    "A copy of the key of the machine that runs Studio, for use in a container or with --remote. It must be private",
  ],
  [TOKEN_VARIABLE, "The bearer token of `sb mcp --http`; else each start makes one"],
  [
    `${NO_AUTH_VARIABLE}=1`,
    "--allow-unpaired for every command and the host that it starts: plugins that cannot prove themselves are let in, and so is everybody else. Each command then says so on stderr, and so does `sb doctor`",
  ],
  [
    VARIANT_VARIABLE,
    "What headless Studio is to be without, as [headless.md](headless.md#variants) lists it",
  ],
  [
    PERMISSION_VARIABLE,
    "What a headless Studio allows, as a person at Studio does: `look` (nothing may change the place or run in it), `paused` (nothing at all), or `everything`",
  ],
  [
    `${JOURNAL_VARIABLE}=0`,
    "The bridge host that a command starts keeps no journal, whatever `sb journal` has set",
  ],
  ["XDG_STATE_HOME", "Where the folder studio-bridge with the key, notes and history is kept"],
  [
    KEY_VARIABLE,
    "The key of Open Cloud, for `sb test --on cloud`. It is taken out of the environment before anything runs",
  ],
  ["VISUAL, EDITOR", "The text editor that `sb script edit` opens; the first one that is set"],
  ["NO_COLOR, FORCE_COLOR, COLUMNS", "No color, color in any case, and the width of tables, as elsewhere"],
];

export function commandsPage(): string {
  const shown = listedCommands(commands);
  const groups = commandGroups.flatMap((group) => {
    const members = shown.filter((command) => command.group === group);
    return members.length === 0 ? [] : [`## ${group}\n\n`, ...members.map(section)];
  });
  return [
    "<!-- Generated by `npm run gen` from src/commands. -->\n\n",
    "# Commands\n\n",
    "Results go to stdout, everything else to stderr. With `--json` the result is one JSON object, the same that agents\n",
    "get over MCP: indented on a terminal, and one line in a file or a pipe. `--follow` and `--watch` print one object a\n",
    "line. Exit codes: 0 success; 1 it ran and failed, or could not be run; 2 wrong usage; 130 after Ctrl+C. What each error code means: [errors.md](errors.md).\n\n",
    "Where 1 is an answer, trouble is 2: `diff`, `checkpoint diff`, `wait`, `selftest` and `sync --check`.\n\n",
    "When the reader of stdout goes early, as in `sb test | head -1`, a command still goes on to its end and exits with its own\n",
    "code. Only `--follow`, `--watch` and servers on stdout end with their reader, with 0.\n\n",
    sharedFlags(),
    "### Environment\n\n",
    table(["variable", "meaning"], variables),
    ...groups,
  ]
    .join("")
    .replace(/\n+$/, "\n");
}
