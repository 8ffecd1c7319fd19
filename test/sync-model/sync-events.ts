/** Syncs and their undo, whole and killed. */
import type { Dice, Happen } from "./events.ts";
import { folderAt, pathAt, pick } from "./folder-events.ts";
import type { Studio } from "./place.ts";
import type { Answer } from "./rules.ts";
import { Syncing, type SyncWay } from "./syncing.ts";
import { undoSync } from "./undoing.ts";
import type { Folder, World } from "./world.ts";

const ANSWERS: readonly (Answer | undefined)[] = ["files", "studio", "both", undefined];
/** No sync of the model has more acts. */
const MOST_ACTS = 12;

/** In a third of the syncs a person answers, in a third no person is there, and in a third of them that stops everything. */
const wayOf = ({ how }: Dice): SyncWay => ({
  gitFails: false,
  isAllOrNothing: how % 3 === 0,
  ...(how % 3 === 1 ? { answer: (index: number) => pick(ANSWERS, (how >> 4) + index * 7) } : {}),
});

function syncWith(world: World, dice: Dice, more: Partial<SyncWay> = {}): string | undefined {
  const folder = folderAt(world, dice);
  const studio = folder && studioFor(world, folder, dice);
  if (folder === undefined || studio === undefined) return undefined;
  const syncing = new Syncing(world, folder, studio, { ...wayOf(dice), ...more });
  const outcome = syncing.run();
  if (outcome === "done" && dice.how % 4 === 0) syncAgain(world, folder, studio);
  const name = `sync of folder ${folder.number} with studio ${world.studios.indexOf(studio)}`;
  return `${name}: ${[...syncing.log, outcome].join("; ")}`;
}

/** A Studio of the same machine. */
const studioFor = ({ studios }: World, { machine }: Folder, { studio }: Dice): Studio | undefined => {
  const near = studios.filter((each) => each.machine === machine);
  return near.length === 0 ? undefined : pick(near, studio);
};

function syncAgain(world: World, folder: Folder, studio: Studio): void {
  const again = new Syncing(world, folder, studio, { gitFails: false, isAllOrNothing: false });
  again.run();
  const done = again.log.filter((line) => /^(pull|push)|open:/.test(line));
  if (done.length > 0) world.fault("restless", `a second sync: ${done.join("; ")}`);
}

const sync: Happen = (world, dice) => syncWith(world, dice);
const killedSync: Happen = (world, dice) =>
  syncWith(world, { ...dice, how: dice.how | 1 }, { killedAfter: (dice.how >> 6) % MOST_ACTS });
const refusedSync: Happen = (world, dice) => {
  const folder = folderAt(world, dice);
  return folder && syncWith(world, dice, refusal(world, folder, dice));
};
const refusal = (world: World, folder: Folder, dice: Dice): Partial<SyncWay> => {
  const refusedPath = pathAt(world, folder, dice);
  return (dice.how >> 3) % 2 === 0
    ? { refusedPath }
    : { refusedPath, killedAfter: (dice.how >> 6) % MOST_ACTS };
};
const gitlessSync: Happen = (world, dice) => syncWith(world, dice, { gitFails: true });

function undoWith(world: World, dice: Dice, killedAfter?: number): string | undefined {
  const folder = folderAt(world, dice);
  if (folder === undefined) return undefined;
  const isOfFilesOnly = dice.how % 3 === 0;
  const way = { isOfFilesOnly, ...(killedAfter === undefined ? {} : { killedAfter }) };
  const lookAt = (studio: Studio) =>
    new Syncing(world, folder, studio, { gitFails: false, isAllOrNothing: false }).look();
  const log = undoSync(world, folder, way, lookAt);
  return log && `sync undo${isOfFilesOnly ? " --files" : ""} of folder ${folder.number}: ${log.join("; ")}`;
}
const undoEvent: Happen = (world, dice) => undoWith(world, dice);
const killedUndo: Happen = (world, dice) => undoWith(world, dice, (dice.how >> 6) % 4);

export const SYNC_EVENTS = {
  sync,
  killedSync,
  refusedSync,
  gitlessSync,
  undoSync: undoEvent,
  killedUndo,
} satisfies Record<string, Happen>;
