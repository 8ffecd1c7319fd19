/** `sb diff A B` and studio_diff: what differs between the same place in two contexts, at two times, or in a file. */
import { defineSchema } from "../../protocol/schema.ts";
import { contexts } from "../../protocol/fields/contexts.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import type { BridgeCommandContext } from "../../command-kit/context.ts";
import { changeSchema } from "../../command-kit/changes/change-schema.ts";
import { changeOf, changesText } from "../../command-kit/changes/change-list.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import agentDescription from "./diff.md" with { type: "text" };

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 100_000;

const input = defineSchema((z) =>
  z.strictObject({
    a: z
      .string()
      .min(1, "the name is empty")
      .describe("edit, server, client:2, checkpoint:NAME, session id, file"),
    b: z.string().min(1, "the name is empty").describe("The same"),
    root: z.string().min(1, "the path is empty").optional().describe("Only below this Instance"),
    sessionId: z
      .string()
      .min(1, "expected a session id")
      .optional()
      .describe("Which Studio, if several are connected"),
    limit: z
      .int("expected a whole number")
      .min(1, "expected at least 1")
      .max(MAX_LIMIT, `expected at most ${MAX_LIMIT}`)
      .default(DEFAULT_LIMIT)
      .describe("Show at most this many"),
  }),
);
type Wish = OutputOf<typeof input>;

const output = defineSchema((z) =>
  z.object({
    /** The first ones. */
    differences: z.array(changeSchema(z)),
    /** How many there are. */
    total: z.int(),
  }),
);
export type Diff = OutputOf<typeof output>;

export const command = defineCommand({
  name: "diff",
  summary: "Compare contexts, checkpoints and place files",
  description:
    "Shows what differs between two sides: edit, server, client, client:2, client:NAME, checkpoint:NAME, a session id, or a place, model or project file. Each line is an Instance: + only B has it, - only A has it, > it has another parent, ~ it differs. What only one side has stands for all below it. What always differs between contexts is left out: players and their characters beside edit, server storage beside clients, parts that physics moves. The exit code is 0 if nothing differs, 1 if something does, and 2 if that cannot be determined.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb diff server client:2", note: "what the second client lacks or has in another form" },
    { command: "sb diff checkpoint:before edit", note: "what has changed since a checkpoint" },
    { command: "sb diff game.rbxl edit --root Workspace.Map", note: "a file and the open place" },
  ],
  toolGroups: ["look"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "bridge",
  answersByExitCode: () => true,
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  cli: {
    positionals: [
      { key: "a", label: "A", required: true, values: contexts, lookup: "sides" },
      { key: "b", label: "B", required: true, values: contexts, lookup: "sides" },
    ],
    flags: flagsOf(input, {
      root: { kind: "string", label: "PATH" },
      sessionId: { name: "session", alias: "s", kind: "string", label: "ID" },
      limit: { kind: "number", label: "N" },
    }),
  },
  failed: ({ total }) => total > 0,
  format: ({ differences }, style) => changesText(differences, style),
  async handler(wish, context) {
    const diff = await diffAsync(wish, context);
    context.emit({ stream: "stderr", text: ({ dim }) => dim(summaryText(diff)) });
    return diff;
  },
});

function summaryText({ differences, total }: Diff): string {
  if (total === 0) return "Nothing differs.";
  const all = `${total} difference${total === 1 ? "" : "s"}`;
  return differences.length < total ? `${differences.length} of ${all}; --limit shows more.` : `${all}.`;
}

async function diffAsync({ a, b, limit, ...where }: Wish, context: BridgeCommandContext): Promise<Diff> {
  const [{ openSidesAsync }, { contextDifferences }, { changesAsync, compareTreesAsync }] = await Promise.all(
    [
      import("../../command-kit/sessions/open-sides.ts"),
      import("../../tree/context-differences.ts"),
      import("../../tree/compare-trees.ts"),
    ],
  );
  await using sides = await openSidesAsync([a, b], where, context);
  const comparison = await compareTreesAsync(sides.a, sides.b, contextDifferences(sides.a, sides.b));
  const shown = await changesAsync(comparison, comparison.differences.slice(0, limit));
  return { differences: shown.map(changeOf), total: comparison.differences.length };
}
