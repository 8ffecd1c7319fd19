/** `sb sync --watch`: syncs a project and a Studio whenever one of them changes, until Ctrl+C. */
import { dirname, extname } from "node:path";
import type { StudioSurface } from "../sync-surface.ts";
import { loadFileSchemaAsync } from "../../headless/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { runSyncAsync, type SyncRun, type SyncWishes } from "../run-sync.ts";
import { syncStateAsync } from "../state-paths.ts";
import type { PlanItem } from "../types.ts";
import { gitFolderAsync, gitStateAsync, type GitState } from "./git-state.ts";
import { ProjectWatch, type WatchedPaths } from "../../files/project-watch.ts";
import { expectLongRun } from "../../util/long-run.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import {
  type EarlierPlace,
  openSessionAsync,
  type SessionCounterpart,
} from "../studio/session-counterpart.ts";
import { studioLinkOf, type StudioLink } from "../studio/studio-link.ts";
import { isHeldBack } from "../held-back.ts";
import { PersonWatch } from "./person-watch.ts";
import { linkTo, otherStudiosAsync, sessionAgainAsync, watchStudioAsync } from "./studio-watch.ts";
import { QuickSync } from "./quick-sync.ts";
import { WatchLoop, type Changes, type Pause } from "./watch-loop.ts";
import { WatchReport } from "./watch-report.ts";

/** What other syncs call this one. */
const COMMAND = "sb sync --watch";
/** So that a person who saves one file after the other does not wait for a whole sync. */
const WHOLE_AFTER_MS = 30_000;
/** After what could not be synced, where no further change may come that would bring it up again. */
const RETRY_AFTER_MS = 2_000;
/** How often git's lock is looked at while git is at work. */
const GIT_POLL_MS = 200;
/** After a checkout the files are read when none has changed for so long. */
const GIT_QUIET_MS = 1_000;

/** Returns when the signal fires. Throws what `openSessionAsync` throws. */
export async function watchSyncAsync(wishes: SyncWishes, surface: StudioSurface): Promise<void> {
  expectLongRun();
  const schema = await loadFileSchemaAsync();
  const gitFolder = await gitFolderAsync(dirname(wishes.projectFile));
  const watched = new WatchedSync(wishes, surface, schema, gitFolder);
  await using _watched = watched;
  await watched.runAsync(studioLinkOf(surface));
}

class WatchedSync implements AsyncDisposable {
  readonly #wishes: SyncWishes;
  readonly #surface: StudioSurface;
  readonly #schema: FileSchema;
  readonly #gitFolder: string | undefined;
  readonly #report: WatchReport;
  readonly #loop: WatchLoop;
  readonly #person: PersonWatch;
  #studio: SessionCounterpart | undefined;
  #listening: AsyncDisposable | undefined;
  /** Sessions that have ended since the watched place went away; undefined while it is there. */
  #ended: Set<string> | undefined;
  #files: ProjectWatch | undefined;
  #paths = "";
  #quick: QuickSync | undefined;
  #later: Timer | undefined;
  #gitMark: string | undefined;
  #filesChangedMs = Number.NEGATIVE_INFINITY;
  #pauses: ReadonlySet<Pause> = new Set();
  /** The large plan that a person was asked about last. */
  #askedFor = "";
  /** Why the last sync has ended early, for people; empty where it has not. */
  #fault = "";

