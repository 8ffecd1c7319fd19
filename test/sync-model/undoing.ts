/** What takes back: Ctrl+Z and redo in Studio, and `sync undo`, which runs the acts of the rules and may be killed. */
import { changedContent, changesOfUndo, namedContent, noteHeld, type Step, type Studio } from "./place.ts";
import type { Act, Look } from "./rules.ts";
import { type Changes, isCompiled, isExistence, keyOf, keysOf, NO, pathOf, textAt } from "./side.ts";
import { type Folder, type LastPlan, type World } from "./world.ts";

type Change = Step["changes"][number];

/** False where Studio has nothing to take back. */
export function undoStep(world: World, studio: Studio, isBySync = false): boolean {
  const step = studio.undo.pop();
  if (step === undefined) return false;
  takeStep(world, studio, step, "undo");
  if (step.push !== undefined && step.isWhole && step.wasUndone !== true) markUndone(studio, step, isBySync);
  step.wasUndone = true;
  studio.redo.push(step);
  return true;
}

export function redoStep(world: World, studio: Studio): boolean {
  const step = studio.redo.pop();
  if (step === undefined) return false;
  takeStep(world, studio, step, "redo");
  const { place } = studio;
  const undone = new Map(place.live.undone);
  for (const { key } of step.changes) undone.delete(`${step.push?.folder} ${key}`);
  place.live = { ...place.live, undone };
  studio.undo.push(step);
  return true;
}

function takeStep(world: World, studio: Studio, step: Step, direction: "undo" | "redo"): void {
  const { place } = studio;
  const changes = changesOfUndo(step, place.live.scripts, world.values, direction);
  place.live = changedContent(
    place.live,
    changes.map(({ key, value }) => [key, value] as const),
  );
  for (const { key, before, after } of step.names)
    place.live = namedContent(place.live, key, direction === "undo" ? before : after);
}

/** Whether a script is there at all stands for the rest of it. */
const isMarked = ({ key }: Change, all: readonly Change[]): boolean =>
  isExistence(key) || !all.some((other) => other.key === keyOf(pathOf(key), "exists"));

function markUndone({ place, life }: Studio, { push, changes }: Step, isSeen: boolean): void {
  if (push === undefined) return;
  const undone = new Map(place.live.undone);
  // What only Studio ever had is a script of Studio again.
  const isNewAgain = ({ key, after }: Change) =>
    after?.text === NO && (place.live.agreed.get(`${push.folder} ${key}`)?.values.length ?? 0) < 2;
  for (const { key } of changes.filter((change) => isExistence(change.key)))
    for (const each of keysOf(pathOf(key))) undone.delete(`${push.folder} ${each}`);
  for (const { key } of changes.filter((change) => isMarked(change, changes) && !isNewAgain(change)))
    undone.set(`${push.folder} ${key}`, { memory: push.memory, life, isSeen });
  place.live = { ...place.live, undone };
}

export interface UndoWay {
  readonly isOfFilesOnly: boolean;
  readonly killedAfter?: number;
}

/** Undefined where it refuses: nothing to take back, or it was changed since. */
export function undoSync(
  world: World,
  folder: Folder,
  way: UndoWay,
  lookAt: (studio: Studio) => Look,
): string[] | undefined {
  const plan = folder.lastPlan;
  if (plan === undefined || !canUndo(folder, plan, way)) return undefined;
  const { studio, step } = plan;
  const pushes = way.isOfFilesOnly ? [] : (step?.changes ?? []).map(({ key }) => key);
  const acts = world.rules.undo(lookAt(studio), {
    pulls: plan.pulled.map(({ key }) => key),
    pushes,
    isOfFilesOnly: way.isOfFilesOnly,
    isUndoneInStudio: step !== undefined && studio.undo.at(-1) !== step,
  });
  const replaced = way.isOfFilesOnly ? [] : replacedInOneWay(world, plan);
  const log: string[] = [];
  let done = 0;
  for (const act of acts) {
    if (done++ === way.killedAfter) return [...log, `killed before ${act.act}`];
    perform(world, folder, plan, act);
    log.push(act.act);
  }
  for (const { key, before } of replaced)
    if (textAt(studio.place.live.scripts, key) !== before?.text)
      world.fault("kept", `${key} = ${before?.text} did not come back with the undo`);
  folder.lastPlan = undefined;
  return log;
}

/** What the push that is Studio's newest step has changed there, and no person has changed since. */
function replacedInOneWay(world: World, { studio, step }: LastPlan): readonly Change[] {
  if (step === undefined || studio.undo.at(-1) !== step || !world.isOneWay) return [];
  const isAsLeft = (path: number) =>
    step.changes.every(
      ({ key, after }) => pathOf(key) !== path || textAt(studio.place.live.scripts, key) === after?.text,
    );
  return step.changes.filter(({ key }) => isCompiled(pathOf(key)) && isAsLeft(pathOf(key)));
}

function canUndo(folder: Folder, { studio, life, pulled, step }: LastPlan, way: UndoWay): boolean {
  if (pulled.some(({ key, after }) => textAt(folder.files, key) !== after?.text)) return false;
  if (way.isOfFilesOnly) return pulled.length > 0;
  if (step === undefined) return pulled.length > 0;
  // A person may have undone it in Studio already.
  return studio.life === life && (studio.undo.at(-1) === step || studio.redo.includes(step));
}

function perform(world: World, folder: Folder, plan: LastPlan, act: Act): void {
  const { studio } = plan;
  switch (act.act) {
    case "save":
      folder.state = act.state;
      break;
    case "name":
      studio.place.live = namedContent(studio.place.live, act.name.key, act.name.name);
      noteHeld(studio, act.name);
      if (act.lasting !== undefined) {
        studio.place.live = namedContent(studio.place.live, act.lasting.key, act.lasting.name);
        noteHeld(studio, act.lasting);
      }
      break;
    case "undoStudio":
      if (plan.step !== undefined && studio.undo.at(-1) === plan.step) undoStep(world, studio, true);
      break;
    case "undoFiles":
      undoFiles(world, folder, plan);
      break;
    case "pull":
    case "push":
      throw new Error("an undo writes nothing new");
  }
}

/** A pull that was taken back leaves a difference, which a person has to decide. */
export function undoFiles(world: World, folder: Folder, { number, pulled, studio }: LastPlan): void {
  // After an undo that was killed the files may have been edited.
  const edited = new Set(
    pulled.flatMap(({ key, after }) => (textAt(folder.files, key) === after?.text ? [] : [pathOf(key)])),
  );
  const own = pulled.filter(({ key }) => !edited.has(pathOf(key)));
  const changes: Changes = own.map(({ key, before }) => {
    const present = keysOf(pathOf(key)).map((each) => folder.files.get(each));
    return [key, before && world.values.make(before.text, [before, ...present])];
  });
  world.changeFiles(folder, changes);
  const { place, life } = studio;
  const undone = new Map(place.live.undone);
  // A place that was opened anew may be from before the pull.
  const isLeft = (change: Change) =>
    place.live.plans.has(number) &&
    isMarked(change, own) &&
    textAt(place.live.scripts, change.key) === change.after?.text;
  for (const { key } of own.filter(isLeft))
    undone.set(`${folder.number} ${key}`, { memory: folder.memory, life, isSeen: true });
  place.live = { ...place.live, undone };
}
