/** `sb script read PATH`: the source of a script, whole or some of its lines. */
import { defineSchema } from "../../protocol/schema.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { hashOf, readScriptAsync } from "../../scripts/script-sources.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { bareLine, linesWithBreaks } from "../../util/text-lines.ts";
import { readRange } from "../../scripts/line-range.ts";
import agentDescription from "./script-read.md" with { type: "text" };

/** What an agent gets of a source in one answer, counted as JSON. */
const AGENT_BYTES = 15 * 1024;

const input = defineSchema((z) =>
  z.strictObject({
    path: z.string().min(1, "a path is needed").describe("Path or id of the script"),
    offset: z.int("expected a line number").min(1, "lines count from 1").optional().describe("First line"),
    limit: z
      .int("expected a number of lines")
      .min(1, "expected 1 line or more")
      .optional()
      .describe("Number of lines"),
    lines: z.string().optional().describe("Only these lines, such as 10:20, 10: or :20"),
    saved: z.boolean().default(false).describe("The saved source, not the editor's draft"),
    bytes: z.int().positive().optional().describe("At most this many bytes, cut after a whole line"),
  }),
);
type Input = OutputOf<typeof input>;

const output = defineSchema((z) =>
  z.object({
    path: z.string(),
    id: z.string(),
    className: z.string(),
    source: z.string(),
    startLine: z.int(),
    totalLines: z.int(),
    /** Of the whole source, as git names it. */
    hash: z.string(),
    isDraft: z.boolean(),
    hasUnsavedDraft: z.boolean(),
    /** Where the next reading goes on; absent at the end. */
    nextOffset: z.int().optional(),
  }),
);

export const command = defineCommand({
  name: "script read",
  toolName: "read_script",
  summary: "Show a script's source",
  description:
    "Shows the source of a script as the script editor has it, with what is typed there and not saved. On a terminal with line numbers, in a pipe as it is.",
  agentDescription,
  group: "Scripts",
  examples: [
    { command: "sb script read ServerScriptService.Main", note: "" },
    { command: "sb script read ServerScriptService.Main --lines 10:20", note: "" },
    { command: "sb script read ServerScriptService.Main --saved", note: "without unsaved typing" },
  ],
  toolGroups: ["script"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "readScript",
  defaultContext: "edit",
  namesContext: () => true,
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  personalInput: ["lines", "bytes"],
  agentInput: { bytes: AGENT_BYTES },
  cli: {
    positionals: [{ key: "path", label: "PATH", required: true }],
    flags: flagsOf(input, {
      lines: { kind: "string", label: "A:B" },
      saved: "boolean",
    }),
  },
  exact: ({ source }) => source,
  format({ source, startLine }, { isScreen, dim, body }) {
    const lines = linesWithBreaks(source).map((line) => body(bareLine(line)));
    if (!isScreen) return lines.join("\n");
    const width = String(startLine + lines.length - 1).length;
    return lines
      .map((line, index) => `${dim(String(startLine + index).padStart(width))}  ${line}`)
      .join("\n");
  },
  async prepareAsync(given) {
    const range = rangeOf(given);
    return async (context) => {
      const script = await readScriptAsync(context, given.path, given.saved);
      const { path, id, className, isDraft, hasUnsavedDraft, source } = script;
      if (hasUnsavedDraft && isDraft)
        context.emit({
          stream: "stderr",
          text: ({ dim }) => dim("This is not saved yet; --saved shows what is."),
        });
      if (script.bytes !== undefined)
        context.emit({
          stream: "stderr",
          text: ({ yellow }) => yellow("The source is not valid UTF-8; \uFFFD stands for each wrong byte."),
        });
      const lines = linesWithBreaks(source);
      const { offset = 1, limit = lines.length } = range;
      if (offset > Math.max(1, lines.length))
        throw invalidInput(
          `${path} has ${lines.length} lines, and no line ${offset}.`,
          `Read from line 1 to ${lines.length}.`,
        );
      const wanted = lines.slice(offset - 1, offset - 1 + limit);
      const shown = wanted.slice(0, fittingLines(wanted, given.bytes));
      const next = offset + shown.length;
      return {
        path,
        id,
        className,
        source: shown.join(""),
        startLine: offset,
        totalLines: lines.length,
        hash: hashOf(script),
        isDraft,
        hasUnsavedDraft,
        ...(next <= lines.length ? { nextOffset: next } : {}),
      };
    };
  },
});

type Range = Pick<Input, "offset" | "limit">;

/** Throws INVALID_INPUT for lines that cannot be. */
function rangeOf({ lines, offset, limit }: Input): Range {
  if (lines === undefined) return { offset, limit };
  const { first, last } = readRange(lines);
  return { offset: first, limit: last - first + 1 };
}

/** How many of the lines fit into so many bytes of JSON; at least one. */
function fittingLines(lines: readonly string[], bytes = Number.POSITIVE_INFINITY): number {
  let left = bytes;
  const end = lines.findIndex((line) => {
    left -= Buffer.byteLength(JSON.stringify(line)) - 2;
    return left < 0;
  });
  return end === -1 ? lines.length : Math.max(1, end);
}
