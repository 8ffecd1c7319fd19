/** What a watch runs: the tests of one project, or of several. */
import type { WatchedPaths } from "../../../files/project-watch.ts";
import { invalidInput } from "../../../protocol/messages.ts";
import type { TestWishes } from "../test-wishes.ts";

/** The tests of a run: those that the options choose, the failed ones, or files by their paths. */
export type Wanted =
  | { readonly kind: "chosen" }
  | { readonly kind: "failed" }
  | { readonly kind: "paths"; readonly paths: ReadonlySet<string> };

export interface Changes {
  /** Paths that people are told. */
  readonly names: readonly string[];
  readonly removedTests: readonly string[];
  /** The test files that run because of them. */
  readonly affected: ReadonlySet<string>;
  /** If all test files are affected: the reason. */
  readonly why?: string | undefined;
  /** The files of the place may be others now, so that other folders are watched. */
  readonly isPlaceNew: boolean;
}

export interface WatchSubject extends AsyncDisposable {
  /** Those of the first project. */
  readonly wishes: TestWishes;
  readonly countsLines: boolean;
  watchedPathsAsync(): Promise<WatchedPaths>;
  /** True if the options have to be read again because of these files. */
  isSettings(paths: readonly string[]): boolean;
  /** Reads changed files. Undefined if none belongs to it. Throws if a file cannot be read. */
  refreshAsync(paths: readonly string[]): Promise<Changes | undefined>;
  /** `changes` are options that keys have changed. False if none of the tests runs. */
  runAsync(wanted: Wanted, changes: Partial<TestWishes>, signal: AbortSignal): Promise<boolean>;
}

/** Throws INVALID_INPUT for a target that cannot stay open. */
export function checkWatchable({ target }: TestWishes): void {
  if (target.kind !== "headless")
    throw invalidInput("--watch runs tests in headless Studio only.", "Leave out --on, or --watch.");
}

/** True for a file of settings, and for the fixtures, which are part of the options. */
export const isSettingsOf = ({ settingsFile, fixturesFile }: TestWishes, path: string): boolean =>
  path === settingsFile || path === fixturesFile || path.endsWith("sb.config.json");
