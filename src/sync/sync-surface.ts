/** What a sync of a project needs of the surface that started it, and of the session that it is with. */
import type { Decision, DecisionAnswers } from "../output/decisions.ts";
import type { RunSurface } from "../output/run-surface.ts";
import type { FileCaller } from "../project/file-roots.ts";
import type { SessionLink } from "../session/session-link.ts";

export interface SyncSurface extends RunSurface, FileCaller {
  /** Asks a person and gives the answer; undefined, and absent, if no person can answer. */
  readonly confirmAsync?: (question: string) => Promise<boolean | undefined>;
  /** Lets a person decide several things together; undefined, and absent, if no person can answer. */
  readonly decideAsync?: (
    message: string,
    decisions: readonly Decision[],
  ) => Promise<DecisionAnswers | undefined>;
}

/** With the session of the place. */
export type StudioSurface = SyncSurface & SessionLink;
