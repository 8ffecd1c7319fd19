/** What an undo of a sync came to, as JSON and as text for people. */
import { defineSchema } from "../../protocol/schema.ts";
import type { UndoneSync } from "../../sync/undo-sync.ts";
import type { Style } from "../../util/style.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { amountText } from "./amount-text.ts";

export const undoneSyncSchema = defineSchema((z) =>
  z.object({
    planId: z.string(),
    label: z.string(),
    projectFile: z.string(),
    /** Nothing was left as it is. */
    isWhole: z.boolean(),
    fileSteps: z.int(),
    studioChanges: z.int(),
    /** Why something was left as it is, by path. */
    refused: z.record(z.string(), z.string()),
  }),
);

export function undoneSyncText(undone: UndoneSync, style: Style): string {
  const { planId, isWhole, fileSteps, studioChanges, refused, label } = undone;
  const what = amountText({ fileSteps, studioChanges }, label);
  return [
    ...Object.entries(refused).map(([path, reason]) => style.red(visibleOnOneLine(`${path}: ${reason}`))),
    isWhole
      ? style.green(`Taken back: ${what} (${planId}).`)
      : fileSteps + studioChanges === 0
        ? style.yellow(`Nothing was taken back (${planId}); both sides are as they were.`)
        : style.yellow(`Taken back in part: ${what} (${planId}).`),
  ].join("\n");
}
