/** Chooses the runner for a target. */
import type { CommandContext } from "../../command/context.ts";
import { HeadlessRunner, type HeadlessRunnerOptions } from "../../testing/run/headless-runner.ts";
import type { NewRunner } from "../../testing/run/runner.ts";
import { StudioRunner } from "../../testing/run/studio-runner.ts";
import type { HeadlessTarget, StudioTarget } from "../../testing/target.ts";
import { type OpeningWishes, openStudioAsync } from "./open-studio.ts";

/** The options of all runners. Each runner takes from them what it needs. */
export interface RunnerWorld extends HeadlessRunnerOptions {
  readonly opening: OpeningWishes;
  readonly context: CommandContext;
}

export function runnersFor(
  target: HeadlessTarget | StudioTarget,
  { opening, context, ...headless }: RunnerWorld,
): NewRunner {
  switch (target.kind) {
    case "headless":
      return () => new HeadlessRunner(headless);
    case "studio":
      return () =>
        new StudioRunner({
          // The run has a signal of its own, because its time limit ends the run before the command.
          openAsync: (signal) => openStudioAsync(target, opening, { ...context, signal }),
          covered: headless.covered,
          setup: headless.setup,
          status: (text) => context.status(text),
        });
  }
}
