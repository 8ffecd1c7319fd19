/**
 * The tools that are offered now: those of the commands, and those of the project file. The file is read again when it
 * changes, and listeners hear when the list changes.
 */
import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { basename, dirname } from "node:path";
import { log } from "../log.ts";
import { systemReason } from "../util/system-error.ts";
import type { Tool } from "./server/features.ts";

/** Editors write a file in several steps. */
const SETTLING_MS = 50;

export interface LoadedTools {
  readonly tools: readonly Tool[];
  /** Names of tools that exist and are not offered, with the reason. */
  readonly withheld: ReadonlyMap<string, string>;
  /** The project's file, or where it would appear. */
  readonly projectFile: string;
}

export class ToolSource implements Disposable {
  readonly #readAsync: () => Promise<LoadedTools>;
  readonly #listeners = new Set<() => void>();
  #loaded: Promise<LoadedTools> | undefined;
  #withheld: ReadonlyMap<string, string> = new Map();
  #watcher: FSWatcher | undefined;
  #watched = "";
  #timer: Timer | undefined;

  /** `readAsync` never fails for what stands in the file. */
  constructor(readAsync: () => Promise<LoadedTools>) {
    this.#readAsync = readAsync;
  }

  /** Loads when first asked, and watches from then on. */
  readonly toolsAsync = async (): Promise<readonly Tool[]> => {
    this.#loaded ??= this.#loadAsync();
    return (await this.#loaded).tools;
  };

  /** As of the last loading. */
  whyWithheld(name: string): string | undefined {
    return this.#withheld.get(name);
  }

  /** Call the result to stop listening. */
  readonly onChanged = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#watcher?.close();
  }

  async #loadAsync(): Promise<LoadedTools> {
    const loaded = await this.#readAsync();
    this.#withheld = loaded.withheld;
    this.#watch(loaded.projectFile);
    return loaded;
  }

  /** Where the file cannot be watched, the tools stay those of the start. */
  #watch(file: string): void {
    if (file === this.#watched) return;
    this.#watcher?.close();
    this.#watched = file;
    try {
      this.#watcher = watch(dirname(file), { persistent: false }, (_event, name) => {
        if (name === basename(file)) this.#schedule();
      });
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch (error) {
      log.debug(`${file} is not watched: ${systemReason(error)}`);
    }
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#reloadAsync(), SETTLING_MS);
  }

  async #reloadAsync(): Promise<void> {
    const before = await this.#loaded;
    this.#loaded = this.#loadAsync();
    const after = await this.#loaded;
    // Functions are no part of the list, and JSON leaves them out.
    if (JSON.stringify(before?.tools) === JSON.stringify(after.tools)) return;
    for (const listener of this.#listeners) listener();
  }
}
