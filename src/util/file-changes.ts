/** Tells when files change on disk, so that work on them can be done again. Reads nothing itself. */
import { watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";

/** Editors write in several steps; what comes within this time is one change. */
const QUIET_MS = 100;

export class FileChanges implements Disposable {
  readonly #isWatched: (name: string) => boolean;
  readonly #watchers: readonly Disposable[];
  readonly #changed = new Set<string>();
  #quiet: Timer | undefined;
  #wake: (() => void) | undefined;
  #isReady = false;

  /**
   * Watches the folders of `paths`: these files, and their neighbours that `alsoWatched` accepts by name. Throws the
   * system's error where a folder cannot be watched.
   */
  constructor(paths: readonly string[], alsoWatched: (name: string) => boolean) {
    const names = new Set(paths.map((path) => basename(path)));
    this.#isWatched = (name) => names.has(name) || alsoWatched(name);
    const folders = new Set(paths.map((path) => dirname(resolve(path))));
    this.#watchers = [...folders].map((folder) => {
      const watcher = watch(folder, (_, name) => this.#hear(name));
      return { [Symbol.dispose]: () => watcher.close() };
    });
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
  #hear(name: string | null): void {
    if (name !== null && !this.#isWatched(name)) return;
    if (name !== null) this.#changed.add(name);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      this.#isReady = true;
      this.#wake?.();
    }, QUIET_MS);
  }
}
