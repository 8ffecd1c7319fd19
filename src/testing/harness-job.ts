/** The job that the harness gets for one test file, as JSON. `harness/Main.luau` reads it. */
import type { SnapshotMode } from "./events.ts";
import type { TestFile } from "./test-file.ts";

export interface HarnessJob {
  readonly file: TestFile;
  readonly caseTimeoutMs: number;
  /** Which stored snapshots the file may write. */
  readonly snapshots: SnapshotMode;
  /** The harness sends the list of cases and then waits for the ids of the cases to run. */
  readonly chooses: boolean;
  /** sb answers each line that the harness reads at once. A read then resumes a thread sooner than a wait for a frame. */
  readonly answers?: boolean;
  /** sb waits for frames in place of the harness. It answers a line when a frame has run, or at once if no thread waits for one. */
  readonly awaitsFrames?: boolean;
  /** sb holds and moves the clock of the place at the events of the harness. */
  readonly holdsClock?: boolean;
  /** sb gives the input that a test wishes, and looks at the screen. */
  readonly hasInterface?: boolean;
  /** sb takes pictures and compares them, and the screen can have another size. */
  readonly drawsPictures?: boolean;
  /** Ids of cases that are over. They do not run again when the harness loads the file again after a case was stopped. */
  readonly done: readonly string[];
  /** The harness sends the paths of the Instances that the file leaves. */
  readonly tellsLeft: boolean;
  /** The seed of a random order of cases; undefined for the order in the file. */
  readonly seed?: number | undefined;
  /** The place returns to its kept state as soon as the file has ended. */
  readonly placeReturns?: boolean;
  /** The next step for people if the place does not have the file. It follows the file's name in the failure. */
  readonly whereMissing?: string;
}

export function harnessInput({ file, caseTimeoutMs, seed, ...job }: HarnessJob): string {
  const { path, framework, isGuessed, returnsRequired, instance, modules, adapter } = file;
  return JSON.stringify({
    ...job,
    file: path,
    framework,
    ...(isGuessed === true ? { isGuessed } : {}),
    ...(returnsRequired === true ? { returnsRequired } : {}),
    timeoutSeconds: caseTimeoutMs / 1000,
    ...(seed === undefined ? {} : { seed }),
    ...(instance === undefined ? {} : { instance }),
    ...(modules === undefined ? {} : { modules }),
    ...(adapter === undefined ? {} : { adapter }),
  });
}
