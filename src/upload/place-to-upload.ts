/** The place that an upload sends: a file as it is, or what a Rojo project builds; and what Roblox will not take over of it. */
import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { loadFileSchemaAsync } from "../headless/index.ts";
import type { RunSurface } from "../output/run-surface.ts";
import { requireProjectAsync } from "../project/find-rojo-project.ts";
import { invalidInput } from "../protocol/messages.ts";
import { isBinaryModel } from "../roblox/binary-reader.ts";
import { IS_MODEL_NOT_PLACE, MODEL_FILE, readModelFile, unreadableFile } from "../roblox/model-file.ts";
import { type Model, NO_PARENT } from "../roblox/model.ts";
import { builtFile } from "../roblox/rojo/build.ts";
import type { FileSchema } from "../roblox/schema.ts";
import { projectTreeAsync, warnOf } from "../rojo/project-tree.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

export interface PlaceToUpload {
  /** For people: the file, or the name of the project. */
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly isXml: boolean;
  /** The folder whose rules say which places may be changed. */
  readonly folder: string;
  /** How many Instances there are of each class that Roblox leaves as it was. */
  readonly notUpdated: ReadonlyMap<string, number>;
}

/**
 * `source`: a place file, a project file or a folder; without it the project of the working folder. Says what the project leaves
 * out. Throws FILE_ERROR for what cannot be read, and INVALID_INPUT for what is no place.
 */
export async function placeToUploadAsync(
  source: string | undefined,
  surface: RunSurface,
): Promise<PlaceToUpload> {
  const isFile = source !== undefined && MODEL_FILE.test(source) && !(await isFolderAsync(source));
  return isFile ? filePlaceAsync(source) : projectPlaceAsync(source, surface);
}

const isFolderAsync = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );

async function filePlaceAsync(file: string): Promise<PlaceToUpload> {
  const name = visibleOnOneLine(file);
  if (IS_MODEL_NOT_PLACE.test(file)) throw noPlace(name);
  const schema = await loadFileSchemaAsync();
  const content = await readFile(file).catch((error: unknown) => {
    throw unreadableFile("place", name, error);
  });
  const model = modelIn(content, name);
  if (!hasService(model, schema)) throw noPlace(name);
  return {
    ...{ name, content: new Uint8Array(content), isXml: !isBinaryModel(content) },
    ...{ folder: process.cwd(), notUpdated: notUpdatedIn(model, schema) },
  };
}

async function projectPlaceAsync(project: string | undefined, surface: RunSurface): Promise<PlaceToUpload> {
  const file = await requireProjectAsync(project);
  surface.status("Building");
  const { tree, schema } = await projectTreeAsync(file, true);
  const name = visibleOnOneLine(tree.name);
  if (tree.root.className !== "DataModel") throw noPlace(name);
  warnOf(tree, surface);
  const content = new Uint8Array(builtFile(tree.root, schema, "rbxl").content);
  const notUpdated = notUpdatedIn(modelIn(content, name), schema);
  return { name, content, isXml: false, folder: dirname(file), notUpdated };
}

function modelIn(content: Uint8Array, name: string): Model {
  try {
    return readModelFile(content).model;
  } catch (error) {
    throw unreadableFile("place", name, error);
  }
}

/** The roots of a place are services; those of a model are not. */
const hasService = ({ classes, parents }: Model, schema: FileSchema): boolean =>
  classes.some(
    ({ className, members }) =>
      schema.isService(className) && members.some((id) => parents[id] === NO_PARENT),
  );

const noPlace = (name: string) =>
  invalidInput(
    `${name} is a model, and only a place can be uploaded.`,
    "Name a .rbxl or .rbxlx file, or a Rojo project whose root is a DataModel.",
  );

/**
 * Classes whose changes the Place Publishing API does not take over, and those that inherit from them:
 * https://create.roblox.com/docs/cloud/guides/usage-place-publishing
 */
const NOT_UPDATED = ["EditableImage", "EditableMesh", "PartOperation", "SurfaceAppearance", "BaseWrap"];

function notUpdatedIn({ classes }: Model, schema: FileSchema): ReadonlyMap<string, number> {
  const counts = classes.flatMap(({ className, members }) =>
    members.length > 0 && NOT_UPDATED.some((ancestor) => schema.isA(className, ancestor))
      ? [[className, members.length] as const]
      : [],
  );
  return new Map(counts.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
