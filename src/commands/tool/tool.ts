/** `sb tool COMMAND …`: serves one command template as a single-tool MCP server. */
import { defineSchema } from "../../protocol/schema.ts";
import { version } from "../../version.ts";
import { describeCommand } from "../../command-kit/words/command-help.ts";
import { defineCommand, streamed } from "../../command-kit/definition.ts";
import type { Command } from "../../command-kit/definition.ts";
import { commandText } from "../../command-kit/words/help-text.ts";
import { parseToolWords, TOOL_USAGE } from "../../command-kit/surfaces/tool-words.ts";

const input = defineSchema((z) =>
  z.strictObject({
    words: z.array(z.string()).describe("The program and its arguments, with a field for each value"),
  }),
);

export const command: Command = defineCommand({
  name: "tool",
  summary: "Serve a command line as an MCP tool",
  description: [
    "Serves one program as a tool over MCP, on stdin and stdout. In its words, {name} is a value that every call must give,",
    "[name] one that it may give, {names...} and [names...] are lists, and [--flag] is a switch; a # begins a description.",
    "No shell is involved. A value that starts with a dash is refused, unless it is a number or stands after --.",
    "Flags before COMMAND are for sb: --debug prints every request to stderr, --log FILE records them as JSONL,",
    "--timeout TIME ends a call that takes longer. For several tools, or Luau scripts, write them into sb.config.json.",
  ].join(" "),
  group: "Bridge",
  examples: [
    { command: "sb tool rojo build '{project # project file}' -o '{out}'", note: "" },
    { command: "sb tool stylua '[--check]' '{files...}'", note: "a switch and a list" },
    { command: "sb tool --log calls.jsonl git log '[args...]'", note: "keep a record" },
  ],
  surfaces: ["cli"],
  target: "surface",
  endsWithReader: () => true,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output: defineSchema((z) => z.object({})),
  cli: { raw: { key: "words", usage: TOOL_USAGE } },
  async handler({ words }, context) {
    const parsed = parseToolWords(words);
    if (parsed === "version") context.emit({ stream: "stdout", text: () => version });
    else if (parsed === "help")
      context.emit({ stream: "stdout", text: (style) => commandText(describeCommand(command), style) });
    else await context.surfaces.toolAsync(parsed, context);
    return streamed;
  },
});
