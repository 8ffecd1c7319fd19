/** The graph of one project: it is read from the state folder when it is needed, and written after each run. */
import type { ScriptsUsed } from "../../headless/index.ts";
import type { ProjectContents } from "../graph/contents.ts";
import { joinNeeds, type Needs, needsOf, type NeedsWorld } from "../graph/needs.ts";
import { readGraphAsync, type RequireGraph, writeGraphAsync } from "../graph/require-graph.ts";
import type { TestFile } from "../test-file.ts";
import { projectStateFileAsync } from "./project-state.ts";

export class ProjectGraph {
  readonly #folder: string;
  #graph: RequireGraph | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async readAsync(): Promise<RequireGraph> {
    if (this.#graph !== undefined) return this.#graph;
    const path = await projectStateFileAsync(this.#folder, ".graph.json");
    return (this.#graph = path === undefined ? new Map() : await readGraphAsync(path));
  }

  /**
   * Adds the needs of the files that ran. `tests` are all test files of the project; entries of other files are dropped. If
   * the graph cannot be written, returns the reason instead of throwing, because the results of the run are still valid.
   */
  async addAsync(
    noted: ReadonlyMap<string, Needs>,
    tests: readonly TestFile[],
    contents: ProjectContents,
  ): Promise<string | undefined> {
    if (noted.size === 0) return undefined;
    const path = await projectStateFileAsync(this.#folder, ".graph.json");
    // The file is read again, because another run may have written it meanwhile.
    const before = path === undefined ? await this.readAsync() : await readGraphAsync(path);
    const present = new Set(tests.map((test) => test.path));
    const kept = [...before].filter(([file]) => present.has(file) && !noted.has(file));
    const added = [...noted].map(
      ([file, needs]) => [file, { needs, state: contents.stateOf(file, needs) }] as const,
    );
    this.#graph = new Map([...kept, ...added]);
    try {
      if (path !== undefined) await writeGraphAsync(path, this.#graph);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

/** Collects the needs of the files of one run, over all of their tries. */
export class NotedNeeds {
  readonly byFile = new Map<string, Needs>();
  readonly #world: NeedsWorld;

  constructor(world: NeedsWorld) {
    this.#world = world;
  }

  readonly note = ({ path, modules = {} }: TestFile, used: ScriptsUsed | undefined): void => {
    const needs = needsOf(used, Object.keys(modules), this.#world);
    const before = this.byFile.get(path);
    this.byFile.set(path, before === undefined ? needs : joinNeeds(before, needs));
  };
}
