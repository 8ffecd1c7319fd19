/** What people are told about a change that is not an undo step. */
import type { undoReportSchema } from "../protocol/fields/undo-steps.ts";
import type { OutputOf } from "../protocol/schema.ts";
import type { Style } from "../util/style.ts";

export function unrecordedLines(
  { recorded, reason = "Studio gave none" }: OutputOf<typeof undoReportSchema>,
  style: Style,
): readonly string[] {
  return recorded ? [] : [style.dim(`No undo step: ${reason}.`)];
}
