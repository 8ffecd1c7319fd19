/** The sourcemap of a project: a tree of Instances with the files that each comes from, as luau-lsp reads it. */
import { relative } from "node:path";
import type { RojoNode } from "./node.ts";
import type { RojoTree } from "./project.ts";

interface SourcemapNode {
  readonly name: string;
  readonly className: string;
  readonly filePaths?: readonly string[];
  readonly children?: readonly SourcemapNode[];
}

export interface SourcemapOptions {
  /** Else only scripts, and what they are in. */
  readonly includeNonScripts: boolean;
  /** Else paths are relative to the folder of the project. They have slashes on all systems. */
  readonly absolute: boolean;
  /** A path without links. As in Rojo, a file behind a link is named by where it really is. */
  readonly realPath: (path: string) => string;
}

const SCRIPTS = new Set(["Script", "LocalScript", "ModuleScript"]);

/** JSON on one line. The root is there even when the project has no scripts. */
export function sourcemapText(
  { root, folder }: RojoTree,
  { includeNonScripts, absolute, realPath }: SourcemapOptions,
): string {
  const realFolder = realPath(folder);
  const shownPath = (path: string): string => {
    const real = realPath(path);
    return (absolute ? real : relative(realFolder, real)).replaceAll("\\", "/");
  };
  const entryOf = (node: RojoNode): SourcemapNode => {
    const children = node.children.flatMap((child) => {
      const entry = entryOf(child);
      const counts = includeNonScripts || SCRIPTS.has(child.className) || entry.children !== undefined;
      return counts ? [entry] : [];
    });
    const files = filesOf(node);
    return {
      name: node.name,
      className: node.className,
      ...(files.length === 0 ? {} : { filePaths: files.map(shownPath) }),
      ...(children.length === 0 ? {} : { children }),
    };
  };
  return JSON.stringify(entryOf(root));
}

/** The Instance's own file first, then its meta file, then the projects of which it is the root, the inner one first. */
function filesOf({ origin }: RojoNode): string[] {
  if (origin === undefined || origin.kind === "part") return [];
  const { kind, path, init, meta, project, nested = [] } = origin;
  const own = kind === "folder" ? init : kind === "projectNode" ? undefined : path;
  const isRoot = project !== undefined && project.keys.length === 1;
  const projects = [...(isRoot ? [project] : []), ...nested].map(({ file }) => file).reverse();
  return [own, meta, ...projects].filter((file) => file !== undefined);
}
