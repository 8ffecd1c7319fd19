/** The sentence, the same in all reporters, about a run that ended early. */
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { TestEvent } from "../events.ts";
import type { FileResult } from "./tally.ts";

export type RunEnd = Extract<TestEvent, { readonly type: "run-end" }>;

const REASONS: Readonly<Record<NonNullable<RunEnd["ended"]>, string>> = {
  interrupted: "Interrupted",
  bail: "Ended by --bail",
  timeout: "Ended at the time limit of the run",
  broken: "Broken off",
};

/** Undefined for a run that came to its end. `planned` is the number of files that the run had chosen. */
export function breakOffText(
  { ended, message }: RunEnd,
  files: readonly FileResult[],
  planned: number,
): string | undefined {
  if (ended === undefined) return undefined;
  const unfinished = new Set(files.filter(({ isFinished }) => !isFinished).map(({ path }) => path));
  const finished = new Set(files.map(({ path }) => path)).size - unfinished.size;
  const running = files.flatMap(({ path, running: names }) => names.map((name) => `${path} › ${name}`));
  return visibleOnOneLine(
    [
      `${REASONS[ended]} after ${finished} of ${planned} ${planned === 1 ? "file" : "files"}`,
      ...(running.length === 0 ? [] : [`, while ${running.join(" and ")} ran`]),
      message === undefined ? "." : `: ${message}`,
    ].join(""),
  );
}
