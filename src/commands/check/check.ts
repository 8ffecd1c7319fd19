/** `sb check [PATHS]`: what a type checker finds in the scripts of a project, before anything runs. */
import type { z } from "zod";
import type { CheckResult } from "../../check/check-scripts.ts";
import { FORMATTERS, formatted } from "../../check/formats.ts";
import { defineCommand, streamed, streamedFailure } from "../../command-kit/definition.ts";
import type { CommandContext } from "../../command-kit/context.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { remark } from "../../output/remark.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { countText, findingsText } from "./check-text.ts";
import { findingSchema } from "./finding-schema.ts";
import agentDescription from "./check.md" with { type: "text" };

const input = defineSchema((z) =>
  z.strictObject({
    paths: z.array(z.string().min(1, "a path is empty")).default([]).describe("Files, folders"),
    syntax: z.boolean().default(false).describe("Without a type checker"),
    headlessOnly: z.boolean().default(false).describe("Also what headless Studio refuses"),
    project: z.string().min(1, "the name is empty").optional().describe("Project file, or its folder"),
    formatter: z
      .enum(FORMATTERS)
      .default("text")
      .describe("How findings are written: text, gnu, json or github"),
  }),
);
type Input = OutputOf<typeof input>;

const output = defineSchema((z) =>
  z.object({
    ok: z.boolean(),
    checker: z.string().optional(),
    files: z.int(),
    findings: z.array(findingSchema(z)),
    /** With those that an agent was told before. */
    total: z.int(),
  }),
);
type Output = z.output<ReturnType<typeof output>>;

export const command = defineCommand({
  name: "check",
  summary: "Check the types of scripts",
  description:
    "Runs luau-lsp on the scripts of a Rojo project, or of this folder, with Roblox's API and the project's Instances, and with nothing to set up. Without PATH it checks the project's own scripts: neither packages nor what git ignores. `.luaurc` counts. It exits with 0 if it found nothing, 1 if it found something, and 2 if it could not check, which includes that there is no luau-lsp: it is the program in SB_LUAU_LSP, else the first on PATH that tells its version. --syntax needs none: it shows what does not compile, and each `require` that leads nowhere.",
  agentDescription,
  group: "Scripts",
  examples: [
    { command: "sb check", note: "the project of this folder" },
    { command: "sb check src/server", note: "" },
    { command: "sb check --syntax", note: "without luau-lsp" },
    { command: "sb check --headless-only", note: "also what headless Studio refuses" },
    { command: "sb check --formatter github", note: "annotations in GitHub Actions" },
  ],
  toolGroups: ["test"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "none",
  answersByExitCode: () => true,
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  personalInput: ["project", "formatter"],
  cli: {
    positionals: [{ key: "paths", label: "PATH", repeated: true, lookup: "files" }],
    flags: flagsOf(input, {
      project: { kind: "string", label: "FILE", lookup: "files" },
      syntax: {
        kind: "boolean",
        describe: () => "What does not compile and requires that lead nowhere; needs no luau-lsp",
      },
      headlessOnly: "boolean",
      formatter: { kind: "string", label: "NAME" },
    }),
    conflicts: [
      {
        flags: ["syntax", "headless-only"],
        message: "Cannot use --syntax and --headless-only together.",
        hint: "Only a type checker knows what a member belongs to.",
      },
    ],
  },
  failed: ({ ok }) => !ok,
  format: ({ findings }, style) => findingsText(findings, style),
  handler: checkAsync,
});

async function checkAsync(wish: Input, context: CommandContext) {
  const { checkScriptsAsync } = await import("../../check/check-scripts.ts");
  const result = await checkScriptsAsync(wish, context, context);
  const { checker, files, unchecked } = result;
  const findings = await shownAsync(wish, result, context);
  const answer: Output = {
    ok: findings.length === 0,
    ...(checker === undefined ? {} : { checker }),
    files,
    findings: [...findings],
    total: result.findings.length,
  };
  context.emit(remark(countText(result)));
  if (unchecked.length > 0) throw incomplete(unchecked, answer, context);
  if (wish.formatter === "text" || context.isJson === true) return answer;
  const text = formatted(wish.formatter, result);
  if (text !== "") context.emit({ stream: "stdout", text: () => text, json: answer, isResult: true });
  return answer.ok ? streamed : streamedFailure;
}

/** An agent gets what is new to it. */
async function shownAsync(wish: Input, result: CheckResult, { fileRoots, caller }: CommandContext) {
  if (fileRoots === undefined) return result.findings;
  const { newToClientAsync } = await import("../../check/told-findings.ts");
  const kind = `${result.folder} ${wish.syntax} ${wish.headlessOnly}`;
  return newToClientAsync(caller.id, kind, result);
}

/** What was found is shown all the same. */
function incomplete(
  unchecked: readonly string[],
  answer: Output,
  context: CommandContext,
): StudioBridgeError {
  const { findings } = answer;
  if (findings.length > 0) context.emit({ stream: "stdout", text: (style) => findingsText(findings, style) });
  return new StudioBridgeError("CHECK_FAILED", unchecked.join(" "), {
    hint: "Give these files other names.",
    data: { findings },
  });
}
