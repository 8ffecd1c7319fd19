/** Undoes steps that sb made, or redoes them, and reports the result. */
import type { ActionResult } from "../../protocol/actions.ts";
import { actions, type undoReportSchema } from "../../protocol/actions.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import type { SessionCommandContext } from "../../command/context.ts";
import type { Style } from "../../util/style.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";

interface Wish {
  readonly steps: number;
  readonly redo: boolean;
  readonly force: boolean;
  /** Only the caller's own. */
  readonly own: boolean;
}

type Undone = ActionResult<"undo">;

export const undoOutput = actions.undo.result;

export function undoStepsAsync(
  { steps, redo, force, own }: Wish,
  context: SessionCommandContext,
): Promise<Undone> {
  return context.callAsync("undo", { steps, redo, force, ...(own ? { only: context.caller.id } : {}) });
}

export function undoneText({ undone, stoppedAt, forgotten }: Undone, isRedo: boolean): string {
  const verb = isRedo ? "Redone" : "Undone";
  const lines = undone.map((name) => `${verb}: ${visibleOnOneLine(name)}`);
  if (stoppedAt !== undefined) return [...lines, stopText(stoppedAt)].join("\n");
  if (lines.length === 0) lines.push(`There is nothing to ${isRedo ? "redo" : "undo"}.`);
  if (forgotten !== undefined) lines.push(`Studio has forgotten ${forgotten} older step(s) of sb.`);
  return lines.join("\n");
}

function stopText({ name, by }: NonNullable<Undone["stoppedAt"]>): string {
  return `Stopped at "${visibleOnOneLine(name)}", a step of ${visibleOnOneLine(by)}; --force goes on.`;
}

/** For agents, who have an argument in place of the flag. */
export function undoneNote({ undone, stoppedAt }: Undone, { redo }: Pick<Wish, "redo">): string | undefined {
  if (stoppedAt !== undefined)
    return `Stopped at a step of ${stoppedAt.by}; force: true ${redo ? "makes it again" : "takes it back"} too. Ask the user first.`;
  return undone.length === 0
    ? `There is nothing of yours to ${redo ? "make again" : "take back"}.`
    : undefined;
}

/** A line for people about a change that is no undo step. */
export function unrecordedLines(
  { recorded, reason = "Studio gave none" }: OutputOf<typeof undoReportSchema>,
  style: Style,
): readonly string[] {
  return recorded ? [] : [style.dim(`No undo step: ${reason}.`)];
}

/** Whether fewer steps than asked for were taken back because a step of another client or a person stands before them. */
export const isStopped = ({ stoppedAt }: Undone): boolean => stoppedAt !== undefined;
