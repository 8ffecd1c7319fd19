/**
 * Reads the files of a project again when they change. If only the sources of scripts have changed, it reads only these files,
 * otherwise the whole project.
 */
import { readFile } from "node:fs/promises";
import { resolve, sep } from "node:path";
import type { TestSurface } from "../test-surface.ts";
import { readPlaceAsync } from "../../../headless/index.ts";
import { discoverAsync } from "../../discovery/discover.ts";
import { testMatcher } from "../../discovery/find-files.ts";
import type { FileChanges } from "../../graph/affected.ts";
import type { SourceChange } from "../../run/runner.ts";
import { type OpenedProject, openProjectAsync } from "../open-project.ts";
import type { TestWishes } from "../test-wishes.ts";
import { textOfByteString } from "../../../util/bytes.ts";
import { pathInside } from "../../../util/path-inside.ts";
import { decodeStrictly } from "../../../util/strict-utf8.ts";
import { mayBelong } from "./watched-paths.ts";

/** The changes since the project was read the last time. */
export interface Refresh extends FileChanges {
  /** New sources for scripts of the open places; undefined if the places have to be opened again. */
  readonly sources: readonly SourceChange[] | undefined;
  /** Paths of removed test files. No other file is assumed to use a test file. */
  readonly removedTests: readonly string[];
}

export class WatchedProject {
  readonly wishes: TestWishes;
  #project: OpenedProject;
  /** The present place; undefined if it is the one that the project has read. */
  #place: Promise<Uint8Array> | undefined;
  #isPlaceOld = false;

  private constructor(wishes: TestWishes, project: OpenedProject) {
    this.wishes = wishes;
    this.#project = project;
  }

  static async openAsync(wishes: TestWishes, surface: TestSurface): Promise<WatchedProject> {
    return new WatchedProject(wishes, await openProjectAsync(wishes, surface));
  }

  get opened(): OpenedProject {
    return this.#project;
  }

  /** The place with all changes of files. */
  readonly placeAsync = (): Promise<Uint8Array> => {
    const { placeFile } = this.wishes;
    if (this.#isPlaceOld && placeFile !== undefined) {
      this.#isPlaceOld = false;
      this.#place = readPlaceAsync(placeFile).then(({ place }) => place);
    }
    return this.#place ?? Promise.resolve(this.#project.place?.place ?? new Uint8Array());
  };

  /** Reads changed files; `paths` are absolute. Undefined if none belongs to the project. Throws if a file cannot be read. */
  async refreshAsync(paths: readonly string[], surface: TestSurface): Promise<Refresh | undefined> {
    const isTest = testMatcher(this.wishes);
    const { contents } = this.#project;
    const known = paths.filter((path) => contents.hashes.has(this.#pathOf(path)));
    const others = paths.filter(
      (path) => !known.includes(path) && mayBelong(path, this.wishes, this.#project, isTest),
    );
    const isAliases = paths.some((path) => path.endsWith(`${sep}.luaurc`));
    if (known.length + others.length === 0 && !isAliases) return undefined;
    const isSimple = others.length === 0 && !isAliases && known.every((path) => this.#isSource(path));
    const quick = isSimple ? await this.#readSourcesAsync(known, isTest) : undefined;
    return quick ?? (await this.#reopenAsync(surface));
  }

  /** True if the file is only the source of scripts of the place, so that a change of it needs no new place. */
  #isSource(path: string): boolean {
    const { place, contents, covered } = this.#project;
    if (place === undefined || covered !== undefined || contents.concernsAll(this.#pathOf(path)))
      return false;
    const scripts = [...place.sources.scripts.values()].filter(({ file }) => file === path);
    return scripts.length > 0 && scripts.every(({ namesakes = [] }) => namesakes.length === 0);
  }

  /** Reads changed sources. Undefined if a file cannot be read as text. */
  async #readSourcesAsync(
    paths: readonly string[],
    isTest: (path: string) => boolean,
  ): Promise<Refresh | undefined> {
    const { contents, place } = this.#project;
    const changed = new Set<string>();
    const sources: SourceChange[] = [];
    for (const file of paths) {
      const bytes = await readFile(file).catch(() => undefined);
      if (bytes === undefined) return undefined;
      const source = decodeStrictly(bytes);
      if (typeof source !== "string") return undefined;
      const path = this.#pathOf(file);
      const before = contents.hashes.get(path);
      contents.add(file, bytes);
      if (contents.hashes.get(path) === before) continue;
      changed.add(path);
      for (const script of place?.sources.scripts.values() ?? [])
        if (script.file === file) sources.push({ instance: script.names, source });
    }
    if (changed.size > 0) this.#isPlaceOld = true;
    // The text of a test file decides about its framework and its context.
    if ([...changed].some(isTest))
      this.#project = {
        ...this.#project,
        ...(await discoverAsync(this.wishes.folder, this.#project.place, this.wishes)),
      };
    return { changed, removed: [], sources, removedTests: [] };
  }

  async #reopenAsync(surface: TestSurface): Promise<Refresh> {
    const before = this.#project.contents.hashes;
    const scripts = this.#scripts();
    const project = await openProjectAsync(this.wishes, surface);
    const after = project.contents.hashes;
    this.#project = project;
    this.#place = undefined;
    this.#isPlaceOld = false;
    const isTest = testMatcher(this.wishes);
    const changed = [...after].flatMap(([path, hash]) => (before.get(path) === hash ? [] : [path]));
    const gone = [...before.keys()].filter((path) => !after.has(path));
    if (changed.length === 0 && gone.length === 0)
      return { changed: new Set(), removed: [], sources: [], removedTests: [] };
    const hasSamePlace =
      Bun.deepEquals(scripts, this.#scripts()) &&
      gone.length === 0 &&
      changed.every((path) => before.has(path) && !project.contents.concernsAll(path));
    return {
      changed: new Set(changed),
      removed: gone.filter((path) => !isTest(path)),
      sources: hasSamePlace ? this.#sourcesOf(new Set(changed)) : undefined,
      removedTests: gone.filter(isTest),
    };
  }

  #sourcesOf(changed: ReadonlySet<string>): readonly SourceChange[] | undefined {
    const scripts = [...(this.#project.place?.sources.scripts.values() ?? [])];
    const ofChanged = scripts.filter(({ file }) => changed.has(this.#pathOf(file)));
    if (this.#project.covered !== undefined || ofChanged.some(({ namesakes }) => namesakes !== undefined))
      return undefined;
    return ofChanged.map(({ names, source }) => ({
      instance: names,
      source: textOfByteString(source),
    }));
  }

  /** The full names of the place's scripts with their files. */
  #scripts(): readonly (readonly [string, string])[] {
    const { place } = this.#project;
    return [...(place?.sources.scripts ?? [])].map(([name, { file }]) => [name, file] as const);
  }

  #pathOf(file: string): string {
    const { folder } = this.wishes;
    return pathInside(folder, resolve(folder, file));
  }
}
