/** What a person, an agent and the settings want of a run of tests, with all defaults filled in. */
import type { DataChoice } from "../../headless/index.ts";
import type { CoverageFormat } from "../../testing/coverage/format-words.ts";
import type { Thresholds } from "../../testing/coverage/thresholds.ts";
import type { FilePatterns } from "../../testing/discovery/find-files.ts";
import type { Framework, SnapshotMode } from "../../testing/events.ts";
import type { WantedReporter } from "../../testing/report/reporters.ts";
import type { Isolation } from "../../testing/run/run-words.ts";
import type { Shard } from "../../testing/shard.ts";
import type { Target } from "../../testing/target.ts";
import type { TestContext } from "../../testing/test-context.ts";

export interface CoverageWishes extends FilePatterns {
  readonly formats: readonly CoverageFormat[];
  /** Where files go; absolute. */
  readonly directory: string;
  readonly thresholds: Thresholds;
}

export interface TestWishes {
  readonly folder: string;
  readonly target: Target;
  /** Where files run that do not choose their own context. */
  readonly context: TestContext;
  /** sb.config.json, where there is one. */
  readonly settingsFile?: string | undefined;
  readonly placeFile: string | undefined;
  /** What scripts that use data stores get; without it they are refused. */
  readonly data?: DataChoice | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** The files and folders that the caller named in full. */
  readonly named: readonly string[];
  /** Scripts that run before the place is kept for the tests. */
  readonly setup: readonly string[];
  readonly files: readonly string[];
  readonly name?: string | undefined;
  /** Only what failed the last time, where something did. */
  readonly failed: boolean;
  /** The command that runs what failed again. */
  readonly again: string;
  /** Only what the changes since this commit of git concern. */
  readonly changed?: string | undefined;
  readonly list: boolean;
  /** Run again whenever files change. */
  readonly watch?: boolean | undefined;
  /** What runs the files, where the settings name it. */
  readonly framework?: Framework | undefined;
  readonly workers: number;
  readonly retries: number;
  readonly bail?: number | undefined;
  readonly caseTimeoutMs: number;
  readonly fileTimeoutMs: number;
  /** No limit where it is undefined. */
  readonly runTimeoutMs?: number | undefined;
  readonly isolation?: Isolation | undefined;
  /** Of a random order of files and cases. */
  readonly seed?: number | undefined;
  /** How often each file runs. */
  readonly repeat: number;
  /** In place of the history in the state folder. */
  readonly historyFile?: string | undefined;
  readonly slowest: number;
  /** How the place gets into the cloud. */
  readonly upload?: "never" | "save" | undefined;
  readonly reporters: readonly WantedReporter[];
  readonly showOutput: boolean;
  readonly passWithNoTests: boolean;
  readonly failOnFlaky: boolean;
  readonly allowOnly: boolean;
  readonly shard?: Shard | undefined;
  /** Counts which lines of the project run. */
  readonly coverage?: CoverageWishes | undefined;
  /** Which stored snapshots may change. */
  readonly snapshots: SnapshotMode;
}
