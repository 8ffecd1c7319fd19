/** Tells when files change on disk, so that work on them can be done again. Reads nothing itself. */
import { watch } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Editors write in several steps; what comes within this time is one change. */
const QUIET_MS = 100;

type NameFilter = (name: string) => boolean;
const noName: NameFilter = () => false;

export class FileChanges implements Disposable {
  /** By folder, which names in it count: any that one of these accepts. */
  readonly #watched = new Map<string, Set<NameFilter>>();
  /** By path. */
  readonly #files = new Set<string>();
  readonly #watchers: Disposable[] = [];
  readonly #changed = new Set<string>();
  #quiet: Timer | undefined;
  #wake: (() => void) | undefined;
  #isReady = false;

  /**
   * Watches the folders of `paths`: these files, and their neighbours that `alsoWatched` accepts by name. Throws the
   * system's error where a folder cannot be watched.
   */
  constructor(paths: readonly string[], alsoWatched: NameFilter) {
    for (const path of paths) this.watchFile(path, alsoWatched);
  }

  /** Also watches this file, and its neighbours that `alsoWatched` accepts by name. */
  watchFile(path: string, alsoWatched: NameFilter = noName): void {
    this.#files.add(resolve(path));
    this.watchFolder(dirname(resolve(path)), alsoWatched);
  }

  /** Also watches what is directly in this folder and has a name that `isWatched` accepts. */
  watchFolder(folder: string, isWatched: NameFilter): void {
    const before = this.#watched.get(folder);
    before?.add(isWatched);
    if (before !== undefined) return;
    this.#watched.set(folder, new Set([isWatched]));
    const watcher = watch(folder, (_, name) => this.#hear(folder, name));
    this.#watchers.push({ [Symbol.dispose]: () => watcher.close() });
  }

  /** The names that changed since the last call, as soon as there are any; undefined when `signal` fires first. */
  async nextAsync(signal: AbortSignal): Promise<readonly string[] | undefined> {
    const { promise, resolve: resume } = Promise.withResolvers<void>();
    const wake = () => resume();
    this.#wake = wake;
    signal.addEventListener("abort", wake, { once: true });
    if (!this.#isReady && !signal.aborted) await promise;
    signal.removeEventListener("abort", wake);
    if (signal.aborted) return undefined;
    const names = [...this.#changed];
    this.#changed.clear();
    this.#isReady = false;
    return names;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#quiet);
    for (const watcher of this.#watchers) watcher[Symbol.dispose]();
  }

  /** Some systems tell that something changed, but not what. */
  #hear(folder: string, name: string | null): void {
    if (name !== null && !this.#counts(folder, name)) return;
    if (name !== null) this.#changed.add(name);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      this.#isReady = true;
      this.#wake?.();
    }, QUIET_MS);
  }

  #counts(folder: string, name: string): boolean {
    if (this.#files.has(join(folder, name))) return true;
    return [...(this.#watched.get(folder) ?? [])].some((accepts) => accepts(name));
  }
}
