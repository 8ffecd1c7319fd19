/**
 * One-way folders: files go to Studio, and nothing comes back, because a compiler or a package manager writes the files. What
 * Studio has changed there is replaced, by name, and `sb sync undo` restores it.
 */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { Entry } from "./entries.ts";
import { fitsFile, relativeParts, shown } from "./project-paths.ts";

/** What package managers write. Studio's changes there would be lost with the next installation. */
const PACKAGE_FOLDERS = new Set([
  "Packages",
  "DevPackages",
  "ServerPackages",
  "node_modules",
  "roblox_packages",
  "_Index",
]);

export class OneWayFolders {
  readonly #folder: string;
  readonly #fits: readonly ((file: string) => boolean)[];

  /** `written`: folders and globs, from the project's folder; package folders are one-way without being named. */
  constructor(folder: string, written: readonly string[] = []) {
    this.#folder = folder;
    // `out/**` means all that is made from `out`, and that is also what Studio adds to it.
    this.#fits = written.map((each) => fitsFile(shown(folder, each).replace(/\/\*\*\/?$/, "")));
  }

  /** Whether the files of an Instance, or those that it would have, are in such a folder. */
  has(entry: Entry | undefined): boolean {
    for (let at = entry; at !== undefined; at = at.fileParent ?? at.studioParent) {
      const path = pathOf(at.file);
      if (path !== undefined) return this.#hasPath(path);
    }
    return false;
  }

  #hasPath(path: string): boolean {
    if (relativeParts(this.#folder, path).some((part) => PACKAGE_FOLDERS.has(part))) return true;
    const file = shown(this.#folder, path);
    return this.#fits.some((fits) => fits(file));
  }
}

const pathOf = (file: RojoNode | undefined): string | undefined => file?.origin?.path;

/** Why nothing of Studio goes to the files. */
export const onlyPushed = (folder: string, { file }: Pick<Entry, "file">): string =>
  `${shown(folder, pathOf(file) ?? "")} is in a one-way folder (sync.oneWay), so Studio's changes are not written there; push takes them back`;

const UNDO = "`sb sync undo` restores it";
export const replacesStudio = {
  verdict: "push",
  reason: "one_way",
  detail: `one-way folder: this replaces what Studio holds; ${UNDO}`,
} as const;
export const putsBack = {
  verdict: "push",
  reason: "one_way",
  detail: "one-way folder: Studio has removed it, and it is put back",
} as const;
/** `path`: what Studio has changed of what goes. */
export const removesEdited = (path: string) =>
  ({
    verdict: "push",
    reason: "one_way",
    detail: `one-way folder: the files no longer have it, and Studio's change of ${path} goes with it; ${UNDO}`,
  }) as const;
