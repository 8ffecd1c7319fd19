/** The history of one project's tests, for the order of files, the number of workers, and `--failed`. */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import {
  addHistoryAsync,
  entryAfter,
  type History,
  readHistoryAsync,
  resultsByFile,
  type Scope,
} from "../../testing/history.ts";
import type { FileResult } from "../../testing/report/tally.ts";
import type { TestFile } from "../../testing/test-file.ts";
import { stateFile } from "../../util/state-folder.ts";

export class ProjectHistory {
  /** Undefined where there is no state folder. */
  readonly #path: string | undefined;
  readonly #history: History;

  private constructor(path: string | undefined, history: History) {
    this.#path = path;
    this.#history = history;
  }

  static async openAsync(folder: string): Promise<ProjectHistory> {
    const path = await historyFileAsync(folder);
    return new ProjectHistory(path, path === undefined ? new Map() : await readHistoryAsync(path));
  }

  /** Ids of the cases that failed the last time. */
  failedIn({ path }: TestFile): readonly string[] {
    return this.#history.get(path)?.failed ?? [];
  }

  expectedMs({ path }: TestFile): number | undefined {
    return this.#history.get(path)?.durationMs;
  }

  /** So that no worker begins a long file when the others are done. Files that are not known come first. */
  longestFirst(files: readonly TestFile[]): readonly TestFile[] {
    const msOf = (file: TestFile): number => this.expectedMs(file) ?? Number.MAX_VALUE;
    return files.toSorted((left, right) => msOf(right) - msOf(left));
  }

  /** Gives the reason where it cannot be written: a run is as good without it. */
  async addAsync(results: readonly FileResult[], scope: Scope, at: number): Promise<string | undefined> {
    if (this.#path === undefined) return "there is no home folder";
    const entries = resultsByFile(results).map((each) =>
      entryAfter(each, this.#history.get(each.path), scope, at),
    );
    try {
      await addHistoryAsync(this.#path, entries);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

async function historyFileAsync(folder: string): Promise<string | undefined> {
  const real = await realpath(folder).catch(() => folder);
  const hash = new Bun.CryptoHasher("sha256").update(real).digest("hex").slice(0, 16);
  try {
    return stateFile(join("test", `${hash}.jsonl`));
  } catch {
    return undefined;
  }
}
