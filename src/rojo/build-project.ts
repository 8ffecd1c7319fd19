/** Builds the file of a project: once, or at every change of its files. */
import { resolve } from "node:path";
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import type { RunSurface } from "../output/run-surface.ts";
import { unwritableFile } from "../files/unwritable-file.ts";
import { buildFormatOf, builtFile, fitsFormat } from "../roblox/rojo/build.ts";
import type { RojoTree } from "../roblox/rojo/project.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { writeWholeFileAsync } from "../util/whole-file.ts";
import { type Built, builtText } from "./built-text.ts";
import { requireProjectAsync } from "../project/find-rojo-project.ts";
import { checkLocalPluginAsync, localPluginFileAsync, writeLocalPluginAsync } from "./local-plugin.ts";
import { atEveryChangeAsync, projectTreeAsync, warnOf } from "./project-tree.ts";

interface BuildWishes {
  readonly project?: string | undefined;
  /** The file to write. */
  readonly output?: string | undefined;
  /** The name of a file in Studio's folder of local plugins, in place of `output`. */
  readonly plugin?: string | undefined;
  readonly watch: boolean;
}

/** Undefined after a watch, which has told what it built. Throws INVALID_INPUT for a file that cannot hold the project, FILE_ERROR for files that cannot be read or written, STUDIO_NOT_FOUND. */
export async function buildProjectAsync(
  { project, output, plugin, watch }: BuildWishes,
  surface: RunSurface,
): Promise<Built | undefined> {
  const file = plugin === undefined ? output : await localPluginFileAsync(plugin);
  if (file === undefined)
    throw invalidInput(
      "Name the file to write.",
      "For example: sb build -o game.rbxl, or sb build --plugin my-plugin",
    );
  if (buildFormatOf(file) === undefined)
    throw invalidInput(
      `Cannot build ${visibleOnOneLine(file)}`,
      "Name a .rbxl or .rbxlx file for a place, or a .rbxm or .rbxmx file for a model.",
    );
  const source = await requireProjectAsync(project);
  const target = { file, isPlugin: plugin !== undefined };
  if (!watch) return (await buildAsync(source, target, undefined, surface)).built;
  let before: Uint8Array | undefined;
  await atEveryChangeAsync(source, resolve(file), surface, async () => {
    const { built, tree, content } = await buildAsync(source, target, before, surface);
    if (!isSame(before, content))
      surface.emit({ stream: "stdout", text: () => builtText(built), json: built });
    before = content;
    return tree;
  });
  return undefined;
}

const isSame = (before: Uint8Array | undefined, content: Uint8Array): boolean =>
  before !== undefined && Buffer.compare(before, content) === 0;

interface BuildTarget {
  readonly file: string;
  /** In Studio's folder of local plugins. */
  readonly isPlugin: boolean;
}

interface Build {
  readonly built: Built;
  readonly tree: RojoTree;
  readonly content: Uint8Array;
}

/** Does not write what is as `before`. */
async function buildAsync(
  source: string,
  { file, isPlugin }: BuildTarget,
  before: Uint8Array | undefined,
  surface: RunSurface,
): Promise<Build> {
  surface.status("Building");
  const { tree, schema } = await projectTreeAsync(source, true);
  const format = buildFormatOf(file) ?? "rbxl";
  if (!fitsFormat(tree.root, format)) throw wrongFormat(tree, file, isPlugin);
  warnOf(tree, surface);
  try {
    const { content, instances } = builtFile(tree.root, schema, format);
    if (isPlugin) await checkLocalPluginAsync(file, content);
    if (!isSame(before, content))
      await (isPlugin ? writeLocalPluginAsync : writeWholeFileAsync)(file, content);
    return { built: { name: tree.name, file, instances, bytes: content.length }, tree, content };
  } catch (error) {
    if (error instanceof StudioBridgeError) throw error;
    throw unwritableFile(file, error);
  }
}

function wrongFormat({ name, root }: RojoTree, file: string, isPlugin: boolean): StudioBridgeError {
  const isPlace = root.className === "DataModel";
  if (isPlace && isPlugin)
    return invalidInput(
      `${visibleOnOneLine(name)} is a place, and a plugin is a model.`,
      "Name the project of the plugin, whose root is not a DataModel. `sb init plugin` begins one.",
    );
  return invalidInput(
    `${visibleOnOneLine(name)} is a ${isPlace ? "place" : "model"}, but ${visibleOnOneLine(file)} is a ${isPlace ? "model" : "place"}.`,
    isPlace ? "Name a .rbxl or .rbxlx file." : "Name a .rbxm or .rbxmx file.",
  );
}
