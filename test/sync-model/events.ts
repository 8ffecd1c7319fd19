/**
 * What can happen in a history. An event is a kind and four numbers, which each kind reads in its own way; an event that
 * cannot happen in the world as it is does nothing. So any part of a history is a history, and the same one every time.
 */
import type { Random } from "../simulator/random.ts";
import { FOLDER_EVENTS } from "./folder-events.ts";
import { STUDIO_EVENTS } from "./studio-events.ts";
import { SYNC_EVENTS } from "./sync-events.ts";
import type { World } from "./world.ts";

export interface Dice {
  /** Which folder. */
  readonly folder: number;
  /** Which Studio, or which of the others. */
  readonly studio: number;
  /** Which script. */
  readonly script: number;
  /** All else. */
  readonly how: number;
}
/** Says what has happened; undefined where it could not. */
export type Happen = (world: World, dice: Dice) => string | undefined;

const EVENTS = { ...FOLDER_EVENTS, ...STUDIO_EVENTS, ...SYNC_EVENTS };
export type EventKind = keyof typeof EVENTS;
export interface Event extends Dice {
  readonly kind: EventKind;
}

export const happen = (world: World, event: Event): string | undefined => EVENTS[event.kind](world, event);

type Weights = { readonly [Kind in EventKind]?: number };

const EDITS: Weights = {
  editFile: 6,
  flagFile: 2,
  addFile: 1,
  removeFile: 1,
  editStudio: 6,
  flagStudio: 2,
  addStudio: 1,
  removeStudio: 1,
  sync: 14,
};
const LIVES: Weights = { save: 4, reopen: 3, reopenOlder: 1, reloadPlugin: 1 };
const UNDOS: Weights = { ctrlZ: 4, redo: 2, undoSync: 2 };
const GIT: Weights = {
  commit: 4,
  stage: 1,
  checkout: 2,
  restoreFile: 1,
  moveFile: 1,
  pushOrigin: 2,
  pullOrigin: 2,
  squash: 1,
  cloneFolder: 1,
};
const PLACES: Weights = { copyPlace: 2, newPlace: 1, publish: 1, otherProject: 1, copyFolder: 1 };
const TEAM: Weights = { makeTeam: 2, restoreVersion: 1, cloneFolder: 2, copyFolder: 1 };
const KILLS: Weights = { killedSync: 6, refusedSync: 2, killedUndo: 1 };
const MEMORY: Weights = { backUp: 2, restoreState: 1, loseState: 1, restoreFolder: 1, gitlessSync: 1 };

const ONE_WAY: Weights = { oneWay: 6, editStudio: 12, removeStudio: 3, flagStudio: 4 };

/** Each history is of one of these mixes, so that few kinds of events meet often. */
const MIXES: readonly Weights[] = [
  { ...EDITS, ...LIVES },
  { ...EDITS, ...LIVES, ...UNDOS },
  { ...EDITS, ...LIVES, ...KILLS },
  { ...EDITS, ...LIVES, ...GIT, ...MEMORY },
  { ...EDITS, ...LIVES, ...PLACES, ...GIT },
  { ...EDITS, ...LIVES, ...TEAM, ...GIT },
  { ...EDITS, ...LIVES, ...UNDOS, ...KILLS, ...TEAM },
  { ...EDITS, ...LIVES, ...PLACES, ...MEMORY, ...UNDOS },
  { ...EDITS, ...LIVES, ...UNDOS, ...GIT, ...PLACES, ...TEAM, ...KILLS, ...MEMORY },
  { ...EDITS, ...LIVES, ...UNDOS, ...ONE_WAY },
  { ...EDITS, ...LIVES, ...UNDOS, ...GIT, ...PLACES, ...TEAM, ...KILLS, ...MEMORY, ...ONE_WAY },
];

const LENGTHS = [8, 16, 28, 40];

export function eventsOf(random: Random): Event[] {
  const mix = Object.entries(MIXES[random.below(MIXES.length)] ?? EDITS);
  const total = mix.reduce((sum, [, weight]) => sum + weight, 0);
  const length = LENGTHS[random.below(LENGTHS.length)] ?? 16;
  return Array.from({ length }, () => {
    let at = random.below(total);
    const [kind = "sync"] = mix.find(([, weight]) => (at -= weight) < 0) ?? [];
    const [folder, studio, script, how] = [
      random.below(64),
      random.below(64),
      random.below(64),
      random.below(1 << 20),
    ];
    return { kind: isKind(kind) ? kind : "sync", folder, studio, script, how };
  });
}

const isKind = (kind: string): kind is EventKind => kind in EVENTS;
