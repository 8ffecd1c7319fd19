/** `sb help [COMMAND]`: how the commands are used. */
import { z } from "zod";
import { lazy } from "../protocol/lazy.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { nearest } from "../util/nearest.ts";
import { describeCommand, helpSchema } from "./command-help.ts";
import { defineCommand } from "./define.ts";
import { commandText, overviewText } from "./help-text.ts";

const input = lazy(() =>
  z.strictObject({
    command: z.array(z.string()).default([]).describe("The command to explain"),
  }),
);

export const helpCommand = defineCommand({
  name: "help",
  summary: "Explain a command",
  description: "Explains one command, or lists them all.",
  group: "Help",
  examples: [{ command: "sb help run", note: "" }],
  surfaces: ["cli", "terminal"],
  target: "none",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output: lazy(() => z.object({ commands: z.array(helpSchema()), isOverview: z.boolean() })),
  cli: { positionals: [{ key: "command", label: "COMMAND", repeated: true }] },
  format({ commands, isOverview }, style) {
    const [only] = commands;
    return isOverview || only === undefined ? overviewText(commands, style) : commandText(only, style);
  },
  async handler({ command: words }, { catalog }) {
    const shown = catalog.filter(({ cli, surfaces }) => cli.hidden !== true && surfaces.includes("cli"));
    const name = words.join(" ");
    if (name === "") return { commands: shown.map(describeCommand), isOverview: true };
    const command = catalog.find((each) => each.name === name);
    if (command !== undefined) return { commands: [describeCommand(command)], isOverview: false };
    const guess = nearest(
      name,
      shown.map((each) => each.name),
    );
    throw new StudioBridgeError("INVALID_INPUT", `Unknown command "${name}".`, {
      hint: guess === undefined ? "See `sb help`." : `Did you mean \`sb help ${guess}\`?`,
    });
  },
});
