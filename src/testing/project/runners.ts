/** Chooses the runner for a target. */
import { HeadlessRunner, type HeadlessRunnerOptions } from "../run/headless-runner.ts";
import type { NewRunner } from "../run/runner.ts";
import { StudioRunner } from "../run/studio-runner.ts";
import type { HeadlessTarget, StudioTarget } from "../target.ts";
import type { OpeningWishes, TestSurface } from "./test-surface.ts";

/** The options of all runners. Each runner takes from them what it needs. */
export interface RunnerWorld extends HeadlessRunnerOptions {
  readonly opening: OpeningWishes;
  readonly surface: TestSurface;
}

export function runnersFor(
  target: HeadlessTarget | StudioTarget,
  { opening, surface, ...headless }: RunnerWorld,
): NewRunner {
  switch (target.kind) {
    case "headless":
      return () => new HeadlessRunner(headless);
    case "studio":
      return () =>
        new StudioRunner({
          // The run has a signal of its own, because its time limit ends the run before the command.
          openAsync: (signal) => surface.openStudioAsync(target, opening, signal),
          covered: headless.covered,
          setup: headless.setup,
          status: (text) => surface.status(text),
        });
  }
}
