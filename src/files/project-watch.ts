/** Tells when the files of a project change on disk, and which. It reads none of them. */
import { type FSWatcher, statSync, watch } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { StudioBridgeError } from "../protocol/errors.ts";
import { isBelow } from "../util/path-inside.ts";
import { systemCodeOf, systemReason } from "../util/system-error.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

/** What comes within this time after a change is told together with it. */
const GATHER_MS = 100;
/** An editor writes a file in several steps that follow each other at once. */
const SETTLE_MS = 10;
/** How often sb checks whether a watched folder is still the one at its path: systems watch folders, not paths. */
const RENEW_MS = 1_000;
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

/** A folder that is watched, as long as there is one at its path. */
interface WatchedFolder {
  readonly path: string;
  readonly recursive: boolean;
  readonly isWatched: (path: string) => boolean;
  /** Undefined where there is no folder. */
  identity: string | undefined;
  watcher: FSWatcher | undefined;
}

export class ProjectWatch implements Disposable {
  readonly #folders: WatchedFolder[] = [];
  #renewal: Timer | undefined;
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
    this.#renewal = setInterval(() => this.#renew(), RENEW_MS);
    this.#renewal.unref();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    clearInterval(this.#renewal);
    for (const { watcher } of this.#folders) watcher?.close();
  }

  #watch(path: string, recursive: boolean, isWatched: (path: string) => boolean): void {
    const folder: WatchedFolder = {
      path,
      recursive,
      isWatched,
      identity: identityOf(path),
      watcher: undefined,
    };
    this.#begin(folder);
    this.#folders.push(folder);
  }

  #begin(folder: WatchedFolder): void {
    const { path, recursive, isWatched } = folder;
    folder.watcher = watchFolder(path, recursive, (name) => {
      if (name === undefined || name === null) {
        // So they tell of a folder that is moved or removed; another one may get its number.
        folder.identity = undefined;
        // Some systems tell that something changed, but not what.
        return this.#hear(path);
      }
      const isOurs = name.split(sep).some((part) => NOT_WATCHED.has(part));
      if (!isOurs && isWatched(join(path, name))) this.#hear(join(path, name));
    });
    // A folder that is removed ends its watcher; the next sync reports what is missing.
    folder.watcher.on("error", () => this.#hear(path));
  }

  /** Watches the folders that have come to watched paths, in place of those that are gone from there. */
  #renew(): void {
    for (const folder of this.#folders) {
      const identity = identityOf(folder.path);
      if (identity === folder.identity) continue;
      folder.watcher?.close();
      folder.watcher = undefined;
      folder.identity = identity;
      this.#hear(folder.path);
      if (identity === undefined) continue;
      try {
        this.#begin(folder);
      } catch (error) {
        if (!(error instanceof StudioBridgeError)) throw error;
        // It is tried again.
        folder.identity = undefined;
      }
    }
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

/** Another text for another folder at the same path; undefined where there is none. */
function identityOf(folder: string): string | undefined {
  try {
    const facts = statSync(folder, { bigint: true });
    return facts.isDirectory() ? `${facts.dev} ${facts.ino}` : undefined;
  } catch {
    return undefined;
  }
}

function watchFolder(
  folder: string,
  recursive: boolean,
  onChange: (name: string | null | undefined) => void,
): FSWatcher {
  try {
    return watch(folder, { recursive }, (_, name) => onChange(name));
  } catch (cause) {
    const isLimit = LIMITS.includes(systemCodeOf(cause));
    const reason = isLimit ? "the system does not watch more folders for you" : systemReason(cause);
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
