/** `sb script grep PATTERN`: the lines of scripts that hold a text or match a regular expression. */
import type { z } from "zod";
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { readScriptsAsync } from "../../scripts/script-sources.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { matchLines } from "../../scripts/match-lines.ts";
import { checkClassAsync, checkOneLine } from "../../scripts/search-input.ts";
import { checkPattern, searchTextsAsync } from "../../scripts/search-texts.ts";
import type { Search } from "../../scripts/search-lines.ts";
import agentDescription from "./script-grep.md" with { type: "text" };

const DEFAULT_LIMIT = 200;

const input = defineSchema((z) =>
  z.strictObject({
    pattern: z.string().min(1, "the pattern is empty").describe("Text to find"),
    root: z.string().min(1, "a path is empty").optional().describe("Instance to search below (default all)"),
    regex: z.boolean().default(false).describe("pattern is a JavaScript regex"),
    ignoreCase: z.boolean().default(false).describe("Ignore upper and lower case"),
    contextLines: z
      .int("expected a number of lines")
      .min(0, "expected 0 lines or more")
      .max(20, "expected at most 20 lines")
      .default(0)
      .describe("Lines around each match"),
    className: z.string().min(1, "a class is empty").optional().describe("Only scripts of this class"),
    limit: z
      .int("expected a number of matches")
      .min(1, "expected 1 match or more")
      .default(DEFAULT_LIMIT)
      .describe("How many to show"),
    saved: z.boolean().default(false).describe("Search saved sources, not drafts"),
  }),
);

const output = defineSchema((z) =>
  z.object({
    matches: z.array(
      z.object({
        path: z.string(),
        line: z.int(),
        text: z.string(),
        before: z.array(z.string()).optional(),
        after: z.array(z.string()).optional(),
      }),
    ),
    /** Matching lines, shown or not. */
    total: z.int(),
    /** Scripts with a match. */
    scripts: z.int(),
    /** Scripts that were searched. */
    searched: z.int(),
  }),
);
type Output = z.output<ReturnType<typeof output>>;

export const command = defineCommand({
  name: "script grep",
  toolName: "grep",
  summary: "Search the sources of scripts",
  description:
    "Shows the lines of scripts that contain a text, as path:line: text. It searches the sources as the script editor shows them.",
  agentDescription,
  group: "Scripts",
  examples: [
    { command: "sb script grep 'wait('", note: "" },
    { command: "sb script grep TODO ServerScriptService -C 2", note: "below one Instance" },
    { command: "sb script grep --regex 'print\\(.*\\)' --class ModuleScript", note: "" },
  ],
  toolGroups: ["script"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "readScripts",
  defaultContext: "edit",
  namesContext: () => true,
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  cli: {
    positionals: [
      { key: "pattern", label: "PATTERN", required: true },
      { key: "root", label: "ROOT" },
    ],
    flags: flagsOf(input, {
      regex: "boolean",
      ignoreCase: { alias: "i", kind: "boolean" },
      contextLines: { alias: "C", kind: "number", label: "N" },
      className: { name: "class", kind: "string", label: "CLASS" },
      limit: { kind: "number", label: "N" },
      saved: "boolean",
    }),
  },
  format: ({ matches }, style) => matchLines(matches, style).join("\n"),
  async prepareAsync({ pattern, regex, ignoreCase, contextLines, limit, ...where }) {
    const search: Search = { pattern, isRegex: regex, ignoreCase, contextLines, limit };
    checkPattern(search);
    checkOneLine(pattern);
    return async (context) => {
      const scripts = await readScriptsAsync(context, where);
      if (scripts.length === 0 && where.className !== undefined) await checkClassAsync(where.className);
      const texts = scripts.map(({ source }) => source);
      const found = await searchTextsAsync(texts, search, context.signal);
      const matches = found.hits.map(({ text, line, content, before, after }) => ({
        path: scripts[text]?.path ?? "",
        line,
        text: content,
        ...(contextLines === 0 ? {} : { before: [...before], after: [...after] }),
      }));
      const answer = { matches, total: found.total, scripts: found.texts, searched: scripts.length };
      context.emit({ stream: "stderr", text: ({ dim }) => dim(countText(answer)) });
      return answer;
    };
  },
});

function countText({ matches, total, scripts, searched }: Output): string {
  const all = `${searched} script${searched === 1 ? "" : "s"}`;
  if (total === 0) return `No match in ${all}.`;
  const shown = matches.length < total ? ` The first ${matches.length} are shown; --limit N shows more.` : "";
  return `${total} match${total === 1 ? "" : "es"} in ${scripts} of ${all}.${shown}`;
}
