/** Forgets the oldest steps of a line: after 30 days, or when all of them take more than 64 MB. */
import { joinedSteps } from "./line.ts";
import type { Step } from "./revision.ts";
import { lineOfStep } from "./step-json.ts";

export const MAX_STEPS_BYTES = 64 * 1024 * 1024;
export const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * The steps that stay, the oldest first. What leads to a revision in `kept` stays reachable: the steps on the way are joined,
 * so that only the revisions between are forgotten.
 */
export function prunedSteps(steps: readonly Step[], kept: ReadonlySet<string>, nowMs: number): Step[] {
  const first = firstToStay(steps, nowMs);
  const stays: Step[] = [];
  let way: Step | undefined;
  let isNeeded = false;
  for (const step of steps.slice(0, first)) {
    if (kept.has(step.after)) {
      if (isNeeded && way !== undefined) stays.push(way);
      [way, isNeeded] = [undefined, true];
    }
    way = way === undefined ? step : joinedSteps(way, step);
  }
  if (isNeeded && way !== undefined) stays.push(way);
  return [...stays, ...steps.slice(first)];
}

/** The position of the oldest step that is young enough and fits in with those after it. */
function firstToStay(steps: readonly Step[], nowMs: number): number {
  let bytes = 0;
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index];
    if (step === undefined) continue;
    bytes += lineOfStep(step).length;
    if (bytes > MAX_STEPS_BYTES || nowMs - step.atMs > MAX_AGE_MS) return index + 1;
  }
  return 0;
}
