/** The sentence, the same in all reporters, about a case that passed only when it was tried again. */
import type { CaseResult } from "./tally.ts";

/** For example `try 2; flaky in 3 of 20 runs`, and with --repeat `run 5, try 2`. The first known run of a case says nothing about how often it is flaky. */
export function flakyText({ end, flakeRate }: CaseResult): string {
  const tried = `${end.repeat === undefined ? "" : `run ${end.repeat}, `}try ${end.try}`;
  return flakeRate === undefined || flakeRate.runs === 1
    ? tried
    : `${tried}; flaky in ${flakeRate.flakyRuns} of ${flakeRate.runs} runs`;
}
