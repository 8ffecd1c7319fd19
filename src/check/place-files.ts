/** The scripts of a place as files in a private folder, with the map that says which Instance each is. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readScriptsAsync } from "../scripts/script-sources.ts";
import type { SessionLink } from "../session/session-link.ts";
import { shownPath } from "../tree/instance-path.ts";
import type { InstanceNode, InstanceTree } from "../tree/instance-tree.ts";
import { pathsOf } from "../tree/node-path.ts";
import { readTreeAsync } from "../tree/read-tree.ts";

/** Script sources by the path of the script, as results show it. */
export type Sources = ReadonlyMap<string, string>;

export interface PlaceScripts {
  readonly tree: InstanceTree;
  readonly sources: Sources;
}

/** What the edited place has now. */
export async function readPlaceScriptsAsync(link: SessionLink): Promise<PlaceScripts> {
  const [tree, scripts] = await Promise.all([
    readTreeAsync(link, { hashes: false }),
    readScriptsAsync(link, {}),
  ]);
  return { tree, sources: new Map(scripts.map(({ path, source }) => [path, source])) };
}

export interface PlaceMap {
  /** JSON, as luau-lsp reads it. */
  readonly sourcemap: string;
  /** The paths of scripts, by the names of their files. */
  readonly pathByFile: ReadonlyMap<string, string>;
}

interface MapNode {
  readonly name: string;
  readonly className: string;
  readonly filePaths?: readonly string[];
  readonly children?: readonly MapNode[];
}

const ENDINGS: Readonly<Record<string, string>> = {
  Script: ".server.luau",
  LocalScript: ".client.luau",
  ModuleScript: ".luau",
};

/** Maps the Instances that have names which a file can give. The files are named by numbers, because an Instance may have any name. */
export function placeMap({ tree, sources }: PlaceScripts, folder: string): PlaceMap {
  const pathOf = pathsOf(tree);
  const pathByFile = new Map<string, string>();
  const nodeOf = (node: InstanceNode): MapNode => {
    const { id, name, className, children } = node;
    const path = shownPath(pathOf(node));
    const ending = ENDINGS[className];
    const file = ending === undefined || !sources.has(path) ? undefined : join(folder, `${id}${ending}`);
    if (file !== undefined) pathByFile.set(file, path);
    return {
      name,
      className,
      ...(file === undefined ? {} : { filePaths: [file.replaceAll("\\", "/")] }),
      ...(children.length === 0 ? {} : { children: children.map(nodeOf) }),
    };
  };
  const root = { name: "game", className: "DataModel", children: tree.roots.map(nodeOf) };
  return { sourcemap: JSON.stringify(root), pathByFile };
}

export async function writeSourcesAsync(
  pathByFile: ReadonlyMap<string, string>,
  sources: Sources,
): Promise<void> {
  for (const [file, path] of pathByFile) await writeFile(file, sources.get(path) ?? "");
}
