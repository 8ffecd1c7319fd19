/**
 * The tests of several projects, or of one with several suites, in a watch. Each run opens the places of the projects whose
 * tests it runs anew, because it shares its Studios among them.
 */
import { join } from "node:path";
import type { WatchedPaths } from "../../../files/project-watch.ts";
import { affectedBy } from "../../graph/affected.ts";
import { ProjectGraph } from "../project-graph.ts";
import type { TestSurface } from "../test-surface.ts";
import type { TestWishes } from "../test-wishes.ts";
import { isSettingsOf } from "../watch/watch-subject.ts";
import type { Changes, Wanted, WatchSubject } from "../watch/watch-subject.ts";
import { WatchedProject } from "../watch/watched-project.ts";
import { watchedPathsAsync } from "../watch/watched-paths.ts";
import { listedFile } from "./member.ts";
import type { Member } from "./member.ts";
import { runSeveralAsync } from "./run-several.ts";
import type { SeveralWishes } from "./run-several.ts";

interface WatchedMember {
  readonly member: Member;
  readonly project: WatchedProject;
}

export class WatchedMembers implements WatchSubject {
  readonly #surface: TestSurface;
  readonly #several: SeveralWishes;
  readonly #members: readonly WatchedMember[];

  private constructor(surface: TestSurface, several: SeveralWishes, members: readonly WatchedMember[]) {
    this.#surface = surface;
    this.#several = several;
    this.#members = members;
  }

  static async openAsync(several: SeveralWishes, surface: TestSurface): Promise<WatchedMembers> {
    const members: WatchedMember[] = [];
    for (const member of several.members) {
      members.push({ member, project: await WatchedProject.openAsync(member.wishes, surface) });
    }
    return new WatchedMembers(surface, several, members);
  }

  get wishes(): TestWishes {
    return this.#several.members[0].wishes;
  }

  get countsLines(): boolean {
    return this.#members.some(({ project }) => project.opened.covered !== undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async watchedPathsAsync(): Promise<WatchedPaths> {
    const each = await Promise.all(
      this.#members.map(({ project }) => watchedPathsAsync(project.wishes, project.opened)),
    );
    const all = (list: (paths: WatchedPaths) => readonly string[] | undefined): readonly string[] =>
      [...new Set(each.flatMap((paths) => list(paths) ?? []))].sort();
    return {
      folders: all(({ folders }) => folders),
      links: all(({ links }) => links),
      shallow: all(({ shallow }) => shallow),
      files: [...all(({ files }) => files), join(this.#several.folder, "sb.config.json")],
    };
  }

  isSettings(paths: readonly string[]): boolean {
    return this.#members.some(({ member }) => paths.some((path) => isSettingsOf(member.wishes, path)));
  }

  async refreshAsync(paths: readonly string[]): Promise<Changes | undefined> {
    const all: Changes[] = [];
    for (const { member, project } of this.#members) {
      const refresh = await project.refreshAsync(paths, this.#surface);
      if (refresh === undefined) continue;
      const { files, contents } = project.opened;
      const graph = await new ProjectGraph(member.wishes.folder).readAsync();
      const { files: affected, why } = affectedBy(refresh, files, graph, contents);
      const { changed, removed, removedTests } = refresh;
      const named = (list: Iterable<string>) => Array.from(list, (path) => `${member.prefix}${path}`);
      all.push({
        names: named([...changed, ...removed, ...removedTests]),
        removedTests: named(removedTests),
        affected: new Set(Array.from(affected, (path) => listedFile(member, path))),
        why,
        isPlaceNew: refresh.sources === undefined,
      });
    }
    if (all.length === 0) return undefined;
    return {
      names: [...new Set(all.flatMap(({ names }) => names))],
      removedTests: [...new Set(all.flatMap(({ removedTests }) => removedTests))],
      affected: new Set(all.flatMap(({ affected }) => [...affected])),
      why: all.find(({ why }) => why !== undefined)?.why,
      isPlaceNew: all.some(({ isPlaceNew }) => isPlaceNew),
    };
  }

  async runAsync(wanted: Wanted, changes: Partial<TestWishes>, signal: AbortSignal): Promise<boolean> {
    const members = this.#members.flatMap((each) => this.#chosen(each, wanted, changes));
    const [first, ...others] = members;
    if (first === undefined) return false;
    await runSeveralAsync({ ...this.#several, members: [first, ...others] }, { ...this.#surface, signal });
    return true;
  }

  /** The member with the options of a run; nothing if none of its tests is in it. */
  #chosen({ member, project }: WatchedMember, wanted: Wanted, changes: Partial<TestWishes>): Member[] {
    // The program of test.before has run when the watch began.
    const wishes = { ...member.wishes, ...changes, before: undefined };
    if (wanted.kind === "chosen") return [{ ...member, wishes }];
    const options = { ...wishes, changed: undefined };
    if (wanted.kind === "failed") return [{ ...member, wishes: { ...options, failed: true } }];
    const files = project.opened.files
      .filter(({ path }) => wanted.paths.has(listedFile(member, path)))
      .map(({ path }) => join(member.wishes.folder, path));
    return files.length === 0 ? [] : [{ ...member, wishes: { ...options, failed: false, files } }];
  }
}
