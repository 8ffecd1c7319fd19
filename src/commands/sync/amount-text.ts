/** How much a sync did, as people read it: `3 steps on files and 1 change in Lobby (edit)`. */
import { visibleOnOneLine } from "../../util/visible-controls.ts";

export interface Amount {
  readonly fileSteps: number;
  readonly studioChanges: number;
}

/** `label` is what the other side is called. */
export function amountText({ fileSteps, studioChanges }: Amount, label: string): string {
  const parts = [
    ...(fileSteps > 0 ? [counted(fileSteps, "step", "on files")] : []),
    ...(studioChanges > 0 ? [counted(studioChanges, "change", `in ${visibleOnOneLine(label)}`)] : []),
  ];
  return parts.length === 0 ? "nothing" : parts.join(" and ");
}

const counted = (count: number, noun: string, where: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"} ${where}`;