  constructor(wishes: SyncWishes, surface: StudioSurface, schema: FileSchema, gitFolder: string | undefined) {
    this.#wishes = wishes;
    this.#surface = surface;
    this.#schema = schema;
    this.#gitFolder = gitFolder;
    this.#report = new WatchReport(surface);
    // What was refused is tried again when the person allows something else.
    this.#person = new PersonWatch(surface.bridge, surface.session, () => this.#loop.changed());
    this.#loop = new WatchLoop({
      syncAsync: (changes) => this.#syncAsync(changes),
      paused: (pauses) => this.#paused(pauses),
    });
  }

  async runAsync(link: StudioLink): Promise<void> {
    await this.#openAllowedAsync(link);
    if (this.#surface.signal.aborted) return;
    this.#gitMark = (await this.#gitAsync())?.mark;
    this.#report.say("Watching files and Studio; Ctrl+C ends.");
    await this.#loop.runAsync(this.#surface.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#later);
    this.#person[Symbol.dispose]();
    this.#files?.[Symbol.dispose]();
    await this.#closeAsync();
  }

  // Studio -----------------------------------------------------------------------------------------------------------

  /** Waits where the person at Studio allows not even that. */
  async #openAllowedAsync(link: StudioLink, earlier?: EarlierPlace): Promise<void> {
    const { signal } = this.#surface;
    this.#person.follow(link.session);
    while (!signal.aborted) {
      const changed = this.#person.untilChangedAsync(signal);
      try {
        return await this.#openAsync(link, earlier);
      } catch (error) {
        if (!(error instanceof StudioBridgeError && isHeldBack(error))) throw error;
        await this.#closeAsync();
        this.#report.say(sentences(error.message, "Waiting until they decide otherwise."));
        await changed;
      }
    }
  }

  async #openAsync(known: StudioLink, earlier: EarlierPlace | undefined): Promise<void> {
    const person = this.#person;
    // With the level of the moment, because it says whether a plan must be told before it is begun.
    const link: StudioLink = {
      ...known,
      get session() {
        return person.session;
      },
    };
    this.#studio = await openSessionAsync(this.#wishes.projectFile, link, earlier);
    this.#listening = await watchStudioAsync(this.#surface.bridge, link, {
      changed: (typing) => this.#loop.studioChanged(typing),
      editing: (isEdited) => (isEdited ? this.#loop.resume("play") : this.#loop.pause("play")),
      gone: () => void this.#reopenAsync(link),
    });
  }

  async #closeAsync(): Promise<void> {
    const [studio, listening] = [this.#studio, this.#listening];
    this.#listening = undefined;
    await listening?.[Symbol.asyncDispose]();
    await studio?.[Symbol.asyncDispose]();
  }

  /** Goes on with the same place when it is back. What was changed in between is found by its content. */
  async #reopenAsync({ session }: StudioLink): Promise<void> {
    // A session that was only looked at is never the one to wait for.
    if (this.#ended !== undefined) return void this.#ended.add(session.sessionId);
    const ended = (this.#ended = new Set<string>());
    this.#loop.pause("studio");
    this.#quick = undefined;
    const { bridge, signal } = this.#surface;
    // Before anything else takes time, because the Studio that was started again is none of them.
    const others = await otherStudiosAsync(bridge, session);
    await this.#closeAsync();
    const place = this.#studio?.place;
    for (;;) {
      const again = await sessionAgainAsync(bridge, session, others, signal);
      if (again === undefined) return;
      try {
        const isSameWindow = again.instanceId === session.instanceId;
        const earlier = place === undefined ? undefined : { place, isSameWindow };
        await this.#openAllowedAsync(linkTo(again, this.#surface), earlier);
        if (signal.aborted) return;
        const isSamePlace = Bun.deepEquals(this.#studio?.place, place);
        if (isSamePlace && !ended.has(again.sessionId)) break;
        if (!isSamePlace)
          this.#report.say(
            `${visibleOnOneLine(again.placeName)} is another place; waiting for the one before.`,
          );
      } catch (error) {
        if (!(error instanceof StudioBridgeError)) throw error;
        this.#report.say(error.message);
      }
      await this.#closeAsync();
      others.add(again.sessionId);
    }
    this.#ended = undefined;
    this.#loop.resume("play");
    this.#loop.resume("studio");
  }

  // Syncing ----------------------------------------------------------------------------------------------------------

  async #syncAsync(changes: Changes): Promise<void> {
    if (await this.#isGitAtWorkAsync()) return;
    try {
      if (!(await this.#isQuickAsync(changes))) await this.#syncAllAsync(changes.typing);
      this.#fault = "";
    } catch (error) {
      if (!(error instanceof StudioBridgeError)) throw error;
      if (isHeldBack(error)) this.#heldBack(error);
      else this.#failed(sentences(error.message, error.hint));
    }
    this.#summarize();
  }

  /** A file is half written, another sync is at work, or Studio has just gone: it is tried again, and said once. */
  #failed(fault: string): void {
    this.#faulty(fault);
    clearTimeout(this.#later);
    this.#later = setTimeout(() => this.#loop.changed(), RETRY_AFTER_MS);
  }

  /** The person at Studio decides when it is tried again: until then each try would only be one more that is refused. */
  #heldBack({ message }: StudioBridgeError): void {
    clearTimeout(this.#later);
    this.#faulty(sentences(message, "It is tried again when they decide otherwise."));
  }

  #faulty(fault: string): void {
    this.#quick = undefined;
    if (this.#surface.signal.aborted) return;
    if (fault !== this.#fault) this.#report.say(fault);
    this.#fault = fault;
  }

  /** Whether the sources of single scripts were all that had changed, and are on both sides now. */
  async #isQuickAsync(changes: Changes): Promise<boolean> {
    const results = await this.#quick?.syncAsync(changes);
    if (results === undefined) return false;
    this.#report.tellChanges(results);
    // When there is time for it, a whole sync reads back what was written, and writes the base anew.
    clearTimeout(this.#later);
    if (results.length > 0) this.#later = setTimeout(() => this.#loop.changed(), WHOLE_AFTER_MS);
    return true;
  }

  async #syncAllAsync(typing: ReadonlySet<string>): Promise<void> {
    clearTimeout(this.#later);
    this.#quick = undefined;
    const run = await this.#runAsync(typing, undefined);
    this.#report.tell(run);
    // What the run has read back is not told again.
    if (run.hasMore === true) this.#loop.changed();
    const large = largePlan(run.plan);
    if (large !== undefined && (await this.#allowsAsync(large)))
      this.#report.tell(await this.#runAsync(typing, large));
    this.#watchFiles(run);
    const { signal, caller } = this.#surface;
    const state = await syncStateAsync(this.#wishes.projectFile);
    // A script that a person types in now was left out, so the next change needs a whole sync again.
    if (this.#studio !== undefined && typing.size === 0)
      this.#quick = await QuickSync.afterAsync(run, {
        studio: this.#studio,
        state,
        command: COMMAND,
        callerId: caller.id,
        signal,
        allowsOutside: this.#wishes.allowsOutside,
      });
  }

  #runAsync(typing: ReadonlySet<string>, allowed: LargePlan | undefined): Promise<SyncRun> {
    const { signal, caller } = this.#surface;
    const studio = this.#studio;
    if (studio === undefined) throw new StudioBridgeError("SESSION_GONE", "Studio is gone.");
    return runSyncAsync(
      {
        ...this.#wishes,
        isPartial: true,
        overrides: [...typing].map((to) => ({ to, direction: "skip" })),
        isWatched: true,
        allowedRemovals: allowed?.removals ?? this.#wishes.allowedRemovals,
        allowedOverwrites: allowed?.overwrites ?? this.#wishes.allowedOverwrites,
      },
      studio,
      {
        schema: this.#schema,
        signal,
        command: COMMAND,
        callerId: caller.id,
        // A line for each run would take the place of the summary.
        status: () => {},
      },
    );
  }

  /** Asks a person once for each such plan. */
  async #allowsAsync({ detail }: LargePlan): Promise<boolean> {
    if (detail === this.#askedFor) return false;
    this.#askedFor = detail;
    const answer = await this.#surface.confirmAsync?.(sentences(detail, "Do that?"));
    if (answer === undefined) this.#report.say(sentences(detail, "Decide with `sb sync`."));
    return answer === true;
  }

  // Files ------------------------------------------------------------------------------------------------------------

  /** Watches the folders that the project names now. */
  #watchFiles({ plan }: SyncRun): void {
    const paths = watchedPaths(this.#wishes.projectFile, [...plan.pairs.keys()], plan.items);
    const text = JSON.stringify(paths);
    if (text === this.#paths) return;
    this.#files?.[Symbol.dispose]();
    this.#files = new ProjectWatch(paths, (changed) => {
      this.#filesChangedMs = performance.now();
      this.#loop.filesChanged(changed);
    });
    this.#paths = text;
    // What changed before the watching began is found by reading once more.
    this.#loop.changed();
  }

  // git --------------------------------------------------------------------------------------------------------------

  async #gitAsync(): Promise<GitState | undefined> {
    return this.#gitFolder === undefined ? undefined : gitStateAsync(this.#gitFolder);
  }

  /** Pauses while git writes, and after HEAD has moved until the files are quiet. */
  async #isGitAtWorkAsync(): Promise<boolean> {
    const git = await this.#gitAsync();
    if (git === undefined || (!git.isBusy && git.mark === this.#gitMark)) return false;
    this.#loop.pause("git");
    void this.#resumeAfterGitAsync();
    return true;
  }

  async #resumeAfterGitAsync(): Promise<void> {
    const { signal } = this.#surface;
    for (;;) {
      await Bun.sleep(GIT_POLL_MS);
      const git = await this.#gitAsync();
      if (signal.aborted) return;
      const isQuiet = performance.now() - this.#filesChangedMs > GIT_QUIET_MS;
      const isStill = git === undefined || (!git.isBusy && git.mark === this.#gitMark);
      if (git !== undefined && git.mark !== this.#gitMark) {
        this.#report.say(`git is at ${visibleOnOneLine(git.head)} now.`);
        this.#gitMark = git.mark;
      } else if (isStill && isQuiet) return this.#loop.resume("git");
    }
  }

  // Telling ----------------------------------------------------------------------------------------------------------

  #paused(pauses: ReadonlySet<Pause>): void {
    this.#pauses = pauses;
    if (pauses.size > 0) this.#summarize();
  }

  #summarize(): void {
    if (!this.#surface.signal.aborted)
      this.#report.summarize(this.#studio?.label ?? this.#surface.session.placeName, {
        pauses: this.#pauses,
        isSynced: this.#fault === "",
      });
  }
}

