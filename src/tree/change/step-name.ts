/** What a step is called in the undo history of Studio, and in the lists of `sb undo`. */
import { visibleOnOneLine } from "../../util/visible-controls.ts";

/** Longer paths are cut, because the name is one line of a list. */
const MAX_LENGTH = 120;

/** `what` says what the step does, such as `edit Workspace.Door`. */
export function stepName(what: string): string {
  const name = `sb: ${visibleOnOneLine(what)}`;
  return name.length <= MAX_LENGTH ? name : `${name.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}
