/** `sb help [COMMAND]`: how the commands are used. */
import { defineSchema } from "../protocol/schema.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { nearest } from "../util/nearest.ts";
import {
  describeCommand,
  describeErrors,
  errorHelpSchema,
  helpSchema,
} from "../command/words/command-help.ts";
import { familyOf } from "../command/words/families.ts";
import { defineCommand } from "../command/definition.ts";
import { commandText, errorsText, familyText, overviewText } from "../command/words/help-text.ts";

const ERRORS_TOPIC = "errors";

const input = defineSchema((z) =>
  z.strictObject({
    command: z
      .array(z.string())
      .default([])
      .describe("The command to explain, or errors for all error codes"),
  }),
);

const output = defineSchema((z) =>
  z.object({
    commands: z.array(helpSchema(z)),
    isOverview: z.boolean(),
    /** Only for `sb help errors`. */
    errors: z.array(errorHelpSchema(z)).optional(),
  }),
);

export const command = defineCommand({
  name: "help",
  summary: "Explain a command",
  description: "Explains one command, or lists them all.",
  group: "Help",
  examples: [
    { command: "sb help run", note: "" },
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
        topics: [{ value: ERRORS_TOPIC, description: "What each error code means" }],
      },
    ],
  },
  format({ commands, isOverview, errors }, style) {
    if (errors !== undefined) return errorsText(errors, style);
    const [only, ...others] = commands;
    if (isOverview || only === undefined) return overviewText(commands, style);
    return others.length === 0 ? commandText(only, style) : familyText(commands, style);
  },
  async handler({ command: words }, { catalog }) {
    const all = await catalog.allAsync();
    const shown = all.filter(({ cli, surfaces }) => cli.hidden !== true && surfaces.includes("cli"));
    const name = words.join(" ");
    if (name === "") return { commands: shown.map(describeCommand), isOverview: true };
    if (name === ERRORS_TOPIC) return { commands: [], isOverview: false, errors: describeErrors() };
    const command = all.find((each) => each.name === name || each.cli.olderNames?.includes(name) === true);
    if (command !== undefined) return { commands: [describeCommand(command)], isOverview: false };
    const family = familyOf(name, shown);
    if (family.length > 0) return { commands: family.map(describeCommand), isOverview: false };
    const guess = nearest(name, [...shown.map((each) => each.name), ERRORS_TOPIC]);
    throw new StudioBridgeError("INVALID_INPUT", `Unknown command "${name}".`, {
      hint: guess === undefined ? "See `sb help`." : `Did you mean \`sb help ${guess}\`?`,
    });
  },
});
