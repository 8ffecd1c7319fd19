/** `sb checkpoint [NAME]` and studio_checkpoint: copies of the edited place, and the way back to them. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { undoReportSchema } from "../../protocol/fields/undo-steps.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { OPEN_LASTING_STUDIO } from "../../command-kit/words/lasting-studio.ts";
import type { SessionCommandContext } from "../../command-kit/context.ts";
import { changeOf, changesText } from "../../command-kit/changes/change-list.ts";
import { changeSchema } from "../../command-kit/changes/change-schema.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { editDistance } from "../../util/nearest.ts";
import { textTable } from "../../util/text-table.ts";
import type { Column } from "../../util/text-table.ts";
import type { Style } from "../../util/style.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { CheckpointFacts } from "../../tree/checkpoints/checkpoint-store.ts";
import agentDescription from "./checkpoint.md" with { type: "text" };

const checkpointActions = ["create", "list", "diff", "restore", "drop"] as const;
type CheckpointAction = (typeof checkpointActions)[number];
const MAX_NAME = 100;
const MAX_SHOWN = 100;

const nameSchema = defineSchema((z) =>
  z
    .string()
    .min(1, "the name is empty")
    .max(MAX_NAME, `expected at most ${MAX_NAME} characters`)
    .regex(/^[^\p{Cc}]*$/u, "expected a name without control characters"),
);

const input = defineSchema((z) =>
  z.strictObject({
    action: z.enum(checkpointActions).optional().describe("Default create"),
    word: nameSchema(z).optional().describe("create, list, diff, restore, drop, or the name of a new one"),
    name: nameSchema(z).optional().describe("Name of the checkpoint"),
    force: z.boolean().default(false).describe("Also what people changed"),
  }),
);
type Input = OutputOf<typeof input>;
interface Wish {
  readonly action: CheckpointAction;
  readonly name: string | undefined;
  readonly force: boolean;
}

const output = defineSchema((z) =>
  z.object({
    /** All of the place, the newest first; after create and drop too. */
    checkpoints: z
      .array(z.object({ name: z.string(), createdAt: z.string(), instances: z.int(), bytes: z.int() }))
      .optional(),
    /** The name of the checkpoint that was made, or dropped. */
    made: z.string().optional(),
    dropped: z.string().optional(),
    diff: z.object({ differences: z.array(changeSchema(z)), total: z.int() }).optional(),
    restored: z
      .object({
        name: z.string(),
        /** How many Instances differed. */
        changes: z.int(),
        undo: undoReportSchema(z),
        /** What still differs, because scripts cannot write it. */
        remaining: z.array(changeSchema(z)).optional(),
      })
      .optional(),
  }),
);
type Outcome = OutputOf<typeof output>;

export const command = defineCommand({
  name: "checkpoint",
  summary: "Keep a copy of the place and return to it",
  description:
    "Without a word, with create or with a name it makes a checkpoint: a copy of the edited place with its properties, attributes, tags and sources. list shows those of the place, diff what has changed since, restore makes the place like the copy again, as one undo step, and drop removes one. Changes of scripts, and Instances that were destroyed, are restored too. A restore stops if a person has changed something, unless --force is given. A place has at most 10 checkpoints; all together have at most 200 MB.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb checkpoint before-map", note: "makes one" },
    { command: "sb checkpoint diff before-map", note: "what has changed since" },
    { command: "sb checkpoint restore before-map", note: "makes the place what it was, in one step" },
    { command: "sb checkpoint list", note: "" },
    { command: "sb checkpoint drop before-map", note: "" },
  ],
  toolGroups: ["edit"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  toldInput: ["action"],
  withoutStudio: OPEN_LASTING_STUDIO,
  defaultContext: "edit",
  onlyLooks: ({ action, word }) => ["list", "diff"].includes(String(action ?? word)),
  readOnlyInput: { action: "list", name: undefined, force: undefined },
  answersByExitCode: ({ action, word }) => (action ?? word) === "diff",
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output,
  personalInput: ["word"],
  cli: {
    positionals: [
      { key: "word", label: "WORD|NAME", values: checkpointActions },
      { key: "name", label: "NAME", lookup: "checkpoints" },
    ],
    flags: flagsOf(input, {
      force: "boolean",
    }),
  },
  failed: ({ diff, restored }) => (diff?.total ?? 0) > 0 || restored?.remaining !== undefined,
  format: outcomeText,
  async prepareAsync(given) {
    const wish = wishOf(given);
    return (context) => runAsync(wish, context);
  },
});

