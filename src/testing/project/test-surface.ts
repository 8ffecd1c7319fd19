/** What a run of tests needs of the command that started it. */
import type { OpenKeys, RunSurface } from "../../output/run-surface.ts";
import type { CaveatFields, Counted } from "../../protocol/caveats.ts";
import type { OpenedStudio } from "../run/studio-runner.ts";
import type { StudioTarget } from "../target.ts";
import type { StaleWishes } from "./stale-files.ts";

export interface TestSurface extends RunSurface {
  /** True for a coding agent, which gets one line of progress for each file and never changes a place of Roblox. */
  readonly isAgent: boolean;
  /** Throws FILE_ERROR if the project in `path` names files or folders that the caller may not read. */
  checkSourcesAsync(path: string, sources: readonly string[]): Promise<void>;
  /** Opens the Studio of `--on studio`: a connected one, else a new one. Disposing of it leaves a connected one open. */
  openStudioAsync(target: StudioTarget, opening: OpeningWishes, signal: AbortSignal): Promise<OpenedStudio>;
  /** What was counted as results tell it, with the cures that this `sb` has. */
  caveatFieldsAsync(counted: Counted): Promise<CaveatFields>;
  /** The keyboard of a watch; absent where there is none. */
  readonly openKeys?: OpenKeys | undefined;
}

export interface OpeningWishes extends StaleWishes {
  /** The file of the place, of which a launched Studio gets a copy. */
  readonly placeFile: string | undefined;
}
