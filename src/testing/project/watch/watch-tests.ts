/**
 * `sb test --watch`: runs the tests, and after each change of files the tests that use these files. The place stays open
 * between runs. Ctrl+C or the key q ends the watch.
 */
import type { Keys } from "../../../output/run-surface.ts";
import type { TestSurface } from "../test-surface.ts";
import { StudioBridgeError } from "../../../protocol/errors.ts";
import { invalidInput } from "../../../protocol/messages.ts";
import { ProjectWatch } from "../../../files/project-watch.ts";
import { affectedBy } from "../../graph/affected.ts";
import { expectLongRun } from "../../../util/long-run.ts";
import type { Style } from "../../../util/style.ts";
import { visibleOnOneLine } from "../../../util/visible-controls.ts";
import { runBeforeAsync } from "../before.ts";
import { ProjectGraph } from "../project-graph.ts";
import { ProjectHistory } from "../project-history.ts";
import { newRunnerAsync } from "../run-project.ts";
import { runSelectionAsync } from "../run-selection.ts";
import { type Selection, selectTestsAsync } from "../select-tests.ts";
import type { TestWishes } from "../test-wishes.ts";
import { KeptRunners } from "./kept-runners.ts";
import { keysHelp, meaningOf, type WatchKey } from "./watch-keys.ts";
import { type Refresh, WatchedProject } from "./watched-project.ts";
import { watchedPathsAsync } from "./watched-paths.ts";

/** Reads the options from the flags and the present settings. `coverage`, if given, decides whether lines are counted. */
export type ReadWishes = (changes: { readonly coverage?: boolean }) => Promise<TestWishes>;

const CLEAR = "\u001b[2J\u001b[3J\u001b[H";
const FEW_SLOWEST = 3;
const MANY_SLOWEST = 10;
/** The number of changed files whose names are shown. */
const MAX_NAMES = 3;

/** The tests of a run: those that the options choose, the failed ones, or files by their paths. */
type Wanted =
  | { readonly kind: "chosen" }
  | { readonly kind: "failed" }
  | { readonly kind: "paths"; readonly paths: ReadonlySet<string> };

/** False if the program of `test.before` has failed. It runs once, because compilers have watches of their own. */
export async function watchTestsAsync(readWishes: ReadWishes, surface: TestSurface): Promise<boolean> {
  expectLongRun();
  await using watch = await TestWatch.openAsync(readWishes, surface);
  await watch?.runAsync();
  return watch !== undefined;
}

class TestWatch implements AsyncDisposable {
  readonly #readWishes: ReadWishes;
  readonly #surface: TestSurface;
  readonly #graph: ProjectGraph;
  readonly #history: ProjectHistory;
  #project: WatchedProject;
  #runners: KeptRunners;
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

  private constructor(
    readWishes: ReadWishes,
    surface: TestSurface,
    project: WatchedProject,
    history: ProjectHistory,
    runners: KeptRunners,
  ) {
    this.#readWishes = readWishes;
    this.#surface = surface;
    this.#project = project;
    this.#history = history;
    this.#graph = new ProjectGraph(project.wishes.folder);
    this.#runners = runners;
    this.#hasCoverage = project.opened.covered !== undefined;
  }

  static async openAsync(readWishes: ReadWishes, surface: TestSurface): Promise<TestWatch | undefined> {
    const wishes = await readWishes({});
    if (wishes.target.kind !== "headless")
      throw invalidInput("--watch runs tests in headless Studio only.", "Leave out --on, or --watch.");
    if ((await runBeforeAsync(wishes, surface)) !== undefined) return undefined;
    const project = await WatchedProject.openAsync(wishes, surface);
    const history = await ProjectHistory.openAsync(wishes.folder, wishes);
    return new TestWatch(readWishes, surface, project, history, await runnersAsync(project, surface));
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
    await this.#runners[Symbol.asyncDispose]();
  }

  // Keys and changes of files -------------------------------------------------------------------------------------------

