/** What people are told about a place that was saved or kept when its headless Studio ended. */
import type { PutAway } from "../../headless/index.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";

export function keptLines({ kept, dropped = [], savedTo }: PutAway = {}): readonly string[] {
  const [oldest] = dropped;
  return [
    ...(savedTo === undefined ? [] : [`Saved ${visibleOnOneLine(savedTo)}`]),
    ...(kept === undefined
      ? []
      : [`What was not saved is kept: \`sb headless --restore ${kept}\` opens it again.`]),
    ...(oldest === undefined
      ? []
      : [`Kept no longer, because only the newest places are: ${dropped.join(", ")}.`]),
  ];
}
