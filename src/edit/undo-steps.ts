/** Undoes steps that sb made, or redoes them, and reports the result. The step of a sync goes back with its files. */
import type { SyncOfStep } from "../protocol/fields/undo-steps.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf } from "../protocol/schema.ts";
import type { FileCaller } from "../project/file-roots.ts";
import type { SessionLink } from "../session/session-link.ts";
import type { Style } from "../util/style.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { stepListFields, stepListText } from "./list-steps.ts";

interface Wish {
  readonly steps: number;
  readonly redo: boolean;
  readonly force: boolean;
  /** Only the caller's own. */
  readonly own: boolean;
}

export const undoOutput = defineSchema((z) =>
  z.object({
    /** Names of the steps, in the order in which they were undone; `redone` in its place for a redo. */
    undone: z.array(z.string()).optional(),
    redone: z.array(z.string()).optional(),
    /** The sync that was taken back, on both sides. */
    sync: z
      .object({
        planId: z.string(),
        projectFile: z.string(),
        fileSteps: z.int(),
        studioChanges: z.int(),
      })
      .optional(),
    stoppedAt: z
      .object({
        name: z.string(),
        by: z.string(),
        /** Why a step of a sync was left. */
        reason: z.enum(["sync_among_others", "sync_redo", "sync_elsewhere", "sync_changed"]).optional(),
        /** What stands against it, by path. */
        refused: z.record(z.string(), z.string()).optional(),
      })
      .optional(),
    forgotten: z.int().optional(),
    /** With list: the steps, and nothing else. */
    ...stepListFields(z),
  }),
);
export type Undone = OutputOf<typeof undoOutput>;
type Stop = NonNullable<Undone["stoppedAt"]>;

export async function undoStepsAsync(wish: Wish, link: SessionLink & FileCaller): Promise<Undone> {
  const { steps, redo, force, own } = wish;
  const only = own ? { only: link.caller.id } : {};
  const result = await link.callAsync("undo", { steps, redo, force, ...only });
  const { stoppedAt, undone, forgotten } = result;
  const sync = stoppedAt?.sync;
  if (stoppedAt !== undefined && sync !== undefined)
    return undoSyncStepAsync(wish, { ...result, stoppedAt }, sync, link);
  return {
    ...namesOf(undone, redo),
    ...(stoppedAt === undefined ? {} : { stoppedAt: { name: stoppedAt.name, by: stoppedAt.by } }),
    ...(forgotten === undefined ? {} : { forgotten }),
  };
}

const namesOf = (names: readonly string[], redo: boolean): Pick<Undone, "undone" | "redone"> =>
  redo ? { redone: [...names] } : { undone: [...names] };

/** A sync has changed files too, so that it is undone by itself, and never made again from here. */
async function undoSyncStepAsync(
  { steps, redo }: Wish,
  { undone, stoppedAt: { name, by } }: { readonly undone: readonly string[]; readonly stoppedAt: Stop },
  sync: SyncOfStep,
  link: SessionLink & FileCaller,
): Promise<Undone> {
  const stopped = (reason: Stop["reason"], refused?: Stop["refused"]): Undone => ({
    ...namesOf(undone, redo),
    stoppedAt: { name, by, reason, ...(refused === undefined ? {} : { refused }) },
  });
  if (redo) return stopped("sync_redo");
  if (steps > 1) return stopped("sync_among_others");
  // The code of a sync is loaded where there is one to take back.
  const { undoSyncOfStepAsync } = await import("../sync/index.ts");
  const taken = await undoSyncOfStepAsync(sync, link);
  if (taken === undefined) return stopped("sync_elsewhere");
  const { planId, projectFile, fileSteps, studioChanges, isWhole, refused } = taken;
  if (!isWhole && fileSteps + studioChanges === 0) return stopped("sync_changed", { ...refused });
  return {
    undone: [name],
    sync: { planId, projectFile, fileSteps, studioChanges },
    ...(isWhole ? {} : { stoppedAt: { name, by, reason: "sync_changed", refused: { ...refused } } }),
  };
}

export function undoneText(
  { undone, redone, sync, stoppedAt, forgotten, steps, total = 0 }: Undone,
  style: Style,
): string {
  if (steps !== undefined) return stepListText({ steps, total }, style);
  const verb = redone === undefined ? "Undone" : "Redone";
  const lines = (redone ?? undone ?? []).map((name) => `${verb}: ${visibleOnOneLine(name)}`);
  if (sync !== undefined) lines.push(syncText(sync));
  if (stoppedAt !== undefined) return [...lines, ...stopLines(stoppedAt)].join("\n");
  if (lines.length === 0) lines.push(`There is nothing to ${redone === undefined ? "undo" : "redo"}.`);
  if (forgotten !== undefined) lines.push(`Studio has forgotten ${forgotten} older step(s) of sb.`);
  return lines.join("\n");
}

function syncText({ fileSteps, projectFile }: NonNullable<Undone["sync"]>): string {
  const project = visibleOnOneLine(projectFile);
  const steps = `${fileSteps} ${fileSteps === 1 ? "step" : "steps"}`;
  return fileSteps === 0
    ? `It had changed no files of ${project}.`
    : `With ${steps} on the files of ${project}.`;
}

const SYNC_STOPS: { readonly [Reason in NonNullable<Stop["reason"]>]: string } = {
  sync_among_others:
    "a sync, which goes back together with its files; `sb undo` without a number takes it back.",
  sync_redo: "a sync; `sb sync` brings both sides together again.",
  sync_elsewhere: "a sync that was made on another machine, or whose record is gone; it goes back there.",
  sync_changed:
    "a sync, and both sides stay as they are; `sb sync undo --files` takes back the files that can.",
};

function stopLines({ name, by, reason, refused = {} }: Stop): readonly string[] {
  const start = `Stopped at "${visibleOnOneLine(name)}", `;
  if (reason === undefined) return [`${start}a step of ${visibleOnOneLine(by)}; --force continues.`];
  const faults = Object.entries(refused).map(([path, why]) => visibleOnOneLine(`${path}: ${why}`));
  return [...faults, `${start}${SYNC_STOPS[reason]}`];
}

/** For agents, who have an argument in place of the flag. */
export function undoneNote(
  { undone, redone, stoppedAt, steps }: Undone,
  { redo }: Pick<Wish, "redo">,
): string | undefined {
  if (stoppedAt?.reason !== undefined) return SYNC_NOTES[stoppedAt.reason];
  if (stoppedAt !== undefined)
    return `Stopped at a step of ${stoppedAt.by}; force: true ${redo ? "redoes" : "undoes"} it too. Ask the user first.`;
  return steps === undefined && (redone ?? undone ?? []).length === 0
    ? `There is nothing of yours to ${redo ? "redo" : "undo"}.`
    : undefined;
}

const SYNC_NOTES: typeof SYNC_STOPS = {
  sync_among_others: "Stopped at a sync, which goes back together with its files; steps: 1 takes it back.",
  sync_redo: "Stopped at a sync; studio_sync brings both sides together again.",
  sync_elsewhere: "Stopped at a sync of a project that this server does not work on. Ask the user.",
  sync_changed: "Stopped at a sync; `refused` says what was changed since then. Ask the user.",
};

/** Whether fewer steps than asked for were taken back because a step stands before them that is not to be undone. */
export const isStopped = ({ stoppedAt }: Undone): boolean => stoppedAt !== undefined;
