/**
 * The place file that a launched Studio opens: a copy of its own, an empty one, or the file itself; and the lock files
 * that Studio leaves beside it.
 */
import { StudioBridgeError } from "../protocol/errors.ts";
import { fileNotFound } from "../protocol/messages.ts";
import type { StudioInstall } from "./locate-studio.ts";
import { pathsOf } from "./machine.ts";
import type { Machine } from "./machine.ts";
import { cannotWrite } from "./studio-errors.ts";
import { isStudioRunningAsync } from "./studio-process.ts";

export interface OpenedPlace {
  readonly file: string;
  /** A folder that goes when the Studio does; absent where the file itself is opened. */
  readonly copyFolder?: string;
}

const EMPTY_NAME = "Empty.rbxlx";
/** UNVERIFIED: Studio opens a place file that has only a Workspace, as Rojo writes them. If it does not, name a place. */
const EMPTY_PLACE = `<roblox version="4"><Item class="Workspace" referent="0"><Properties><string name="Name">Workspace</string></Properties></Item></roblox>\n`;

/** The full path. Throws FILE_ERROR when it is not a place file. */
export function checkedPlace(path: string, machine: Machine): string {
  const full = pathsOf(machine).resolve(path);
  const kind = machine.files.kind(full);
  if (kind === undefined) throw fileNotFound("place", path);
  if (kind === "file" && /\.rbxlx?$/i.test(full)) return full;
  throw new StudioBridgeError("INVALID_INPUT", `${path} is not a place file.`, {
    hint: "Studio opens .rbxl and .rbxlx files. For a model or a Rojo project add --headless, or run `sb headless FILE`.",
  });
}

/** A copy keeps the file's name, because Studio shows it as the name of the place. Throws FILE_ERROR. */
export function placeCopy(
  place: string | undefined,
  launchId: string,
  studio: StudioInstall,
  machine: Machine,
): OpenedPlace {
  const { join, basename } = pathsOf(machine);
  const copyFolder = join(copiesFolder(studio, machine), launchId);
  const file = join(copyFolder, place === undefined ? EMPTY_NAME : basename(place));
  try {
    machine.files.makePrivateFolder(copyFolder);
    if (place === undefined) machine.files.writePrivate(file, EMPTY_PLACE);
    else machine.files.copy(place, file);
    return { file, copyFolder };
  } catch (error) {
    machine.files.remove(copyFolder);
    throw cannotWrite(file, error);
  }
}

/** Throws FILE_ERROR when a Studio may have the place open. */
export async function unlockPlaceAsync(place: string, machine: Machine): Promise<void> {
  if (await removeStaleLockAsync(place, machine)) return;
  const lock = lockOf(place);
  throw new StudioBridgeError("FILE_ERROR", `${place} seems to be open in a Studio already.`, {
    hint: `Close it there, leave out --in-place to open a copy, or delete ${lock}.`,
    data: { path: place, lock },
  });
}

/**
 * Takes away the lock that a Studio left when it was ended, and that would keep the place from opening; false when a
 * Studio runs that may hold it. UNVERIFIED: the lock has this name, which other tools that start Studio use.
 */
export async function removeStaleLockAsync(place: string, machine: Machine): Promise<boolean> {
  if (machine.files.kind(lockOf(place)) === undefined) return true;
  if (await isStudioRunningAsync(machine)) return false;
  machine.files.remove(lockOf(place));
  return true;
}

const lockOf = (place: string) => `${place}.lock`;

/** Where Studio can read it: our own folder, or a Windows folder for a Windows program started from WSL. */
function copiesFolder({ kind, executable }: StudioInstall, machine: Machine): string {
  const { join } = pathsOf(machine);
  const [windowsUser, ...inside] = executable.split("/AppData/Local/");
  if (kind === "wsl" && windowsUser !== undefined && inside.length > 0)
    return join(windowsUser, "AppData", "Local", "Temp", "studio-bridge");
  return join(machine.stateFolder, "places");
}
