/**
 * The interface of a runner, which runs test files in one target: in headless Studios, or in an open Studio. A run knows its
 * target only through this interface. `testing/project/runners.ts` chooses the runner.
 */
import type { Counted } from "../../protocol/caveats.ts";
import type { SnapshotMode } from "../events.ts";
import type { ScriptsUsed } from "../../headless/index.ts";
import type { HarnessCase, HarnessEvent } from "../harness-events.ts";
import type { PictureBook } from "../pictures/picture-book.ts";
import type { TestFile } from "../test-file.ts";

export interface FileJob {
  readonly file: TestFile;
  /** The number of the client in which the file runs, from 1; absent if it runs in no client. */
  readonly client?: number;
  readonly caseTimeoutMs: number;
  readonly fileTimeoutMs: number;
  /** True if the file needs the place as it was opened. Otherwise it finds the changes of earlier files. */
  readonly isFresh: boolean;
  /** True if the harness sends the Instances that the file leaves, for which it searches the whole place. */
  readonly tellsLeft: boolean;
  /** The seed of a random order of cases; undefined for the order in the file. */
  readonly seed?: number;
  /** Which stored snapshots the file may write. */
  readonly snapshots: SnapshotMode;
  /** The expected pictures of the file, if the run compares pictures. */
  readonly pictures?: PictureBook | undefined;
  /** Hears of a picture that shows a difference, before the case that has failed for it ends. */
  readonly onDifference?: (picture: string) => void;
  /** Ids of cases that have been reported in this try, before the Studio was lost. They do not run again. */
  readonly done: readonly string[];
  /** Gives the ids of the cases to run; without it, all cases run. */
  readonly choose?: (cases: readonly HarnessCase[]) => readonly string[];
  /** Called when the Studio is ready, so that its start does not count as time of the file. */
  readonly onReady?: () => void;
  /** Called at the end of the file with the scripts that it has used; undefined if they are not known. */
  readonly onUsed?: (used: ScriptsUsed | undefined) => void;
  /** Interrupts the run of the file. Errors after that are ignored. */
  readonly signal: AbortSignal;
  /** Receives the events of the harness, in order. */
  readonly onEvent: (
    event: Exclude<HarnessEvent, { readonly type: "plan" | "frame" | "clock" | "ui" }>,
  ) => void;
}

/** A script that runs before the first file. Its name appears in messages. */
export interface SetupScript {
  readonly name: string;
  readonly source: string;
  readonly timeoutMs?: number;
}

export interface TestRunner extends AsyncDisposable {
  /** What its Studios have done otherwise than Roblox Studio since the last call. Absent for a target that does not count it. */
  takeCountedAsync?(): Promise<Counted>;
  /** If present, it is called before the first file. An error of it ends the run. */
  startAsync?(signal: AbortSignal): Promise<void>;
  /**
   * Runs one file. Resolves when the harness has ended. Throws a StudioBridgeError if the Studio is lost or the time of the
   * file is over. The next file then gets a Studio that works.
   */
  runAsync(job: FileJob): Promise<void>;
  /** Puts changed sources into the place. Absent if the place has to be opened again instead. */
  changeAsync?(changes: readonly SourceChange[], signal: AbortSignal): Promise<void>;
}

/** A script of the place whose file has changed. */
export interface SourceChange {
  /** The names from a service to the script. */
  readonly instance: readonly string[];
  readonly source: string;
}

/** Makes the runner of one worker. The runner starts its Studio when the first file runs. */
export type NewRunner = () => TestRunner;
