/** `sb help [COMMAND]`: how the commands are used, and the pages about them. */
import { defineSchema } from "../protocol/schema.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import {
  describeCommand,
  describeErrors,
  errorHelpSchema,
  helpSchema,
  listedCommands,
} from "../command-kit/words/command-help.ts";
import { guessCommands } from "../command-kit/words/other-words.ts";
import { familyOf } from "../command-kit/words/families.ts";
import { defineCommand } from "../command-kit/definition.ts";
import { helpPageAsync, helpPages } from "../command-kit/words/help-pages.ts";
import {
  commandText,
  errorsText,
  familyText,
  overviewText,
  pageText,
} from "../command-kit/words/help-text.ts";

const ERRORS_TOPIC = "errors";

const input = defineSchema((z) =>
  z.strictObject({
    command: z
      .array(z.string())
      .default([])
      .describe("The command to explain, a page to show, or errors for all error codes"),
  }),
);

const output = defineSchema((z) =>
  z.object({
    commands: z.array(helpSchema(z)),
    isOverview: z.boolean(),
    /** In Markdown; only where a page has the name that was asked for. */
    page: z.string().optional(),
    /** Only for `sb help errors`. */
    errors: z.array(errorHelpSchema(z)).optional(),
  }),
);

export const command = defineCommand({
  name: "help",
  summary: "Explain a command",
  description:
    "Explains one command, or lists them all. Pages explain more than a command's flags; where a page and a command share a name, the page comes first.",
  group: "Help",
  examples: [
    { command: "sb help run", note: "" },
    { command: "sb help studio-tools", note: "a page" },
    { command: "sb help errors", note: "what each error code means" },
  ],
  surfaces: ["cli", "terminal"],
  target: "none",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  cli: {
    positionals: [
      {
        key: "command",
        label: "COMMAND",
        repeated: true,
        topics: [
          { value: ERRORS_TOPIC, description: "What each error code means" },
          ...helpPages.map(({ name, description }) => ({ value: name, description })),
        ],
      },
    ],
  },
  format({ commands, isOverview, errors, page }, style) {
    if (errors !== undefined) return errorsText(errors, style);
    if (isOverview) return overviewText(commands, style);
    const [only, ...others] = commands;
    const usage =
      only === undefined
        ? []
        : [others.length === 0 ? commandText(only, style) : familyText(commands, style)];
    // The flags come last, since the end is what a terminal shows.
    return [...(page === undefined ? [] : [pageText(page, style)]), ...usage].join("\n\n");
  },
  async handler({ command: words }, { catalog }) {
    const all = await catalog.allAsync();
    const shown = listedCommands(all);
    const name = words.join(" ");
    if (name === "") return { commands: shown.map(describeCommand), isOverview: true };
    if (name === ERRORS_TOPIC) return { commands: [], isOverview: false, errors: describeErrors() };
    const text = await helpPageAsync(name);
    const page = text === undefined ? {} : { page: text };
    const command = all.find((each) => each.name === name || each.cli.olderNames?.includes(name) === true);
    if (command !== undefined) return { commands: [describeCommand(command)], isOverview: false, ...page };
    const family = familyOf(name, shown);
    if (family.length > 0 || text !== undefined)
      return { commands: family.map(describeCommand), isOverview: false, ...page };
    const topics = [ERRORS_TOPIC, ...helpPages.map((each) => each.name)];
    const guesses = guessCommands(name, [...shown.map((each) => each.name), ...topics]);
    throw new StudioBridgeError("INVALID_INPUT", `There is no command and no page "${name}".`, {
      hint:
        guesses.length === 0
          ? "See `sb help`."
          : `Did you mean ${guesses.map((each) => `\`sb help ${each}\``).join(" or ")}?`,
    });
  },
});
