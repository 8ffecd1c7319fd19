/** The tests of one project in a watch. Its place stays open between runs. */
import { affectedBy } from "../../graph/affected.ts";
import { ProjectGraph } from "../project-graph.ts";
import { ProjectHistory } from "../project-history.ts";
import { newRunnerAsync } from "../run-project.ts";
import { runSelectionAsync } from "../run-selection.ts";
import { type Selection, selectTestsAsync } from "../select-tests.ts";
import type { TestSurface } from "../test-surface.ts";
import type { TestWishes } from "../test-wishes.ts";
import { KeptRunners } from "./kept-runners.ts";
import { isSettingsOf } from "./watch-subject.ts";
import type { Changes, Wanted, WatchSubject } from "./watch-subject.ts";
import { type Refresh, WatchedProject } from "./watched-project.ts";
import { watchedPathsAsync } from "./watched-paths.ts";

export class OneProject implements WatchSubject {
  readonly #surface: TestSurface;
  readonly #project: WatchedProject;
  readonly #history: ProjectHistory;
  readonly #graph: ProjectGraph;
  #runners: KeptRunners;

  private constructor(
    surface: TestSurface,
    project: WatchedProject,
    history: ProjectHistory,
    runners: KeptRunners,
  ) {
    this.#surface = surface;
    this.#project = project;
    this.#history = history;
    this.#graph = new ProjectGraph(project.wishes.folder);
    this.#runners = runners;
  }

  static async openAsync(wishes: TestWishes, surface: TestSurface): Promise<OneProject> {
    const project = await WatchedProject.openAsync(wishes, surface);
    const history = await ProjectHistory.openAsync(wishes.folder, wishes);
    return new OneProject(surface, project, history, await runnersAsync(project, surface));
  }

  get wishes(): TestWishes {
    return this.#project.wishes;
  }

  get countsLines(): boolean {
    return this.#project.opened.covered !== undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runners[Symbol.asyncDispose]();
  }

  watchedPathsAsync(): ReturnType<WatchSubject["watchedPathsAsync"]> {
    return watchedPathsAsync(this.wishes, this.#project.opened);
  }

  isSettings(paths: readonly string[]): boolean {
    return paths.some((path) => isSettingsOf(this.wishes, path));
  }

  async refreshAsync(paths: readonly string[]): Promise<Changes | undefined> {
    const refresh = await this.#project.refreshAsync(paths, this.#surface);
    if (refresh === undefined) return undefined;
    await this.#takeOverAsync(refresh);
    const { files, contents } = this.#project.opened;
    const { files: affected, why } = affectedBy(refresh, files, await this.#graph.readAsync(), contents);
    const { changed, removed, removedTests } = refresh;
    return {
      names: [...changed, ...removed, ...removedTests],
      removedTests,
      affected,
      why,
      isPlaceNew: refresh.sources === undefined,
    };
  }

  async runAsync(wanted: Wanted, changes: Partial<TestWishes>, signal: AbortSignal): Promise<boolean> {
    const wishes = { ...this.wishes, ...changes };
    const selection = await this.#selectAsync(wanted, wishes);
    if (selection.files.length === 0) return false;
    await runSelectionAsync(
      {
        wishes,
        project: this.#project.opened,
        selection,
        history: this.#history,
        graph: this.#graph,
        newRunner: this.#runners.newRunner,
        signal,
      },
      this.#surface,
    );
    return true;
  }

  async #takeOverAsync({ sources }: Refresh): Promise<void> {
    if (sources === undefined) {
      await this.#runners[Symbol.asyncDispose]();
      this.#runners = await runnersAsync(this.#project, this.#surface);
    } else if (sources.length > 0) await this.#runners.changeAsync(sources, this.#surface.signal);
  }

  async #selectAsync(wanted: Wanted, wishes: TestWishes): Promise<Selection> {
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
}

const runnersAsync = async (project: WatchedProject, surface: TestSurface): Promise<KeptRunners> => {
  const made = await newRunnerAsync(project.wishes, project.opened, surface, project);
  if (typeof made !== "function") throw new Error("a watch runs tests in headless Studio only");
  return new KeptRunners(made);
};
