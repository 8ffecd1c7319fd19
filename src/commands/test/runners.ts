/** Chooses what runs the tests from the target that was named. */
import type { CommandContext } from "../../command/context.ts";
import { HeadlessRunner, type HeadlessRunnerOptions } from "../../testing/run/headless-runner.ts";
import type { NewRunner } from "../../testing/run/runner.ts";
import { StudioRunner } from "../../testing/run/studio-runner.ts";
import type { HeadlessTarget, StudioTarget } from "../../testing/target.ts";
import { openStudioAsync } from "./open-studio.ts";

/** What each target needs; it takes from this what concerns it. */
export interface RunnerWorld extends HeadlessRunnerOptions {
  /** The file of the place. */
  readonly placeFile: string | undefined;
  readonly context: CommandContext;
}

export function runnersFor(
  target: HeadlessTarget | StudioTarget,
  { placeFile, context, ...headless }: RunnerWorld,
): NewRunner {
  switch (target.kind) {
    case "headless":
      return () => new HeadlessRunner(headless);
    case "studio":
      return () =>
        new StudioRunner({
          // The signal of the run, which may end before the command does.
          openAsync: (signal) => openStudioAsync(target, placeFile, { ...context, signal }),
          covered: headless.covered,
          setup: headless.setup,
          status: (text) => context.status(text),
        });
  }
}