/** Throws INVALID_INPUT where the words do not say what to do. */
function wishOf({ action: given, word, name, force }: Input): Wish {
  const asAction = checkpointActions.find((each) => each === word);
  const action = given ?? asAction ?? "create";
  const isNewName = given === undefined && asAction === undefined;
  if (isNewName && word !== undefined && name !== undefined)
    throw invalidInput(
      `Not a subcommand of sb checkpoint: ${visibleOnOneLine(word)}`,
      "Use list, diff NAME, restore NAME, drop NAME, or one name for a new checkpoint.",
    );
  if (isNewName && word !== undefined) checkNewName(word);
  const wanted = (isNewName ? word : undefined) ?? name;
  if (wanted === undefined && ["diff", "restore", "drop"].includes(action))
    throw invalidInput(`${action} needs the name of a checkpoint.`, "list shows the existing ones.");
  if (action === "list" && wanted !== undefined)
    throw invalidInput("list takes no name.", "Leave the name out, or use diff NAME.");
  if (force && action !== "restore")
    throw invalidInput(`Only restore takes force, not ${action}.`, "Leave it out, or use restore.");
  return { action, name: wanted, force };
}

/** What people type who know the words of other programs. */
const OTHER_WORDS: { readonly [word: string]: CheckpointAction } = {
  ls: "list",
  show: "list",
  compare: "diff",
  revert: "restore",
  undo: "restore",
  rm: "drop",
  remove: "drop",
  delete: "drop",
};

/** A misspelled word must not make a checkpoint of that name. */
function checkNewName(word: string): void {
  const lower = word.toLowerCase();
  const isNear = (action: string) =>
    (lower.length > 1 && action.startsWith(lower)) || editDistance(lower, action) <= 1;
  const meant = OTHER_WORDS[lower] ?? checkpointActions.find(isNear);
  if (meant === undefined) return;
  const shown = visibleOnOneLine(word);
  throw invalidInput(
    `${shown} is not a subcommand of sb checkpoint; did you mean ${meant}?`,
    `\`sb checkpoint create ${shown}\` makes a checkpoint of that name.`,
  );
}

async function runAsync({ action, name, force }: Wish, context: SessionCommandContext): Promise<Outcome> {
  const { session } = context;
  if (session.context !== "edit")
    throw invalidInput(
      `Checkpoints are of the edited place, not of the ${session.context} context.`,
      "Leave out the context.",
    );
  const store = await import("../../tree/checkpoints/checkpoint-store.ts");
  if (action === "list") return { checkpoints: shown(await store.listCheckpointsAsync(session)) };
  if (action === "create") return createAsync(name, context);
  const facts = await store.factsOfAsync(session, name ?? "");
  if (action === "drop") {
    await store.dropCheckpointAsync(session, facts.name);
    return { dropped: facts.name, checkpoints: shown(await store.listCheckpointsAsync(session)) };
  }
  const copy = await store.loadCopyAsync(session, facts.name);
  const { compareWithPlaceAsync, restoreAsync } =
    await import("../../tree/checkpoints/restore-checkpoint.ts");
  if (action === "diff") {
    const { changesAsync } = await import("../../tree/compare-trees.ts");
    const comparison = await compareWithPlaceAsync(copy, context);
    const changes = await changesAsync(comparison, comparison.differences.slice(0, MAX_SHOWN));
    return { diff: { differences: changes.map(changeOf), total: comparison.differences.length } };
  }
  await refusePlayAsync("restored", context);
  const { remaining, ...restored } = await restoreAsync({ ...facts, copy, force }, context);
  const left = remaining === undefined ? {} : { remaining: remaining.map(changeOf) };
  return { restored: { name: facts.name, ...restored, ...left } };
}

