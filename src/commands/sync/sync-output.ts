/** The result of a sync, as JSON and as text for people. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { isAccepted } from "../../sync/plan/summary.ts";
import type { UndoneSync } from "../../sync/undo-sync.ts";
import type { Style } from "../../util/style.ts";
import { cells, fit, pad, wrap } from "../../util/text-width.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { isHeld, reasonText, replyText } from "../../sync/plan/sentences.ts";
import { undoneSyncSchema, undoneSyncText } from "./undone-sync.ts";

export const syncOutput = defineSchema((z) =>
  z.object({
    status: z.enum([
      "success",
      "empty",
      "dryrun",
      "different",
      "rejected",
      "fastfail_unresolved",
      "partial_failure",
      "interrupted",
      "undone",
      "not_undone",
    ]),
    /** For `sb sync undo`; absent where nothing was to be written. */
    planId: z.string().optional(),
    mode: z.enum(["standard", "manual", "fastfail", "dryrun", "undo"]),
    items: z.array(
      z.object({
        id: z.string(),
        path: z.string(),
        fsPath: z.string().optional(),
        className: z.string(),
        change: z.enum(["add", "edit", "remove", "move"]),
        verdict: z.enum(["push", "pull", "skip", "merge", "none", "unresolved"]),
        reason: z.string().optional(),
        /** Why, in a sentence. */
        detail: z.string().optional(),
        /** What the item becomes once many removals are confirmed. */
        proposed: z.string().optional(),
        applied: z.boolean().optional(),
        failure: z.string().optional(),
        fileHash: z.string().optional(),
        studioHash: z.string().optional(),
        canMerge: z.boolean().optional(),
        /** People were told of it by an earlier sync, and nothing is to be done. */
        isKnown: z.boolean().optional(),
        before: z.record(z.string(), z.unknown()).optional(),
        after: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
    overrides: z.array(
      z.object({
        index: z.int(),
        answer: z.string(),
        found: z.unknown().optional(),
        detail: z.string().optional(),
      }),
    ),
    counts: z.record(z.string(), z.int()),
    /** Changes in Studio that no file takes over, because the files do not state what was changed. */
    leftOut: z.int().optional(),
    /** The plan removes so much that a person has to agree. */
    massRemoval: z.object({ count: z.int(), detail: z.string() }).optional(),
    manyOverwrites: z.object({ count: z.int(), detail: z.string() }).optional(),
    /** What the mode undo took back. */
    undo: undoneSyncSchema(z).optional(),
    /** What a person should know, although it stops nothing. */
    notices: z.array(z.string()).optional(),
  }),
);
export type SyncOutput = OutputOf<typeof syncOutput>;
type Item = SyncOutput["items"][number];

export const undoneReport = (undo: UndoneSync): SyncOutput => ({
  status: undo.isWhole ? "undone" : "not_undone",
  planId: undo.planId,
  mode: "undo",
  items: [],
  overrides: [],
  counts: {},
  undo: { ...undo, refused: { ...undo.refused } },
});

/** The result is not that both sides agree, or that everything was applied. */
export function syncFailed({ status, items, overrides }: SyncOutput): boolean {
  if (status !== "success" && status !== "empty" && status !== "dryrun" && status !== "undone") return true;
  return overrides.some(({ answer }) => answer !== "applied") || items.some(isLeft);
}

/** It waits for a decision, or cannot be done. What a person chose to leave has no reason. */
const isLeft = (item: Item): boolean =>
  item.verdict === "unresolved" || item.applied === false || (item.verdict === "skip" && !isAccepted(item));

/** For agents, who may read no more than the status. */
export function leftNote({ items, undo }: SyncOutput): string | undefined {
  if (undo?.isWhole === false) return "Not everything was taken back: `undo.refused` says why. Ask the user.";
  const left = items.filter(isLeft).length;
  return left === 0
    ? undefined
    : `${left} of ${items.length} changes ${left === 1 ? "is" : "are"} open, refused or failed: \`reason\`, \`detail\` or \`failure\` of each says why.`;
}

/** More lines than a person reads. */
const MAX_LINES = 200;
const SIGNS = { add: "+", edit: "~", remove: "-", move: ">" } as const;
const VERDICT_COLUMNS = 6;
const INDENT = " ".repeat(VERDICT_COLUMNS + 3);

export function syncText(output: SyncOutput, style: Style): string {
  const { items, overrides, notices = [], undo } = output;
  if (undo !== undefined) return undoneSyncText(undo, style);
  const news = items.filter(({ isKnown }) => isKnown !== true);
  const shown = news.slice(0, MAX_LINES);
  const hidden = news.length - shown.length;
  return [
    ...shown.map((item) => itemText(item, style)),
    ...(hidden > 0 ? [style.dim(`… and ${hidden} more; --json lists all.`)] : []),
    ...overrides
      .filter(({ answer, detail }) => answer !== "applied" || detail !== undefined)
      .map((reply) => style.yellow(replyText(reply))),
    ...notices.map((notice) => style.yellow(visibleOnOneLine(notice))),
    ...statusLines(output, style),
    ...leftOutLines(output),
  ].join("\n");
}

