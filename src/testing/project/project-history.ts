/** The history of one project. The order of files, the number of workers, `--failed` and the rates of flaky cases depend on it. */
import { unwritableFile } from "../../files/unwritable-file.ts";
import {
  addHistoryAsync,
  entryAfter,
  type History,
  type HistoryEntry,
  readHistoryAsync,
  type RunFacts,
} from "../history.ts";
import type { TestEvent } from "../events.ts";
import { type FileResult, flakyCases } from "../report/tally.ts";
import type { Shard } from "../shard.ts";
import type { TestFile } from "../test-file.ts";
import { projectStateFileAsync } from "./project-state.ts";

/** The caller's file of --history, and whether the run is one of several shards. */
interface GivenHistory {
  readonly historyFile?: string | undefined;
  readonly shard?: Shard | undefined;
}

/** How a history names a file. `isShared` is true for the file of --history, which several projects may have. */
export type HistoryKey = (path: string, isShared: boolean) => string;

export class ProjectHistory {
  /** The file to which runs are added. Undefined if there is no state folder. */
  readonly #path: string | undefined;
  /** The entries of that file. */
  readonly #own: Map<string, HistoryEntry>;
  /** The entries of the file of --history. Other machines may have the same file. */
  readonly #given: History | undefined;
  readonly #keyOf: HistoryKey;

  private constructor(
    path: string | undefined,
    own: Map<string, HistoryEntry>,
    given: History | undefined,
    keyOf: HistoryKey = (file) => file,
  ) {
    this.#path = path;
    this.#own = own;
    this.#given = given;
    this.#keyOf = keyOf;
  }

  /**
   * The history in the given file, or in the file of the state folder that belongs to the project. A shard only reads the given
   * file and adds its results to the other one: if it changed the file, a later shard would divide the files differently.
   */
  static async openAsync(
    folder: string,
    { historyFile, shard }: GivenHistory,
    keyOf?: HistoryKey,
  ): Promise<ProjectHistory> {
    const given = historyFile === undefined ? undefined : new Map(await readHistoryAsync(historyFile));
    if (given !== undefined && shard === undefined)
      return new ProjectHistory(historyFile, given, given, keyOf);
    const path = await projectStateFileAsync(folder, ".jsonl");
    const own = path === undefined ? new Map() : await readHistoryAsync(path);
    return new ProjectHistory(path, new Map(own), given, keyOf);
  }

  /** Ids of the cases that failed the last time. */
  failedIn({ path }: TestFile): readonly string[] {
    return this.#entryOf(path)?.failed ?? [];
  }

  expectedMs({ path }: TestFile): number | undefined {
    return this.#entryOf(path)?.durationMs;
  }

  /** The duration of a file, but only from a history that all machines of a sharded run have. */
  givenMs({ path }: TestFile): number | undefined {
    return this.#given?.get(this.#keyOf(path, true))?.durationMs;
  }

  /** What the history knows of a file of this project. */
  #entryOf(path: string): HistoryEntry | undefined {
    return this.#given === undefined
      ? this.#own.get(this.#keyOf(path, false))
      : this.#given.get(this.#keyOf(path, true));
  }

  /** The name of a file in the history to which runs are added. */
  #ownKey(path: string): string {
    return this.#keyOf(path, this.#own === this.#given);
  }

  /** Sorts files by their durations, so that no worker begins a long file at the end. Unknown files come first. */
  longestFirst(files: readonly TestFile[]): readonly TestFile[] {
    const msOf = (file: TestFile): number => this.expectedMs(file) ?? Number.MAX_VALUE;
    return files.toSorted((left, right) => msOf(right) - msOf(left));
  }

  /** Puts files with cases that failed the last time before the others. */
  failedFirst(files: readonly TestFile[]): readonly TestFile[] {
    const rank = (file: TestFile): number => (this.failedIn(file).length > 0 ? 0 : 1);
    return files.toSorted((left, right) => rank(left) - rank(right));
  }

  /** The events that say how often the flaky cases of a run were flaky so far. The run has not been added yet. */
  flakeRates(results: readonly FileResult[], run: RunFacts): readonly TestEvent[] {
    return resultsByFile(results).flatMap((ofFile): TestEvent[] => {
      const file = ofFile[0].path;
      const flaky = new Set(flakyCases(ofFile).map(({ id }) => id));
      const known =
        flaky.size === 0 ? [] : (entryAfter(ofFile, this.#entryOf(file), run).flakes?.flaky ?? []);
      return known.filter(({ id }) => flaky.has(id)).map((rate) => ({ type: "flake-rate", file, ...rate }));
    });
  }

  /**
   * Adds the results of a run. If the history cannot be written, returns the reason instead of throwing, because the results of
   * the run are still valid. For a file that the caller has named, throws FILE_ERROR.
   */
  async addAsync(results: readonly FileResult[], run: RunFacts): Promise<string | undefined> {
    const entries = resultsByFile(results).map((ofFile) => {
      const file = this.#ownKey(ofFile[0].path);
      return { ...entryAfter(ofFile, this.#own.get(file), run), file };
    });
    for (const entry of entries) this.#own.set(entry.file, entry);
    if (this.#path === undefined) return "there is no home folder";
    try {
      await addHistoryAsync(this.#path, entries, this.#own.values());
      return undefined;
    } catch (error) {
      if (this.#own === this.#given) throw unwritableFile(this.#path, error);
      return error instanceof Error ? error.message : String(error);
    }
  }
}

type ResultsOfFile = readonly [FileResult, ...FileResult[]];

/** Groups results by file. A file has several results if it ran in several contexts, or several times. */
function resultsByFile(results: readonly FileResult[]): readonly ResultsOfFile[] {
  const byFile = new Map<string, ResultsOfFile>();
  for (const result of results) byFile.set(result.path, [result, ...(byFile.get(result.path) ?? [])]);
  return [...byFile.values()];
}
