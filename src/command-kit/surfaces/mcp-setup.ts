/** The common parts of `sb mcp install` and `sb mcp uninstall`: the clients, the result, and its text. */
import { defineSchema } from "../../protocol/schema.ts";
import type { Style } from "../../util/style.ts";
import { fit } from "../../util/text-width.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { OutputOf, Zod } from "../../protocol/schema.ts";

const LINE_LIMIT = 160;

const clientIds = [
  "claude-code",
  "claude-desktop",
  "cursor",
  "vscode",
  "codex",
  "gemini",
  "windsurf",
  "zed",
] as const;
export type ClientId = (typeof clientIds)[number];

export interface McpSetup {
  readonly action: "install" | "uninstall";
  /** Empty: every client that was found. */
  readonly clients: readonly (ClientId | "all")[];
  /** Only tell what would change. */
  readonly print: boolean;
  /** The shared file of the current folder instead of clients. */
  readonly project: boolean;
  /** The server is started with `--read-only`. */
  readonly readOnly: boolean;
}

export const setupInputShape = (z: Zod) => ({
  clients: z
    .array(z.enum([...clientIds, "all"]))
    .default([])
    .describe(`${clientIds.join(", ")} or all; by default all that are found`),
  print: z.boolean().default(false).describe("Show what would change, and change nothing"),
  project: z.boolean().default(false).describe("Use .mcp.json in this folder, for everyone in the project"),
});

export const setupSchema = defineSchema((z) =>
  z.object({
    isPrinted: z.boolean(),
    clients: z.array(
      z.object({
        client: z.string(),
        title: z.string(),
        path: z.string(),
        outcome: z.enum(["added", "updated", "removed", "unchanged", "failed"]),
        diff: z.array(z.object({ sign: z.enum(["-", "+", " "]), text: z.string() })),
        /** The file as it was. */
        backup: z.string().optional(),
        /** Why nothing was changed. */
        problem: z.string().optional(),
        /** What a person has to do before the client notices. */
        afterwards: z.string().optional(),
      }),
    ),
  }),
);
export type McpSetupResult = OutputOf<typeof setupSchema>;

export const setupFailed = ({ clients }: McpSetupResult) =>
  clients.some(({ outcome }) => outcome === "failed");

const sentences = {
  added: ["added to", "would be added to"],
  updated: ["updated in", "would be updated in"],
  removed: ["taken out of", "would be taken out of"],
  unchanged: ["nothing to change in", "nothing to change in"],
  failed: ["not changed:", "could not be changed:"],
} as const;

export function setupText({ clients, isPrinted }: McpSetupResult, style: Style): string {
  if (clients.length === 0) return "No client has studio-bridge.";
  return clients
    .flatMap(({ title, path, outcome, diff, backup, problem, afterwards }) => [
      `${style.bold(title)}: ${sentences[outcome][isPrinted ? 1 : 0]} ${visibleOnOneLine(path)}`,
      ...(problem === undefined ? [] : [`  ${style.red(visibleOnOneLine(problem))}`]),
      ...diff.map(({ sign, text }) => diffText(sign, visibleOnOneLine(text), style)),
      ...(backup === undefined ? [] : [style.dim(`  The file as it was: ${visibleOnOneLine(backup)}`)]),
      ...(afterwards === undefined ? [] : [`  ${afterwards}`]),
    ])
    .join("\n");
}

function diffText(sign: "-" | "+" | " ", text: string, style: Style): string {
  // A file without line breaks is one long line, most of which has nothing to do with the change, so it is cut.
  const line = `  ${sign} ${fit(text, LINE_LIMIT)}`;
  if (sign === " ") return style.dim(line);
  return sign === "+" ? style.cyan(line) : style.red(line);
}
