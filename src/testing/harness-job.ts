/** What the harness is given to run one file, as text. `Main.luau` reads it. */
import type { SnapshotMode } from "./events.ts";
import type { TestFile } from "./test-file.ts";

export interface HarnessJob {
  readonly file: TestFile;
  readonly caseTimeoutMs: number;
  /** Which stored snapshots may change. */
  readonly snapshots: SnapshotMode;
  /** The harness tells the cases and waits for the ids of those to run. */
  readonly chooses: boolean;
  /** Each line that the harness reads is answered at once, which begins a resumption sooner than the next frame. */
  readonly answers?: boolean;
  /** Ids of cases that do not run again. */
  readonly done: readonly string[];
  /** The harness is to tell which Instances the file leaves. */
  readonly tellsLeft: boolean;
  /** Of the order of cases; undefined for that of their file. */
  readonly seed?: number | undefined;
  /** What code of the files that have run in the same DataModel before is called in stacks. */
  readonly ranBefore?: readonly string[];
  /** The place returns to what it was before the file as soon as the file is over. */
  readonly placeReturns?: boolean;
  /** What the failure of a file says that the place does not have, behind its name: the next step. */
  readonly whereMissing?: string;
}

export function harnessInput({ file, caseTimeoutMs, seed, ...job }: HarnessJob): string {
  const { path, framework, instance, modules } = file;
  return JSON.stringify({
    ...job,
    file: path,
    framework,
    timeoutSeconds: caseTimeoutMs / 1000,
    ...(seed === undefined ? {} : { seed }),
    ...(instance === undefined ? {} : { instance }),
    ...(modules === undefined ? {} : { modules }),
  });
}
