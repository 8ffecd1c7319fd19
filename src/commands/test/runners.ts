/** Chooses what runs the tests from the target that was named. */
import { invalidInput } from "../../protocol/messages.ts";
import { HeadlessRunner, type HeadlessRunnerOptions } from "../../testing/run/headless-runner.ts";
import type { NewRunner } from "../../testing/run/runner.ts";
import { type Target, targetText } from "../../testing/target.ts";

/** What each target needs; it takes from this what concerns it. */
export type RunnerWorld = HeadlessRunnerOptions;

export function runnersFor(target: Target, world: RunnerWorld): NewRunner {
  switch (target.kind) {
    case "headless":
      return () => new HeadlessRunner(world);
    case "studio":
    case "cloud":
      throw invalidInput(
        `sb test cannot run tests on ${targetText(target)} yet.`,
        "Leave out --on: headless Studio runs them.",
      );
  }
}
