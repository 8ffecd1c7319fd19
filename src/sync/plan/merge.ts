/** Merges two sources that were changed apart from each other. */
import { diff3Merge } from "node-diff3";

/** The time of a merge grows with the square of the lines that look alike. */
const MAX_LINES = 20_000;

/** Undefined where both changed the same lines, and for texts that are too long. Each text has LF. */
export function mergedSource(file: string, base: string, studio: string): string | undefined {
  const [fileLines, baseLines, studioLines] = [file.split("\n"), base.split("\n"), studio.split("\n")];
  if (Math.max(fileLines.length, baseLines.length, studioLines.length) > MAX_LINES) return undefined;
  const blocks = diff3Merge(fileLines, baseLines, studioLines, { excludeFalseConflicts: true });
  const lines: string[] = [];
  for (const { ok } of blocks) {
    if (ok === undefined) return undefined;
    lines.push(...ok);
  }
  return lines.join("\n");
}
