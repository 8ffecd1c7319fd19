/**
 * `sb test --watch`: runs the tests, and after each change of files the tests that use these files.
 * Ctrl+C or the key q ends the watch.
 */
import type { Keys } from "../../../output/run-surface.ts";
import type { TestSurface } from "../test-surface.ts";
import { StudioBridgeError } from "../../../protocol/errors.ts";
import { ProjectWatch } from "../../../files/project-watch.ts";
import { expectLongRun } from "../../../util/long-run.ts";
import type { Style } from "../../../util/style.ts";
import { visibleOnOneLine } from "../../../util/visible-controls.ts";
import type { TestWishes } from "../test-wishes.ts";
import { keysHelp, meaningOf, type WatchKey } from "./watch-keys.ts";
import type { Wanted, WatchSubject } from "./watch-subject.ts";

/**
 * Reads the options from the flags and the present settings, and opens what they name. `coverage`, if given, decides whether lines
 * are counted. Undefined if the program of `test.before` has failed, which runs only at the first opening.
 */
export type OpenSubject = (changes: {
  readonly coverage?: boolean;
  readonly isFirst?: boolean;
}) => Promise<WatchSubject | undefined>;

const CLEAR = "\u001b[2J\u001b[3J\u001b[H";
const FEW_SLOWEST = 3;
const MANY_SLOWEST = 10;
/** The number of changed files whose names are shown. */
const MAX_NAMES = 3;

/** False if the program of `test.before` has failed. It runs once, because compilers have watches of their own. */
export async function watchTestsAsync(open: OpenSubject, surface: TestSurface): Promise<boolean> {
  expectLongRun();
  await using watch = await TestWatch.openAsync(open, surface);
  await watch?.runAsync();
  return watch !== undefined;
}

class TestWatch implements AsyncDisposable {
  readonly #open: OpenSubject;
  readonly #surface: TestSurface;
  #subject: WatchSubject;
  #keys: Keys | undefined;
  #files: ProjectWatch | undefined;
  #watched = "";
  /** Options that keys have changed. */
  #changes: Partial<TestWishes> = {};
  #hasCoverage: boolean;
  #last: Wanted = { kind: "chosen" };
  #changed = new Set<string>();
  #pressed: WatchKey | undefined;
  #wake = Promise.withResolvers<void>();
  #running: AbortController | undefined;
  /** True if the changed project could not be read. It is then read again at the next change. */
  #isBroken = false;
  /** True if the last line on the screen says that the watch waits for changes. */
  #isFootLast = false;

  private constructor(open: OpenSubject, surface: TestSurface, subject: WatchSubject) {
    this.#open = open;
    this.#surface = surface;
    this.#subject = subject;
    this.#hasCoverage = subject.countsLines;
  }

  static async openAsync(open: OpenSubject, surface: TestSurface): Promise<TestWatch | undefined> {
    const subject = await open({ isFirst: true });
    return subject === undefined ? undefined : new TestWatch(open, surface, subject);
  }

  /** Returns when the signal is aborted or the key q is pressed. */
  async runAsync(): Promise<void> {
    const { signal, openKeys } = this.#surface;
    const wake = () => this.#wake.resolve();
    signal.addEventListener("abort", wake, { once: true });
    this.#keys = openKeys?.((key) => this.#press(key));
    await this.#watchFilesAsync();
    let wanted: Wanted | undefined = { kind: "chosen" };
    while (!signal.aborted && this.#pressed !== "quit") {
      if (wanted !== undefined) await this.#runOnceAsync(wanted);
      this.#foot();
      wanted = await this.#guardedAsync(() => this.#nextAsync());
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#keys?.[Symbol.dispose]();
    this.#files?.[Symbol.dispose]();
    await this.#subject[Symbol.asyncDispose]();
  }

  // Keys and changes of files -------------------------------------------------------------------------------------------

  #press(key: string): void {
    this.#pressed = meaningOf(key) ?? this.#pressed;
    this.#running?.abort();
    this.#wake.resolve();
  }

  async #watchFilesAsync(): Promise<void> {
    const paths = await this.#subject.watchedPathsAsync();
    const text = JSON.stringify(paths);
    if (text === this.#watched) return;
    const files = new ProjectWatch(paths, (changed) => {
      for (const path of changed) this.#changed.add(path);
      this.#wake.resolve();
    });
    this.#files?.[Symbol.dispose]();
    this.#files = files;
    this.#watched = text;
  }

  // Choosing the next run -----------------------------------------------------------------------------------------------------

