/** The history of one project's tests, for the order of files, the number of workers, and `--failed`. */
import { unwritableFile } from "../../command/unwritable-file.ts";
import {
  addHistoryAsync,
  entryAfter,
  type HistoryEntry,
  readHistoryAsync,
  type Scope,
} from "../../testing/history.ts";
import type { FileResult } from "../../testing/report/tally.ts";
import type { TestFile } from "../../testing/test-file.ts";
import { projectStateFileAsync } from "./project-state.ts";

export class ProjectHistory {
  /** Undefined where there is no state folder. */
  readonly #path: string | undefined;
  readonly #history: Map<string, HistoryEntry>;

  /** True for a file that the caller has named, which other machines may have too. */
  readonly #isGiven: boolean;

  private constructor(path: string | undefined, history: Map<string, HistoryEntry>, isGiven: boolean) {
    this.#path = path;
    this.#history = history;
    this.#isGiven = isGiven;
  }

  /** The history in the given file, or in the file of the state folder that belongs to the project. */
  static async openAsync(folder: string, given?: string): Promise<ProjectHistory> {
    const path = given ?? (await projectStateFileAsync(folder, ".jsonl"));
    const history = path === undefined ? new Map() : await readHistoryAsync(path);
    return new ProjectHistory(path, new Map(history), given !== undefined);
  }

  /** Ids of the cases that failed the last time. */
  failedIn({ path }: TestFile): readonly string[] {
    return this.#history.get(path)?.failed ?? [];
  }

  expectedMs({ path }: TestFile): number | undefined {
    return this.#history.get(path)?.durationMs;
  }

  /** How long the file took, where every machine that has the given history knows it. */
  givenMs(file: TestFile): number | undefined {
    return this.#isGiven ? this.expectedMs(file) : undefined;
  }

  /** So that no worker begins a long file when the others are done. Files that are not known come first. */
  longestFirst(files: readonly TestFile[]): readonly TestFile[] {
    const msOf = (file: TestFile): number => this.expectedMs(file) ?? Number.MAX_VALUE;
    return files.toSorted((left, right) => msOf(right) - msOf(left));
  }

  /** Files whose cases failed the last time before the others, which stay in their order. */
  failedFirst(files: readonly TestFile[]): readonly TestFile[] {
    const rank = (file: TestFile): number => (this.failedIn(file).length > 0 ? 0 : 1);
    return files.toSorted((left, right) => rank(left) - rank(right));
  }

  /**
   * Gives the reason where it cannot be written, because a run is as good without it. A file that the caller has named must be
   * written: throws FILE_ERROR.
   */
  async addAsync(results: readonly FileResult[], scope: Scope, at: number): Promise<string | undefined> {
    const entries = resultsByFile(results).map((each) =>
      entryAfter(each, this.#history.get(each[0].path), scope, at),
    );
    for (const entry of entries) this.#history.set(entry.file, entry);
    if (this.#path === undefined) return "there is no home folder";
    try {
      await addHistoryAsync(this.#path, entries);
      return undefined;
    } catch (error) {
      if (this.#isGiven) throw unwritableFile(this.#path, error);
      return error instanceof Error ? error.message : String(error);
    }
  }
}

type ResultsOfFile = readonly [FileResult, ...FileResult[]];

/** A file has several results where it ran in several contexts, or several times. */
function resultsByFile(results: readonly FileResult[]): readonly ResultsOfFile[] {
  const byFile = new Map<string, ResultsOfFile>();
  for (const result of results) byFile.set(result.path, [result, ...(byFile.get(result.path) ?? [])]);
  return [...byFile.values()];
}
