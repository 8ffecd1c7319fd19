/** The roots of a project: the folders into which its Instances may be written. Reads, and never writes. */
import { dirname, join } from "node:path";
import { isWithin } from "../../util/path-inside.ts";
import type { ProjectDisk } from "./disk.ts";

/** Where a file of the project is. Links are followed in all paths. */
export interface Reach {
  /** The folder of the outermost project file. */
  readonly projectFolder: string;
  /** The target of the `$path` that is being read, or the folder of the project. */
  readonly root: string;
  readonly isOutside: boolean;
}

export async function reachOfProjectAsync(folder: string, disk: ProjectDisk): Promise<Reach> {
  const root = await disk.realPathAsync(folder);
  return { projectFolder: root, root, isOutside: false };
}

/** Of what a `$path` names. Outside the project's folder it is a root only in the same work tree of git. */
export async function reachOfPathAsync(
  path: string,
  { projectFolder }: Reach,
  disk: ProjectDisk,
): Promise<Reach> {
  const root = await disk.realPathAsync(path);
  const isRoot = isWithin(projectFolder, root) || (await isSameWorkTreeAsync(projectFolder, root, disk));
  return { projectFolder, root, isOutside: !isRoot };
}

/** `target` is what a link inside a root leads to. Outside of the roots it is no part of the project. */
export function reachOfLink(target: string, { projectFolder, root }: Reach): Reach {
  const isInside = isWithin(projectFolder, target) || isWithin(root, target);
  return { projectFolder, root: isInside ? root : target, isOutside: !isInside };
}

async function isSameWorkTreeAsync(left: string, right: string, disk: ProjectDisk): Promise<boolean> {
  const workTree = await workTreeOfAsync(left, disk);
  return workTree !== undefined && workTree === (await workTreeOfAsync(right, disk));
}

/** The closest folder around `path` that has a `.git`, found without asking git; undefined where there is none. */
export async function workTreeOfAsync(path: string, disk: ProjectDisk): Promise<string | undefined> {
  for (let folder = path; ; folder = dirname(folder)) {
    // A path through a file is no path, which some systems report as an error of its own.
    const mark = await disk.kindAsync(join(folder, ".git")).catch(() => undefined);
    if (mark !== undefined) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
