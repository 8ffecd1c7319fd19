/** The options of a test run, from flags or an agent's input and from the settings, with all defaults filled in. */
import type { SourceMapWish } from "../../source-maps/compiled-sources.ts";
import type { DataChoice, ScreenChoice, WorldChoice } from "../../headless/index.ts";
import type { CoverageFormat } from "../coverage/format-words.ts";
import type { Thresholds } from "../coverage/thresholds.ts";
import type { FilePatterns } from "../discovery/find-files.ts";
import type { Framework, SnapshotMode } from "../events.ts";
import type { WantedReporter } from "../report/reporters.ts";
import type { Isolation } from "../run/run-words.ts";
import type { Shard } from "../shard.ts";
import type { Target } from "../target.ts";
import type { TestContext } from "../test-context.ts";

export interface CoverageWishes extends FilePatterns {
  readonly formats: readonly CoverageFormat[];
  /** The folder for the files, as an absolute path. */
  readonly directory: string;
  readonly thresholds: Thresholds;
}

export interface TestWishes {
  /** The folder from which relative names of files start: the working folder, or the project of an agent. */
  readonly start: string;
  readonly folder: string;
  readonly target: Target;
  /** The context of files that do not choose their own. */
  readonly context: TestContext;
  /** The path of sb.config.json, if there is one. */
  readonly settingsFile?: string | undefined;
  /** The place or the Rojo project; undefined for an empty place. */
  readonly placeFile: string | undefined;
  /** The choice of data stores; without it, scripts that use data stores get an error. */
  readonly data?: DataChoice | undefined;
  readonly world?: WorldChoice | undefined;
  /** The setting that chose the data stores, for messages; undefined for the flag. */
  readonly dataKey?: string | undefined;
  /** The file that says what headless Studios answer in place of Roblox, as an absolute path. */
  readonly fixturesFile?: string | undefined;
  /** The screen of headless Studios. */
  readonly screen?: ScreenChoice | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** The files and folders that the caller named in full, relative to the project. */
  readonly named: readonly string[];
  /** The program that runs before the files are read, with its arguments. */
  readonly before?: readonly string[] | undefined;
  /** Paths of the set-up scripts, which run once before the test files. */
  readonly setup: readonly string[];
  /** The module that lists the cases of all files, as an absolute path. */
  readonly adapter?: string | undefined;
  /** The words with which the caller chose tests. */
  readonly files: readonly string[];
  /** A regular expression on the names of cases. */
  readonly name?: string | undefined;
  /** Run only the cases that failed the last time, if there are any. */
  readonly failed: boolean;
  /** The command that runs the failed cases again. */
  readonly again: string;
  /** Run only tests that changes since this commit of git affect. */
  readonly changed?: string | undefined;
  readonly list: boolean;
  /** The name of the project if the run has several. */
  readonly part?: string;
  /** Run again whenever files change. */
  readonly watch?: boolean | undefined;
  /** The framework of all files, if the settings name one. */
  readonly framework?: Framework | undefined;
  readonly workers: number;
  readonly retries: number;
  readonly bail?: number | undefined;
  readonly caseTimeoutMs: number;
  readonly fileTimeoutMs: number;
  /** Undefined for no limit. */
  readonly runTimeoutMs?: number | undefined;
  readonly isolation?: Isolation | undefined;
  /** The seed of a random order of files and cases; undefined for the usual order. */
  readonly seed?: number | undefined;
  /** The number of times that each file runs. */
  readonly repeat: number;
  /** A file for the history, instead of the one in the state folder. */
  readonly historyFile?: string | undefined;
  /** The number of slowest cases that the summary names. */
  readonly slowest: number;
  /** The way in which the place gets into the cloud; see CloudSite. */
  readonly upload?: "never" | "save" | undefined;
  readonly reporters: readonly WantedReporter[];
  readonly showOutput: boolean;
  /** Show the lines of compiled files beside those of their sources. */
  readonly showCompiled?: boolean | undefined;
  readonly sourceMap: SourceMapWish;
  /** Do not tell what the headless Studios do otherwise than Roblox Studio. */
  readonly quiet: boolean;
  readonly passWithNoTests: boolean;
  readonly failOnFlaky: boolean;
  readonly allowOnly: boolean;
  /** Messages of uncaught errors that are no failures. */
  readonly allowedErrors: readonly RegExp[];
  /** Test the sources of an open Studio, although the files have others. */
  readonly allowStale: boolean;
  readonly shard?: Shard | undefined;
  /** Present if lines are counted. */
  readonly coverage?: CoverageWishes | undefined;
  /** Which stored snapshots the run may write. */
  readonly snapshots: SnapshotMode;
}