function itemText(item: Item, style: Style): string {
  const { change, path, fsPath = "" } = item;
  const name = visibleOnOneLine(path);
  const width = style.columns - INDENT.length;
  const file = visibleOnOneLine(fsPath);
  const isShort = cells(name) + cells(file) + 2 <= width;
  const line = isShort && file !== "" ? `${name}  ${style.dim(file)}` : fit(name, width);
  const below = [...(isShort || file === "" ? [] : [file]), ...whyOf(item)];
  const { word, paint } = verdictLook(item, style);
  return [
    `${paint(pad(word, VERDICT_COLUMNS))} ${SIGNS[change]} ${line}`,
    ...below
      .flatMap((text) => wrap(visibleOnOneLine(text), width))
      .map((text) => style.dim(`${INDENT}${text}`)),
  ].join("\n");
}

function whyOf({ failure, detail, reason, verdict }: Item): readonly string[] {
  if (isHeld(reason)) return [];
  const why = failure ?? detail ?? (verdict === "unresolved" ? reasonText(reason) : undefined);
  return why === undefined ? [] : [why];
}

function verdictLook({ verdict, applied, proposed }: Item, style: Style) {
  if (proposed !== undefined) return { word: `${proposed}?`, paint: style.yellow };
  if (applied === false) return { word: "failed", paint: style.red };
  if (verdict === "unresolved") return { word: "open", paint: style.yellow };
  return { word: verdict, paint: verdict === "skip" || verdict === "none" ? style.dim : style.green };
}

function statusLines(output: SyncOutput, style: Style): readonly string[] {
  const { status, items, counts, mode } = output;
  const counted = countsText(counts);
  const left = items.filter(isLeft).length;
  const open = counts["unresolved"] ?? 0;
  const held = items.filter(({ reason }) => isHeld(reason)).length;
  const holds = holdLines(output);
  const also = left === 0 ? "" : ` ${left} ${left === 1 ? "is" : "are"} left, with the reason.`;
  switch (status) {
    case "success":
      return [...olderLines(items), `${style.green(`Done: ${counted}.`)}${also}`];
    case "empty":
      return items.length === 0 ? inSyncLines(output) : [`Nothing to apply: ${counted}.${also}`];
    case "dryrun":
      return items.length === 0
        ? inSyncLines(output)
        : [
            ...olderLines(items),
            `Nothing was changed. ${mode === "dryrun" ? "A sync" : "It"} would do this: ${counted}.`,
            ...holds,
          ];
    case "different":
      return [style.yellow(`The two sides differ: ${counted}.`)];
    case "rejected":
      return [style.yellow("Nothing was changed, because the plan was not confirmed.")];
    case "fastfail_unresolved":
      return [
        style.yellow(
          `Nothing was changed, because ${open} of ${items.length} changes ${open === 1 ? "is" : "are"} open.`,
        ),
        ...holds,
        ...(open > held
          ? ["Decide with --override ID=push, pull, skip or merge, or apply the rest with --partial."]
          : []),
      ];
    case "interrupted":
      return [style.yellow(`Interrupted. \`sb sync status\` shows what is left.`)];
    case "undone":
    case "not_undone":
      return [];
    case "partial_failure":
      return [
        style.red(`Not everything was applied: ${appliedText(output)}. \`sb sync\` tries the rest again.`),
      ];
  }
}

/** What only looks the same is not called in sync. */
const inSyncLines = ({ leftOut = 0 }: SyncOutput): readonly string[] =>
  leftOut === 0 ? ["In sync: nothing to do."] : ["Nothing to do for what the files state."];

function leftOutLines({ leftOut = 0 }: SyncOutput): readonly string[] {
  const changes = leftOut === 1 ? "1 change in Studio is" : `${leftOut} changes in Studio are`;
  return leftOut === 0
    ? []
    : [`${changes} left out, because the project does not state them; --properties changed takes them.`];
}

function holdLines({ massRemoval, manyOverwrites }: SyncOutput): readonly string[] {
  return [
    ...(massRemoval === undefined
      ? []
      : [`Many removals: ${massRemoval.detail}. Agree with --allow-removals ${massRemoval.count}.`]),
    ...(manyOverwrites === undefined
      ? []
      : [
          `Much is replaced: ${manyOverwrites.detail}. Agree with --allow-overwrites ${manyOverwrites.count}.`,
        ]),
  ];
}

/** A person who has just opened an old place wants to know that it is one. */
function olderLines(items: readonly Item[]): readonly string[] {
  const count = items.filter(({ verdict, reason }) => verdict === "push" && reason === "studio_older").length;
  const pushes = count === 1 ? "1 push brings" : `${count} pushes bring`;
  return count === 0 ? [] : [`Studio holds an older state; ${pushes} it to the files.`];
}

function countsText(counts: SyncOutput["counts"]): string {
  const parts = (["push", "pull", "merge", "skip", "unresolved"] as const).flatMap((verdict) => {
    const count = counts[verdict] ?? 0;
    return count === 0 ? [] : [`${count} ${verdict === "unresolved" ? "open" : verdict}`];
  });
  return parts.join(", ");
}

/** What failed counts by itself, and not as what it should have been. */
function appliedText({ items, counts }: SyncOutput): string {
  const failed = items.filter(({ applied }) => applied === false);
  const applied = { ...counts };
  for (const { verdict } of failed) applied[verdict] = (applied[verdict] ?? 0) - 1;
  return [countsText(applied), `${failed.length} failed`].filter((text) => text !== "").join(", ");
}
