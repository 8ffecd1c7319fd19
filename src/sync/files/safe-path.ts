/**
 * Guards the way to a file that is about to be changed: it must lie below one of the project's roots, and no folder on the
 * way, nor the file itself, may be a link, because a link could lead the change to a file outside.
 */
import { lstat, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { RojoTree } from "../../roblox/rojo/project.ts";
import { realDisk } from "../../roblox/rojo/disk.ts";
import { workTreeOfAsync } from "../../roblox/rojo/roots.ts";
import { isBelow } from "../../util/path-inside.ts";
import { systemCodeOf } from "../../util/system-error.ts";

/** A folder in which files may be changed. */
export interface Root {
  /** As paths of the project begin. */
  readonly path: string;
  /** The same with all links followed. */
  readonly real: string;
}

/** Why a path may not be touched, as the end of a sentence that begins with the path. */
export class PathFault extends Error {}

/**
 * The folder of the project first, then the work tree of git around it. With `allowsOutside` also the folders outside of
 * them that `$path`s of the project name.
 */
export async function rootsOfAsync(
  { folder, root }: Pick<RojoTree, "folder" | "root">,
  { allowsOutside }: { readonly allowsOutside: boolean },
): Promise<readonly Root[]> {
  const real = await realpath(folder);
  const workTree = await workTreeOfAsync(real, realDisk);
  const roots: Root[] = [{ path: folder, real }];
  if (workTree !== undefined && workTree !== real)
    roots.push({ path: wayUp(folder, real, workTree), real: workTree });
  for (const path of allowsOutside ? outsideFoldersOf(root) : [])
    roots.push({ path, real: await realpath(path) });
  return roots;
}

/** The path of a folder around `folder`, written as `folder` is, where no link is in between. */
function wayUp(folder: string, real: string, around: string): string {
  const way = relative(around, real);
  return way !== "" && folder.endsWith(`${sep}${way}`) ? folder.slice(0, -way.length - 1) || sep : around;
}

function outsideFoldersOf(root: RojoNode): ReadonlySet<string> {
  const folders = new Set<string>();
  const visit = ({ origin, children }: RojoNode): void => {
    if (origin?.isOutside === true && origin.kind !== "part")
      folders.add(origin.kind === "folder" ? origin.path : dirname(origin.path));
    children.forEach(visit);
  };
  visit(root);
  return folders;
}

/** The closest root around a path. */
export function rootAround(roots: readonly Root[], path: string): Root | undefined {
  return roots
    .filter((root) => isBelow(root.path, path))
    .reduce<Root | undefined>(
      (best, root) => (best === undefined || root.path.length > best.path.length ? root : best),
      undefined,
    );
}

/** The real path, after a look at every part of it. Throws PathFault, or the system's error. */
export async function checkedPathAsync(roots: readonly Root[], path: string): Promise<string> {
  const root = rootAround(roots, path);
  if (root === undefined) throw new PathFault("is outside of the project's folders");
  const names = relative(root.path, path).split(sep);
  let at = root.real;
  for (const [index, name] of names.entries()) {
    at = join(at, name);
    const isLast = index === names.length - 1;
    const facts = await lstat(at).catch((error: unknown) => {
      if (isLast && systemCodeOf(error) === "ENOENT") return undefined;
      throw error;
    });
    if (facts?.isSymbolicLink() === true)
      throw new PathFault(isLast ? "is a link" : `is reached through a link (${at})`);
    if (facts !== undefined && !facts.isDirectory() && !(isLast && facts.isFile()))
      throw new PathFault(
        isLast ? "is not a plain file" : `is reached through something that is not a folder (${at})`,
      );
  }
  return at;
}
