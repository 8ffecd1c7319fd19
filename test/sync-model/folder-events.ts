/** What people do to files, to their git, and to state folders. */
import type { Dice, Happen } from "./events.ts";
import {
  adopted,
  adoptedScript,
  below,
  type Commit,
  isBelow,
  isClean,
  merged,
  repositoryAt,
  sourcesOf,
} from "./git-model.ts";
import {
  added,
  type Changes,
  edited,
  FLAGS,
  hasScript,
  type Key,
  keyOf,
  moved,
  PATHS_OF_PROJECT,
  removed,
  textAt,
} from "./side.ts";
import type { Folder, World } from "./world.ts";

export const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length];

export const folderAt = ({ folders }: World, { folder }: Dice): Folder | undefined => pick(folders, folder);
export const pathAt = (world: World, folder: Folder, { script }: Dice): number =>
  pick(world.pathsOf(folder), script) ?? 0;

/** Mostly a new text; sometimes one that the script has had before, as people go back. */
export function nextText(world: World, key: Key, { how }: Dice): string {
  const earlier = world.textsSeen(key);
  const back = how % 8 === 0 ? pick(earlier, how >> 3) : undefined;
  return back ?? world.seeText(key, world.values.newText());
}

function change(
  world: World,
  dice: Dice,
  what: string,
  act: (folder: Folder, path: number) => Changes | undefined,
): string | undefined {
  const folder = folderAt(world, dice);
  if (folder === undefined) return undefined;
  const path = pathAt(world, folder, dice);
  const changes = act(folder, path);
  if (changes === undefined || changes.length === 0) return undefined;
  world.changeFiles(folder, changes);
  return `folder ${folder.number}: ${what} ${changes.map(([key, value]) => `${key} = ${value?.text ?? "-"}`).join(", ")}`;
}

const editFile: Happen = (world, dice) =>
  change(world, dice, "edit", ({ files }, path) => {
    const key = keyOf(path, "source");
    return hasScript(files, path) ? edited(files, key, nextText(world, key, dice), world.values) : undefined;
  });
const flagFile: Happen = (world, dice) =>
  change(world, dice, "edit", ({ files }, path) =>
    edited(files, keyOf(path, "flag"), pick(FLAGS, dice.how) ?? "0", world.values),
  );
const addFile: Happen = (world, dice) =>
  change(world, dice, "add", ({ files }, path) =>
    added(files, path, { source: nextText(world, keyOf(path, "source"), dice) }, world.values),
  );
const removeFile: Happen = (world, dice) =>
  change(world, dice, "remove", ({ files }, path) => removed(files, path, world.values));
const moveFile: Happen = (world, dice) =>
  change(world, dice, "move", (folder, path) =>
    moved(folder.files, path, pathAt(world, folder, { ...dice, script: dice.how }), world.values),
  );

const commit: Happen = (world, dice) => {
  const folder = folderAt(world, dice);
  if (folder === undefined) return undefined;
  commitAll(folder);
  return `folder ${folder.number}: commit`;
};

function commitAll(folder: Folder): Commit {
  const { git, files } = folder;
  if (git === undefined) {
    folder.git = repositoryAt({ parents: [], tree: files }, false);
    return folder.git.head;
  }
  if (!isClean(files, git)) git.head = { parents: [git.head], tree: files };
  git.index = files;
  for (const source of sourcesOf(files)) git.objects.add(source);
  return git.head;
}

const stage: Happen = (world, dice) => {
  const folder = folderAt(world, dice);
  if (folder?.git === undefined) return undefined;
  folder.git.index = folder.files;
  for (const source of sourcesOf(folder.files)) folder.git.objects.add(source);
  return `folder ${folder.number}: git add`;
};

/** Of any commit that the folder or the remote knows. Git refuses it where files are changed. */
const checkout: Happen = (world, dice) => {
  const folder = folderAt(world, dice);
  if (folder?.git === undefined || !isClean(folder.files, folder.git) || folder.git.isShallow)
    return undefined;
  const heads = [folder.git.head, ...(world.origin === undefined ? [] : [world.origin])];
  const target = pick([...new Set(heads.flatMap((head) => [...below(head)]))], dice.how);
  if (target === undefined || target === folder.git.head) return undefined;
  checkOut(world, folder, target);
  return `folder ${folder.number}: checkout of ${treeText(target)}`;
};

function checkOut(world: World, folder: Folder, target: Commit): void {
  if (folder.git === undefined) return;
  world.changeFiles(folder, adopted(folder.files, target.tree, world.values));
  folder.git.head = target;
  folder.git.index = target.tree;
  for (const each of below(target)) for (const source of sourcesOf(each.tree)) folder.git.objects.add(source);
}

const treeText = ({ tree }: Commit): string => `[${sourcesOf(tree).join(" ")}]`;

const restoreFile: Happen = (world, dice) =>
  change(world, dice, "restore from HEAD", ({ files, git }, path) =>
    git === undefined ? undefined : adoptedScript(files, git.head.tree, path, world.values),
  );

const pushOrigin: Happen = (world, dice) => {
  const folder = folderAt(world, dice);
  if (folder?.git === undefined || folder.git.isShallow) return undefined;
  const { head } = folder.git;
  if (world.origin !== undefined && !isBelow(world.origin, head)) return undefined;
  world.origin = head;
  return `folder ${folder.number}: git push`;
};

