/** Tells when the files of a project change on disk, and which. It reads none of them. */
import { type FSWatcher, watch } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { systemCodeOf, systemReason } from "../../util/system-error.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";

/** What comes within this time after a change is told together with it. */
const GATHER_MS = 100;
/** An editor writes a file in several steps that follow each other at once. */
const SETTLE_MS = 10;
/** The folders that a sync itself or git writes, and whose files no project reads. */
const NOT_WATCHED = new Set([".git", ".sb"]);

export interface WatchedPaths {
  /** Watched with all that is below them. */
  readonly folders: readonly string[];
  /** Links to folders, watched with all that is below them: the watch of a folder around a link does not follow it. */
  readonly links?: readonly string[];
  /** Watched with what is directly in them. */
  readonly shallow?: readonly string[];
  /** Watched alone, without their neighbours. */
  readonly files: readonly string[];
}

export class ProjectWatch implements Disposable {
  readonly #watchers: Disposable[] = [];
  readonly #changed = new Set<string>();
  readonly #onChange: (paths: readonly string[]) => void;
  #timer: Timer | undefined;
  #toldMs = Number.NEGATIVE_INFINITY;

  /**
   * `onChange` gets absolute paths: of the first change of a quiet time at once, of those that follow it together. Throws
   * FILE_ERROR where a folder cannot be watched.
   */
  constructor(
    { folders, links = [], shallow = [], files }: WatchedPaths,
    onChange: (paths: readonly string[]) => void,
  ) {
    this.#onChange = onChange;
    const outer = withoutInner(folders);
    const flat = shallow.filter((folder) => !outer.some((each) => each === folder || isBelow(each, folder)));
    const alone = files.filter(
      (file) => !outer.some((folder) => isBelow(folder, file)) && !flat.includes(dirname(file)),
    );
    try {
      for (const folder of [...outer, ...links.filter((link) => !outer.includes(link))])
        this.#watch(folder, true, () => true);
      for (const folder of flat) this.#watch(folder, false, () => true);
      // A file is watched by its folder, because an editor may put another file in its place.
      for (const folder of new Set(alone.map((file) => dirname(file))))
        this.#watch(folder, false, (path) => alone.includes(path));
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher[Symbol.dispose]();
  }

  #watch(folder: string, recursive: boolean, isWatched: (path: string) => boolean): void {
    const watcher = watchFolder(folder, recursive, (name) => {
      // Some systems tell that something changed, but not what.
      if (name === null) return this.#hear(folder);
      const isOurs = name.split(sep).some((part) => NOT_WATCHED.has(part));
      if (!isOurs && isWatched(join(folder, name))) this.#hear(join(folder, name));
    });
    // A folder that is removed ends its watcher; the next sync reports what is missing.
    watcher.on("error", () => this.#hear(folder));
    this.#watchers.push({ [Symbol.dispose]: () => watcher.close() });
  }

  #hear(path: string): void {
    this.#changed.add(path);
    if (this.#timer !== undefined) return;
    const waitMs = Math.max(this.#toldMs + GATHER_MS - performance.now(), SETTLE_MS);
    this.#timer = setTimeout(() => void this.#settleAsync(), waitMs);
  }

  /** Some editors empty a file before they write it, so an empty file gets the whole time. */
  async #settleAsync(): Promise<void> {
    const isEmpty = await Promise.all([...this.#changed].map(isEmptyFileAsync));
    if (isEmpty.includes(true)) await Bun.sleep(GATHER_MS);
    this.#timer = undefined;
    this.#toldMs = performance.now();
    const paths = [...this.#changed];
    this.#changed.clear();
    this.#onChange(paths);
  }
}

/** What systems say that watch no further folder for this user. */
const LIMITS: readonly (string | undefined)[] = ["ENOSPC", "EMFILE", "ENFILE"];

function watchFolder(folder: string, recursive: boolean, onChange: (name: string | null) => void): FSWatcher {
  try {
    return watch(folder, { recursive }, (_, name) => onChange(name));
  } catch (cause) {
    const isLimit = LIMITS.includes(systemCodeOf(cause));
    const reason = isLimit ? "the system watches no more folders for you" : systemReason(cause);
    throw new StudioBridgeError("FILE_ERROR", `Could not watch ${visibleOnOneLine(folder)}: ${reason}`, {
      data: { path: folder },
      cause,
      hint: isLimit
        ? "End other programs that watch files, raise the limit (fs.inotify.max_user_watches on Linux), or leave out --watch."
        : "Leave out --watch, or run again when the folder can be read.",
    });
  }
}

async function isEmptyFileAsync(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined);
  return facts?.isFile() === true && facts.size === 0;
}

/** Without folders that are below another one of them. */
function withoutInner(folders: readonly string[]): readonly string[] {
  const all = [...new Set(folders)];
  return all.filter((folder) => !all.some((other) => other !== folder && isBelow(other, folder)));
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && way !== path;
}
