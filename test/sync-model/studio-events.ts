/** What people do in Studio and with places. */
import type { Dice, Happen } from "./events.ts";
import { nextText, pick } from "./folder-events.ts";
import { beginLife, type Content, EMPTY, type Studio } from "./place.ts";
import { added, type Changes, edited, FLAGS, hasScript, keyOf, PATHS_OF_PROJECT, removed } from "./side.ts";
import { redoStep, undoStep } from "./undoing.ts";
import type { World } from "./world.ts";

export const studioAt = ({ studios }: World, { studio }: Dice): Studio | undefined => pick(studios, studio);
const nameOf = (world: World, studio: Studio): string =>
  `studio ${world.studios.indexOf(studio)} (place ${studio.place.number})`;

function change(
  world: World,
  dice: Dice,
  act: (studio: Studio, path: number) => Changes | undefined,
): string | undefined {
  const studio = studioAt(world, dice);
  if (studio === undefined) return undefined;
  // Most of what people edit is of the first project.
  const path = pick([...PATHS_OF_PROJECT[0], ...PATHS_OF_PROJECT.flat()], dice.script) ?? 0;
  const changes = act(studio, path);
  if (changes === undefined) return undefined;
  world.editStudio(studio, changes);
  return `${nameOf(world, studio)}: ${changes.map(([key, value]) => `${key} = ${value?.text ?? "-"}`).join(", ")}`;
}

const scriptsOf = ({ place }: Studio) => place.live.scripts;

const editStudio: Happen = (world, dice) =>
  change(world, dice, (studio, path) => {
    const key = keyOf(path, "source");
    if (!hasScript(scriptsOf(studio), path)) return undefined;
    return edited(scriptsOf(studio), key, nextText(world, key, dice), world.values);
  });
const flagStudio: Happen = (world, dice) =>
  change(world, dice, (studio, path) =>
    edited(scriptsOf(studio), keyOf(path, "flag"), pick(FLAGS, dice.how) ?? "0", world.values),
  );
const addStudio: Happen = (world, dice) =>
  change(world, dice, (studio, path) =>
    added(scriptsOf(studio), path, { source: nextText(world, keyOf(path, "source"), dice) }, world.values),
  );
const removeStudio: Happen = (world, dice) =>
  change(world, dice, (studio, path) => removed(scriptsOf(studio), path, world.values));

const ctrlZ: Happen = (world, dice) => {
  const studio = studioAt(world, dice);
  return studio !== undefined && undoStep(world, studio) ? `${nameOf(world, studio)}: Ctrl+Z` : undefined;
};
const redo: Happen = (world, dice) => {
  const studio = studioAt(world, dice);
  return studio !== undefined && redoStep(world, studio) ? `${nameOf(world, studio)}: redo` : undefined;
};

const save: Happen = (world, dice) => {
  const studio = studioAt(world, dice);
  if (studio === undefined) return undefined;
  studio.place.saved.push(studio.place.live);
  return `${nameOf(world, studio)}: save`;
};

/** Without saving. A shared place always has what was done last. */
const reopen: Happen = (world, dice) => {
  const studio = studioAt(world, dice);
  if (studio === undefined) return undefined;
  const { place } = studio;
  if (!place.isTeam) place.live = place.saved.at(-1) ?? place.live;
  beginLife(studio, world.newLife(), true);
  return `${nameOf(world, studio)}: close without saving, open again`;
};
/** An older save, an autosave, or a version of a published place. */
const reopenOlder: Happen = (world, dice) => {
  const studio = studioAt(world, dice);
  if (studio === undefined || studio.place.isTeam) return undefined;
  const older = pick(studio.place.saved, dice.how);
  if (older === undefined) return undefined;
  studio.place.live = older;
  beginLife(studio, world.newLife(), true);
  return `${nameOf(world, studio)}: open save ${studio.place.saved.indexOf(older)}`;
};
const reloadPlugin: Happen = (world, dice) => {
  const studio = studioAt(world, dice);
  if (studio === undefined) return undefined;
  beginLife(studio, world.newLife(), false);
  return `${nameOf(world, studio)}: the plugin is reloaded`;
};

const MOST_PLACES = 3;

/** Save As, or a file that is sent to another machine. */
const copyPlace: Happen = (world, dice) => {
  const studio = studioAt(world, dice);
  const content = studio && pick([studio.place.live, ...studio.place.saved], dice.how);
  if (studio === undefined || content === undefined) return undefined;
  return open(world, content, (dice.how >> 4) % world.machines, `a copy of place ${studio.place.number}`);
};
const newPlace: Happen = (world, dice) =>
  open(world, { ...EMPTY, scripts: world.empty }, dice.how % world.machines, "a new place");

function open(world: World, content: Content, machine: number, what: string): string | undefined {
  if (world.places.length >= MOST_PLACES) return undefined;
  const studio = world.openPlace(world.addPlace(content), machine);
  return `${nameOf(world, studio)}: opens ${what} on machine ${machine}`;
}

const publish: Happen = (world, dice) => {
  const studio = studioAt(world, dice);
  if (studio === undefined || studio.place.isPublished) return undefined;
  studio.place.isPublished = true;
  studio.place.saved.push(studio.place.live);
  return `${nameOf(world, studio)}: publish`;
};

/** The place is shared from now on, and another machine has it open, too. */
const makeTeam: Happen = (world, dice) => {
  const studio = studioAt(world, dice);
  if (studio === undefined) return undefined;
  const { place } = studio;
  const machine = dice.how % Math.max(2, world.machines);
  const isOpenThere = world.studios.some((each) => each.place === place && each.machine === machine);
  if (isOpenThere) return undefined;
  world.machines = Math.max(world.machines, machine + 1);
  Object.assign(place, { isTeam: true, isPublished: true });
  return `${nameOf(world, world.openPlace(place, machine))}: opens the shared place on machine ${machine}`;
};

const restoreVersion: Happen = (world, dice) => {
  const studio = studioAt(world, dice);
  const version = studio && pick(studio.place.saved, dice.how);
  if (studio === undefined || version === undefined || !studio.place.isPublished) return undefined;
  studio.place.live = version;
  for (const each of world.studios) if (each.place === studio.place) beginLife(each, world.newLife(), true);
  return `${nameOf(world, studio)}: version ${studio.place.saved.indexOf(version)} is restored`;
};

export const STUDIO_EVENTS = {
  editStudio,
  flagStudio,
  addStudio,
  removeStudio,
  ctrlZ,
  redo,
  save,
  reopen,
  reopenOlder,
  reloadPlugin,
  copyPlace,
  newPlace,
  publish,
  makeTeam,
  restoreVersion,
} satisfies Record<string, Happen>;