async function createAsync(wanted: string | undefined, context: SessionCommandContext): Promise<Outcome> {
  const { session } = context;
  const store = await import("../../tree/checkpoints/checkpoint-store.ts");
  const name = wanted ?? freeName(await store.listCheckpointsAsync(session));
  await store.checkRoomAsync(session, name);
  await refusePlayAsync("made", context);
  const { takeCopyAsync } = await import("../../tree/checkpoints/checkpoint-copy.ts");
  context.status("Copying the place");
  // Changes while the copy is made count as changes since.
  const { mark } = await context.callAsync("othersChanges", {});
  const copy = await takeCopyAsync(context);
  await store.saveCheckpointAsync(
    session,
    {
      name,
      createdAt: new Date().toISOString(),
      placeName: session.placeName,
      instances: copy.nodes.length,
      mark,
    },
    copy,
  );
  return { made: name, checkpoints: shown(await store.listCheckpointsAsync(session)) };
}

/** While Studio plays, it takes no changes of the edited place, and what plays is another copy of it. */
async function refusePlayAsync(what: "made" | "restored", context: SessionCommandContext): Promise<void> {
  const { state } = await context.callAsync("queryState", {});
  if (state === "Edit") return;
  throw new StudioBridgeError(
    "EDIT_REFUSED",
    `No checkpoint can be ${what} while Studio plays, because the edited place rests meanwhile.`,
    { hint: "End the test with `sb play stop` first." },
  );
}

function freeName(all: readonly CheckpointFacts[]): string {
  const taken = new Set(all.map(({ name }) => name));
  let number = 1;
  while (taken.has(`checkpoint-${number}`)) number += 1;
  return `checkpoint-${number}`;
}

const shown = (all: readonly CheckpointFacts[]) =>
  all.map(({ name, createdAt, instances, bytes }) => ({ name, createdAt, instances, bytes }));

function outcomeText({ checkpoints = [], made, dropped, diff, restored }: Outcome, style: Style): string {
  if (diff !== undefined) return diffText(diff, style);
  if (restored !== undefined) return restoredText(restored, style);
  if (made !== undefined) return madeText(made, checkpoints);
  if (dropped !== undefined)
    return `Dropped "${visibleOnOneLine(dropped)}". ${countText(checkpoints.length)}`;
  if (checkpoints.length === 0) return "This place has no checkpoints.";
  return textTable(columns, checkpoints, style.columns).join("\n");
}

function madeText(name: string, all: readonly Row[]): string {
  const { instances = 0, bytes = 0 } = all.find((each) => each.name === name) ?? {};
  return `Made "${visibleOnOneLine(name)}": ${instances} Instances, ${sizeText(bytes)}. ${countText(all.length)}`;
}

const countText = (count: number): string =>
  `The place has ${count === 0 ? "no checkpoint" : count === 1 ? "1 checkpoint" : `${count} checkpoints`} now.`;
const sizeText = (bytes: number): string => `${Math.ceil(bytes / 1024)} KB`;

type Row = NonNullable<Outcome["checkpoints"]>[number];

const columns: readonly Column<Row>[] = [
  { title: "Name", value: ({ name }) => visibleOnOneLine(name), minWidth: 12 },
  { title: "Made (UTC)", value: ({ createdAt }) => createdAt.slice(0, 19).replace("T", " "), dropRank: 1 },
  { title: "Instances", value: ({ instances }) => String(instances) },
  { title: "Size", value: ({ bytes }) => sizeText(bytes) },
];

function diffText({ differences, total }: NonNullable<Outcome["diff"]>, style: Style): string {
  if (total === 0) return "Nothing differs.";
  const more =
    total > differences.length ? `\n${style.dim(`${differences.length} of ${total} differences.`)}` : "";
  return `${changesText(differences, style)}${more}`;
}

function restoredText({ name, changes, remaining }: NonNullable<Outcome["restored"]>, style: Style): string {
  if (changes === 0) return `The place is as in "${visibleOnOneLine(name)}" already.`;
  const done = `Restored "${visibleOnOneLine(name)}": ${changes} Instance${changes === 1 ? "" : "s"} differed.`;
  if (remaining === undefined) return done;
  return [done, style.yellow("Studio does not let scripts write these:"), changesText(remaining, style)].join(
    "\n",
  );
}