/** What a person must agree to. */
interface LargePlan {
  readonly detail: string;
  readonly removals: number | undefined;
  readonly overwrites: number | undefined;
}

function largePlan({ massRemoval, manyOverwrites }: SyncRun["plan"]): LargePlan | undefined {
  const details = [massRemoval?.detail, manyOverwrites?.detail].filter((detail) => detail !== undefined);
  if (details.length === 0) return undefined;
  return {
    detail: details.join(", and "),
    removals: massRemoval?.count,
    overwrites: manyOverwrites?.count,
  };
}

/** The words of others end with or without a full stop. */
const sentences = (first: string, second = ""): string =>
  second === "" ? first : `${first}${/[.?!]$/.test(first) ? "" : "."} ${second}`;

/** The project files, and what their nodes name by `$path`. */
function watchedPaths(
  projectFile: string,
  nodes: readonly RojoNode[],
  items: readonly PlanItem[],
): WatchedPaths {
  const files = new Set([projectFile]);
  const folders = new Set<string>();
  for (const { origin } of [...nodes, ...items.flatMap(({ file }) => file ?? [])]) {
    if (origin === undefined) continue;
    files.add(origin.projectFile);
    for (const { path } of [origin.project, ...(origin.nested ?? [])].flatMap((node) => node ?? [])) {
      if (path === undefined) continue;
      if (extname(path) === "") folders.add(path);
      else files.add(path);
    }
  }
  return { folders: [...folders].sort(), files: [...files].sort() };
}
