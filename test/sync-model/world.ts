/** The world of a history: folders on machines, places, the Studios that have them open, and one git remote. */
import { type Commit, factsOf, type Repository } from "./git-model.ts";
import { type Fault, newTally, type Tally } from "./judge.ts";
import { changedContent, type Content, EMPTY, type Place, type Step, stepOf, type Studio } from "./place.ts";
import type { GitFacts, Rules, Texts } from "./rules.ts";
import {
  added,
  type Changes,
  type Key,
  keyOf,
  keysOf,
  NO,
  PATHS_OF_PROJECT,
  type Side,
  withChanges,
} from "./side.ts";
import { Values } from "./values.ts";

/** Where the first folder has scripts at the beginning. */
const FIRST_PATHS = [0, 1];

/** A project's folder with the state folder that belongs to it. */
export interface Folder {
  readonly number: number;
  readonly machine: number;
  readonly project: number;
  files: Side;
  git: Repository | undefined;
  state: object | undefined;
  /** Counts how often the state folder was lost or replaced. */
  memory: number;
  lastPlan: LastPlan | undefined;
  backup:
    | { readonly files: Side; readonly git: Repository | undefined; readonly state: object | undefined }
    | undefined;
}

/** What the last sync did, for `sync undo`. */
export interface LastPlan {
  readonly number: number;
  readonly studio: Studio;
  readonly life: number;
  readonly pulled: Step["changes"];
  readonly step: Step | undefined;
}

export class World {
  readonly values = new Values();
  readonly tally: Tally = newTally();
  readonly folders: Folder[] = [];
  readonly places: Place[] = [];
  readonly studios: Studio[] = [];
  /** The newest commit of the remote. */
  origin: Commit | undefined;
  machines = 1;
  /** Whether the settings of every folder say that compiled files only go to Studio. */
  isOneWay = false;
  readonly rules: Rules;
  /** A side that has never had anything. */
  readonly empty: Side;
  readonly #seen = new Map<Key, string[]>();
  #names = 0;
  #lives = 0;

  constructor(rules: Rules) {
    this.rules = rules;
    const nothing = this.values.make(NO, []);
    this.empty = new Map(PATHS_OF_PROJECT.flat().map((path) => [keyOf(path, "exists"), nothing]));
    const folder = this.addFolder({ machine: 0, project: 0, files: this.empty });
    for (const path of FIRST_PATHS) {
      const source = this.seeText(keyOf(path, "source"), this.values.newText());
      this.changeFiles(folder, added(this.empty, path, { source }, this.values) ?? []);
    }
    this.openPlace(this.addPlace({ ...EMPTY, scripts: this.empty }), 0);
  }

  addFolder(facts: Pick<Folder, "machine" | "project" | "files"> & Partial<Pick<Folder, "git">>): Folder {
    const folder: Folder = {
      number: this.folders.length,
      git: undefined,
      state: undefined,
      memory: 0,
      lastPlan: undefined,
      backup: undefined,
      ...facts,
    };
    this.folders.push(folder);
    return folder;
  }

  addPlace(content: Content): Place {
    const place = {
      number: this.places.length,
      live: content,
      saved: [content],
      isTeam: false,
      isPublished: false,
    };
    this.places.push(place);
    return place;
  }

  openPlace(place: Place, machine: number): Studio {
    const studio = { machine, place, life: this.newLife(), held: new Map(), undo: [], redo: [] };
    this.studios.push(studio);
    return studio;
  }

  newLife(): number {
    return ++this.#lives;
  }

  newName(): string {
    return `r${++this.#names}`;
  }

  /** The texts that the source at a path has had anywhere. */
  textsSeen(key: Key): readonly string[] {
    return this.#seen.get(key) ?? [];
  }

  seeText(key: Key, text: string): string {
    this.#seen.set(key, [...this.textsSeen(key), text]);
    return text;
  }

  fault(kind: Fault["kind"], text: string): void {
    this.tally.faults.push({ kind, text });
  }

  changeFiles(folder: Folder, changes: Changes): void {
    folder.files = withChanges(folder.files, changes);
  }

  /** An edit by a person, which Studio can undo. */
  editStudio(studio: Studio, changes: Changes): void {
    studio.undo.push(stepOf(studio.place.live.scripts, changes));
    studio.redo = [];
    studio.place.live = changedContent(studio.place.live, changes);
  }

  pathsOf({ project }: Folder): readonly number[] {
    return PATHS_OF_PROJECT[project] ?? [];
  }
}

export const textsOf = (side: Side, paths: readonly number[]): Texts =>
  new Map(
    paths.flatMap((path) =>
      keysOf(path).flatMap((key) => {
        const value = side.get(key);
        return value === undefined ? [] : [[key, value.text] as const];
      }),
    ),
  );

export const gitOf = ({ git }: Folder): GitFacts | undefined =>
  git === undefined ? undefined : factsOf(git);