  #press(key: string): void {
    this.#pressed = meaningOf(key) ?? this.#pressed;
    this.#running?.abort();
    this.#wake.resolve();
  }

  async #watchFilesAsync(): Promise<void> {
    const paths = await watchedPathsAsync(this.#project.wishes, this.#project.opened);
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
    const { wishes } = this.#project;
    const { settingsFile, fixturesFile } = wishes;
    // The fixtures are part of the wishes.
    const isSettings = paths.some(
      (path) => path === settingsFile || path === fixturesFile || path.endsWith("sb.config.json"),
    );
    if (isSettings || this.#isBroken) return this.#reopenAsync();
    this.#isBroken = true;
    const refresh = await this.#project.refreshAsync(paths, this.#surface);
    this.#isBroken = false;
    if (refresh === undefined) return undefined;
    await this.#takeOverAsync(refresh);
    const names = [...refresh.changed, ...refresh.removed, ...refresh.removedTests];
    if (names.length === 0) return undefined;
    const { files, contents } = this.#project.opened;
    const { files: affected, why } = affectedBy(refresh, files, await this.#graph.readAsync(), contents);
    if (names.length === refresh.removedTests.length) {
      this.#head(`Removed: ${namesText(names)}`);
      return undefined;
    }
    this.#head(`Changed: ${namesText(names)}`);
    if (why !== undefined) this.#say(`All tests run, because ${visibleOnOneLine(why)}.`);
    if (affected.size > 0) return { kind: "paths", paths: affected };
    this.#say("No test uses it.");
    return undefined;
  }

  async #takeOverAsync({ sources }: Refresh): Promise<void> {
    if (sources === undefined) {
      await this.#runners[Symbol.asyncDispose]();
      this.#runners = await runnersAsync(this.#project, this.#surface);
      await this.#watchFilesAsync();
    } else if (sources.length > 0) await this.#runners.changeAsync(sources, this.#surface.signal);
  }

  /** Reads the settings and the project again. */
  async #reopenAsync(): Promise<Wanted> {
    this.#isBroken = true;
    const wishes = await this.#readWishes({ coverage: this.#hasCoverage });
    const project = await WatchedProject.openAsync(wishes, this.#surface);
    await this.#runners[Symbol.asyncDispose]();
    this.#project = project;
    this.#runners = await runnersAsync(project, this.#surface);
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
        const { snapshots } = this.#project.wishes;
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
    return { ...this.#project.wishes, ...this.#changes };
  }

  async #runOnceAsync(wanted: Wanted): Promise<void> {
    this.#last = wanted;
    await this.#guardedAsync(async () => {
      const selection = await this.#selectAsync(wanted);
      if (selection.files.length === 0) return this.#say("None of the chosen tests runs.");
      await this.#runSelectionAsync(selection);
    });
  }

  async #selectAsync(wanted: Wanted): Promise<Selection> {
    const wishes = this.#wishes();
    // --changed counts only for the chosen tests; later runs follow from the changes of files.
    const changed = wanted.kind === "chosen" ? wishes.changed : undefined;
    const selection = await selectTestsAsync(
      { ...wishes, changed, failed: wanted.kind === "failed" || (wanted.kind === "chosen" && wishes.failed) },
      { project: this.#project.opened, history: this.#history, graph: this.#graph },
      this.#surface,
    );
    if (wanted.kind !== "paths") return selection;
    return { ...selection, files: selection.files.filter(({ path }) => wanted.paths.has(path)) };
  }

  async #runSelectionAsync(selection: Selection): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    this.#isFootLast = false;
    const { signal } = this.#surface;
    try {
      await runSelectionAsync(
        {
          wishes: this.#wishes(),
          project: this.#project.opened,
          selection,
          history: this.#history,
          graph: this.#graph,
          newRunner: this.#runners.newRunner,
          signal: AbortSignal.any([signal, running.signal]),
        },
        this.#surface,
      );
    } finally {
      this.#running = undefined;
    }
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

const runnersAsync = async (project: WatchedProject, surface: TestSurface): Promise<KeptRunners> => {
  const made = await newRunnerAsync(project.wishes, project.opened, surface, project);
  if (typeof made !== "function") throw new Error("a watch runs tests in headless Studio only");
  return new KeptRunners(made);
};

function namesText(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_NAMES).map(visibleOnOneLine).join(", ");
  return paths.length > MAX_NAMES ? `${shown} and ${paths.length - MAX_NAMES} more` : shown;
}