  /** Waits for a key or a change. Returns the tests that run because of it; undefined for none. */
  async #nextAsync(): Promise<Wanted | undefined> {
    if (this.#pressed === undefined && this.#changed.size === 0) await this.#wake.promise;
    this.#wake = Promise.withResolvers<void>();
    if (this.#surface.signal.aborted || this.#pressed === "quit") return undefined;
    const key = this.#pressed;
    this.#pressed = undefined;
    if (key !== undefined) return this.#obeyAsync(key);
    const paths = [...this.#changed];
    this.#changed.clear();
    return this.#affectedAsync(paths);
  }

  async #affectedAsync(paths: readonly string[]): Promise<Wanted | undefined> {
    if (this.#isBroken || this.#subject.isSettings(paths)) return this.#reopenAsync();
    this.#isBroken = true;
    const changes = await this.#subject.refreshAsync(paths);
    this.#isBroken = false;
    if (changes === undefined) return undefined;
    const { names, removedTests, affected, why, isPlaceNew } = changes;
    if (isPlaceNew) await this.#watchFilesAsync();
    if (names.length === 0) return undefined;
    if (names.length === removedTests.length) {
      this.#head(`Removed: ${namesText(names)}`);
      return undefined;
    }
    this.#head(`Changed: ${namesText(names)}`);
    if (why !== undefined) this.#say(`All tests run, because ${visibleOnOneLine(why)}.`);
    if (affected.size > 0) return { kind: "paths", paths: affected };
    this.#say("No test uses it.");
    return undefined;
  }

  /** Reads the settings and the project again. */
  async #reopenAsync(): Promise<Wanted> {
    this.#isBroken = true;
    const subject = await this.#open({ coverage: this.#hasCoverage });
    if (subject === undefined) throw new Error("only the first opening runs test.before");
    await this.#subject[Symbol.asyncDispose]();
    this.#subject = subject;
    await this.#watchFilesAsync();
    this.#isBroken = false;
    this.#head("The project was read again.");
    return { kind: "chosen" };
  }

  async #obeyAsync(key: Exclude<WatchKey, "quit">): Promise<Wanted | undefined> {
    switch (key) {
      case "again":
        this.#head("The same tests again.");
        return this.#last;
      case "all":
        this.#head("All tests.");
        this.#changes = { ...this.#changes, files: [], name: undefined, changed: undefined };
        return { kind: "chosen" };
      case "failed":
        this.#head("The cases that failed the last time.");
        return { kind: "failed" };
      case "paths": {
        const text = await this.#askAsync("Part of paths, or nothing for all files");
        if (text === undefined) return undefined;
        this.#head(text === "" ? "All files." : `Files with ${visibleOnOneLine(text)} in their paths.`);
        this.#changes = { ...this.#changes, files: text === "" ? [] : [text] };
        return { kind: "chosen" };
      }
      case "name": {
        const text = await this.#askAsync('Regular expression on "describe › it", or nothing for all cases');
        if (text === undefined) return undefined;
        this.#head(text === "" ? "All cases." : `Cases whose names match ${visibleOnOneLine(text)}.`);
        this.#changes = { ...this.#changes, name: text === "" ? undefined : text };
        return { kind: "chosen" };
      }
      case "snapshots": {
        const { snapshots } = this.#subject.wishes;
        this.#head("The same tests again; their snapshots are updated.");
        this.#changes = { ...this.#changes, snapshots: "all" };
        await this.#runOnceAsync(this.#last);
        this.#changes = { ...this.#changes, snapshots };
        return undefined;
      }
      case "coverage":
        this.#hasCoverage = !this.#hasCoverage;
        return this.#reopenAsync();
      case "output": {
        const showOutput = !this.#wishes().showOutput;
        this.#head(showOutput ? "All output of failed cases." : "The last output of failed cases.");
        this.#changes = { ...this.#changes, showOutput };
        return this.#last;
      }
      case "slowest": {
        const slowest = this.#wishes().slowest === MANY_SLOWEST ? FEW_SLOWEST : MANY_SLOWEST;
        this.#head(`The ${slowest} slowest cases.`);
        this.#changes = { ...this.#changes, slowest };
        return this.#last;
      }
      case "help":
        this.#say(keysHelp());
        return undefined;
    }
  }

  async #askAsync(question: string): Promise<string | undefined> {
    this.#isFootLast = false;
    const text = await this.#keys?.askTextAsync(question, this.#surface.signal);
    return text?.trim();
  }

  // Running ----------------------------------------------------------------------------------------------------------

  #wishes(): TestWishes {
    return { ...this.#subject.wishes, ...this.#changes };
  }

  async #runOnceAsync(wanted: Wanted): Promise<void> {
    this.#last = wanted;
    await this.#guardedAsync(async () => {
      const running = new AbortController();
      this.#running = running;
      this.#isFootLast = false;
      const signal = AbortSignal.any([this.#surface.signal, running.signal]);
      try {
        const hasRun = await this.#subject.runAsync(wanted, this.#changes, signal);
        if (!hasRun) this.#say("None of the chosen tests runs.");
      } finally {
        this.#running = undefined;
      }
    });
  }

  /** Shows an error in a file instead of ending the watch, because the next change may fix the file. */
  async #guardedAsync<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof StudioBridgeError)) throw error;
      const { message, hint } = error;
      if (!this.#surface.signal.aborted)
        this.#tell(({ red, dim }) => `${red(message)}${hint === undefined ? "" : `\n${dim(hint)}`}`);
      return undefined;
    }
  }

  // Showing messages ----------------------------------------------------------------------------------------------------------

  /** Clears the screen if keys are read, and shows the first line. */
  #head(text: string): void {
    const isClearing = this.#keys !== undefined;
    this.#tell(({ dim, isScreen }) => `${isScreen && isClearing ? CLEAR : ""}${dim(text)}`);
  }

  #say(text: string): void {
    this.#tell(({ dim }) => dim(text));
  }

  #tell(text: (style: Style) => string): void {
    this.#isFootLast = false;
    this.#surface.emit({ stream: "stderr", text });
  }

  /** Says that the watch waits for changes, unless the last line on the screen says so already. */
  #foot(): void {
    if (this.#isFootLast || this.#surface.signal.aborted || this.#pressed === "quit") return;
    this.#say(
      this.#keys === undefined ? "Watching for changes; Ctrl+C ends." : "Watching for changes; h shows keys.",
    );
    this.#isFootLast = true;
  }
}

function namesText(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_NAMES).map(visibleOnOneLine).join(", ");
  return paths.length > MAX_NAMES ? `${shown} and ${paths.length - MAX_NAMES} more` : shown;
}
