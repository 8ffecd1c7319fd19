/**
 * Writes the files of stored snapshots that a run has changed. Each file lies beside its test, where Jest reads it from the
 * place. Its path follows from the path of the test alone, because a script could name any other path.
 */
import { mkdir, rm, stat } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { unwritableFile } from "../../files/unwritable-file.ts";
import type { SnapshotMode, TestEvent } from "../events.ts";
import { checkOwnFileAsync, outside } from "../own-file.ts";
import { removePictureAsync } from "../pictures/remove-picture.ts";
import type { TestFile } from "../test-file.ts";
import { isTerminal } from "../../util/is-terminal.ts";
import { writeWholeFileAsync } from "../../util/whole-file.ts";
import { isCi } from "../../util/ci.ts";

/** On a terminal, new snapshots are written, because a person sees there that they were. */
export function snapshotModeOf(update: boolean, isAgent: boolean): SnapshotMode {
  if (update) return "all";
  return !isAgent && !isCi() && isTerminal(1) ? "new" : "none";
}

export class SnapshotFiles {
  readonly #folder: string;
  readonly #files: ReadonlyMap<string, TestFile>;
  readonly #contents = new Map<string, string | null>();
  /** Files whose test is gone, and which this run removes. Relative to the folder. */
  #obsolete: readonly string[] = [];

  constructor(folder: string, files: readonly TestFile[]) {
    this.#folder = folder;
    this.#files = new Map(files.map((file) => [file.path, file]));
  }

  /** Notes the content that an event has. The first try of a file counts, because later tries run only failed cases. */
  add(event: TestEvent): void {
    if (event.type === "obsolete-snapshots" && event.areRemoved) this.#obsolete = event.files;
    if (event.type !== "snapshots" || event.content === undefined) return;
    if (!this.#contents.has(event.file)) this.#contents.set(event.file, event.content);
  }

  /** Each file is written whole or not at all. */
  async writeAsync(): Promise<void> {
    for (const [path, content] of this.#contents) {
      const test = this.#files.get(path);
      if (test !== undefined) await this.#writeOneAsync(test, content);
    }
    for (const path of this.#obsolete) {
      const file = join(this.#folder, path);
      if (path.endsWith(".png")) await removePictureAsync(this.#folder, file);
      else await this.#removeOneAsync(file);
    }
  }

  async #writeOneAsync(test: TestFile, content: string | null): Promise<void> {
    const name = test.instance?.at(-1) ?? "";
    const folder = join(dirname(test.absolutePath), "__snapshots__");
    const file = await presentOrNewAsync(join(folder, `${name}.snap`), extname(test.absolutePath));
    if (/[\\/]/.test(name)) throw outside(file);
    await checkOwnFileAsync(this.#folder, file);
    if (content === null) return await this.#removeOneAsync(file);
    try {
      await mkdir(folder, { recursive: true });
      await writeWholeFileAsync(file, Buffer.from(content));
    } catch (error) {
      throw unwritableFile(file, error);
    }
  }

  async #removeOneAsync(file: string): Promise<void> {
    await checkOwnFileAsync(this.#folder, file);
    await rm(file, { force: true }).catch((error: unknown) => {
      throw unwritableFile(file, error);
    });
  }
}

/** The file of snapshots that exists, else a new one with the ending of its test. Files that Jest wrote itself end with `.lua`. */
async function presentOrNewAsync(stem: string, extension: string): Promise<string> {
  for (const known of [".luau", ".lua"]) {
    const file = `${stem}${known}`;
    if ((await stat(file).catch(() => undefined))?.isFile() === true) return file;
  }
  return `${stem}${extension}`;
}
