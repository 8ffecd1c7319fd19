/**
 * What runs test files in one target: a headless Studio, a Studio, or a server of Roblox. A run knows nothing else of its
 * target. `commands/test/runners.ts` chooses the runner.
 */
import type { SnapshotMode } from "../events.ts";
import type { ScriptsUsed } from "../../headless/index.ts";
import type { HarnessCase, HarnessEvent } from "../harness-events.ts";
import type { TestFile } from "../test-file.ts";

export interface FileJob {
  readonly file: TestFile;
  /** Which client of its play test the file runs in, from 1; absent where it runs in no client. */
  readonly client?: number;
  readonly caseTimeoutMs: number;
  readonly fileTimeoutMs: number;
  /** The place is to be as it was opened. Else the file finds what those before it have left. */
  readonly isFresh: boolean;
  /** The harness is to tell which Instances the file leaves, which takes a look at the whole place. */
  readonly tellsLeft: boolean;
  /** Of the order of cases; undefined for that of the file. */
  readonly seed?: number;
  /** Which stored snapshots may change. */
  readonly snapshots: SnapshotMode;
  /** Ids of cases that an earlier part of this attempt has reported; they do not run again. */
  readonly done: readonly string[];
  /** Given the cases, says which to run; without it, all run. */
  readonly choose?: (cases: readonly HarnessCase[]) => readonly string[];
  /** Told when what runs the file is ready, so that the time of its start is not the file's. */
  readonly onReady?: () => void;
  /** Told which scripts the file has used when it has come to its end; undefined where that is not known. */
  readonly onUsed?: (used: ScriptsUsed | undefined) => void;
  /** Interrupts the run of the file; what throws then is not looked at. */
  readonly signal: AbortSignal;
  /** Hears what the harness sends, in its order. */
  readonly onEvent: (event: Exclude<HarnessEvent, { readonly type: "plan" }>) => void;
}

/** A script that runs before the first file; its name is for messages. */
export interface SetupScript {
  readonly name: string;
  readonly source: string;
}

export interface TestRunner extends AsyncDisposable {
  /** Called before the first file, where a runner has one. What it throws ends the run. */
  startAsync?(signal: AbortSignal): Promise<void>;
  /**
   * Runs one file. Resolves when the harness has come to its end. Throws a StudioBridgeError if what runs the file is lost
   * or the time of the file is over; the runner makes the next file independent of that.
   */
  runAsync(job: FileJob): Promise<void>;
  /** Takes over the sources that scripts have by now; absent where the place must be opened anew for that. */
  changeAsync?(changes: readonly SourceChange[], signal: AbortSignal): Promise<void>;
}

/** A script of the place whose file has changed. */
export interface SourceChange {
  /** The names from a service to the script. */
  readonly instance: readonly string[];
  readonly source: string;
}

/** Makes the runner of one worker. It starts what it needs when the first file runs. */
export type NewRunner = () => TestRunner;
