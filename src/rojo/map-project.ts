/** Prints or writes the sourcemap of a project: once, or at every change of its files. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { unwritableFile } from "../files/unwritable-file.ts";
import type { RunSurface } from "../output/run-surface.ts";
import type { RojoTree } from "../roblox/rojo/project.ts";
import { sourcemapText } from "../roblox/rojo/sourcemap.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { writeWholeFileAsync } from "../util/whole-file.ts";
import { requireProjectAsync } from "../project/find-rojo-project.ts";
import { realPaths } from "./real-paths.ts";
import { atEveryChangeAsync, projectTreeAsync } from "./project-tree.ts";

export interface MapWish {
  /** The project file, or its folder; without it, the project of the working folder. */
  readonly project?: string | undefined;
  /** The file to write; without it, the map is shown. */
  readonly output?: string | undefined;
  /** All Instances, not only scripts. */
  readonly includeNonScripts: boolean;
  /** Absolute paths of files. */
  readonly absolute: boolean;
  readonly watch: boolean;
}

/** Throws FILE_ERROR for files that cannot be read or written. */
export async function mapProjectAsync(wish: MapWish, surface: RunSurface): Promise<void> {
  const source = await requireProjectAsync(wish.project);
  if (!wish.watch) {
    await mapAsync(source, wish, surface, undefined);
    return;
  }
  let before: string | undefined;
  const written = wish.output === undefined ? undefined : resolve(wish.output);
  await atEveryChangeAsync(source, written, surface, async () => {
    const { tree, text } = await mapAsync(source, wish, surface, before);
    before = text;
    return tree;
  });
}

/** Shows or writes the map, unless it is as `before`. */
async function mapAsync(
  source: string,
  { output: file, includeNonScripts, absolute, watch }: MapWish,
  surface: RunSurface,
  before: string | undefined,
): Promise<{ readonly tree: RojoTree; readonly text: string }> {
  const { tree } = await projectTreeAsync(source);
  const text = sourcemapText(tree, { includeNonScripts, absolute, realPath: realPaths() });
  if (text === before) return { tree, text };
  const map: unknown = JSON.parse(text);
  if (file === undefined) {
    surface.emit({ stream: "stdout", text: () => text, json: { name: tree.name, map }, isResult: !watch });
    return { tree, text };
  }
  await writeMapAsync(file, text);
  const told = `Wrote ${visibleOnOneLine(file)}`;
  surface.emit({
    stream: "stdout",
    text: () => told,
    json: { name: tree.name, file, map },
    isResult: !watch,
  });
  return { tree, text };
}

/** A file that is as it should be is not touched, so that editors do not read it again. */
async function writeMapAsync(file: string, text: string): Promise<void> {
  try {
    const present = await readFile(file, "utf8").catch(() => undefined);
    if (present !== text) await writeWholeFileAsync(file, new TextEncoder().encode(text));
  } catch (error) {
    throw unwritableFile(file, error);
  }
}