/** People commit first what they have changed. */
const pullOrigin: Happen = (world, dice) => {
  const folder = folderAt(world, dice);
  const { origin } = world;
  if (folder?.git === undefined || folder.git.isShallow || origin === undefined) return undefined;
  const head = commitAll(folder);
  if (isBelow(origin, head)) return undefined;
  if (isBelow(head, origin)) checkOut(world, folder, origin);
  else {
    world.changeFiles(folder, merged(folder.files, origin.tree, world.values));
    checkOut(world, folder, { parents: [head, origin], tree: folder.files });
  }
  return `folder ${folder.number}: git pull`;
};

/** The last two commits become one; what was between is below no branch any more. */
const squash: Happen = (world, dice) => {
  const folder = folderAt(world, dice);
  const parent = folder?.git?.head.parents[0];
  if (folder?.git === undefined || parent === undefined) return undefined;
  folder.git.head = { parents: parent.parents, tree: folder.git.head.tree };
  if (dice.how % 2 === 0 && !folder.git.isShallow) world.origin = folder.git.head;
  return `folder ${folder.number}: squash${dice.how % 2 === 0 ? ", git push --force" : ""}`;
};

const MOST_FOLDERS = 4;

const cloneFolder: Happen = (world, dice) => {
  if (world.origin === undefined || world.folders.length >= MOST_FOLDERS) return undefined;
  const isShallow = dice.how % 4 === 0;
  const machine = machineFor(world, dice);
  const git = repositoryAt(world.origin, isShallow);
  const { number } = world.addFolder({ machine, project: 0, files: world.origin.tree, git });
  return `folder ${number}: ${isShallow ? "shallow clone" : "clone"} on machine ${machine}`;
};

/** A copy of the files, without git and without what sb knows. */
const copyFolder: Happen = (world, dice) => {
  const from = folderAt(world, dice);
  if (from === undefined || world.folders.length >= MOST_FOLDERS) return undefined;
  const machine = machineFor(world, dice);
  const { number } = world.addFolder({ machine, project: from.project, files: from.files });
  return `folder ${number}: copy of folder ${from.number} on machine ${machine}`;
};

const machineFor = (world: World, { how }: Dice): number =>
  (how >> 2) % 2 === 0 && world.machines < 3 ? world.machines++ : (how >> 3) % world.machines;

const otherProject: Happen = (world) => {
  if (world.folders.some(({ project }) => project === 1) || world.folders.length >= MOST_FOLDERS)
    return undefined;
  const folder = world.addFolder({ machine: 0, project: 1, files: world.empty });
  const [path = 0] = PATHS_OF_PROJECT[1];
  const source = world.values.newText();
  world.changeFiles(folder, added(folder.files, path, { source }, world.values) ?? []);
  return `folder ${folder.number}: another project`;
};

const backUp: Happen = (world, dice) => {
  const folder = folderAt(world, dice);
  if (folder === undefined) return undefined;
  const git = folder.git && { ...folder.git, objects: new Set(folder.git.objects) };
  folder.backup = { files: folder.files, git, state: folder.state };
  return `folder ${folder.number}: backup`;
};

function forget(folder: Folder, state: object | undefined): void {
  folder.state = state;
  folder.memory++;
  folder.lastPlan = undefined;
}

const restoreState: Happen = (world, dice) => {
  const folder = folderAt(world, dice);
  if (folder?.backup === undefined) return undefined;
  forget(folder, folder.backup.state);
  return `folder ${folder.number}: its state comes back from the backup`;
};
const loseState: Happen = (world, dice) => {
  const folder = folderAt(world, dice);
  if (folder?.state === undefined) return undefined;
  forget(folder, undefined);
  return `folder ${folder.number}: its state is lost`;
};
const restoreFolder: Happen = (world, dice) => {
  const folder = folderAt(world, dice);
  if (folder?.backup === undefined) return undefined;
  forget(folder, folder.backup.state);
  folder.files = folder.backup.files;
  folder.git = folder.backup.git && { ...folder.backup.git, objects: new Set(folder.backup.git.objects) };
  const sources = folder.files.entries().filter(([key]) => key.endsWith("source"));
  return `folder ${folder.number}: all comes back from the backup, ${[...sources].map(([key]) => `${key} = ${textAt(folder.files, key)}`).join(", ")}`;
};

/** The settings are the same in all folders. */
const oneWay: Happen = (world, { how }) => {
  const isOneWay = how % 4 !== 0;
  if (world.isOneWay === isOneWay) return undefined;
  world.isOneWay = isOneWay;
  return isOneWay ? "compiled files only go to Studio from now on" : "compiled files go both ways again";
};

export const FOLDER_EVENTS = {
  editFile,
  flagFile,
  addFile,
  removeFile,
  moveFile,
  commit,
  stage,
  checkout,
  restoreFile,
  pushOrigin,
  pullOrigin,
  squash,
  cloneFolder,
  copyFolder,
  otherProject,
  backUp,
  restoreState,
  loseState,
  restoreFolder,
  oneWay,
} satisfies Record<string, Happen>;
