/** A place or model file as the other side of a sync. It is only read: `sb build` writes such files. */
import { readFile, realpath, stat } from "node:fs/promises";
import { basename } from "node:path";
import { invalidInput, fileNotFound } from "../../protocol/messages.ts";
import {
  fileTooLarge,
  IS_MODEL_NOT_PLACE,
  MAX_FILE_BYTES,
  MODEL_FILE,
  ModelFault,
  readModelFile,
  unreadableFile,
} from "../../roblox/model-file.ts";
import { newNode, nodesOf, type RojoNode } from "../../roblox/rojo/node.ts";
import { systemCodeOf } from "../../util/system-error.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { Counterpart } from "../types.ts";

const ONLY_READ = "a place file is only read; `sb build` writes one";

/** Throws INVALID_INPUT for a file of another kind, FILE_ERROR for one that does not exist. */
export async function placeCounterpartAsync(path: string): Promise<Counterpart> {
  if (!MODEL_FILE.test(path))
    throw invalidInput(
      `--from: ${visibleOnOneLine(path)} is neither a place nor a model.`,
      "Name a .rbxl, .rbxlx, .rbxm or .rbxmx file.",
    );
  const file = await realpath(path).catch((error: unknown) => {
    throw systemCodeOf(error) === "ENOENT"
      ? fileNotFound("place", path)
      : unreadableFile("place", path, error);
  });
  return {
    label: basename(path),
    place: { by: "file", value: file },
    isWritable: false,
    readAsync: async (files) => rootOf(files, await readPlaceNodesAsync(path), path),
    applyAsync: async (items) => items.map((item) => ({ item, applied: false, reason: ONLY_READ })),
  };
}

/** The roots of a place or model file. Throws FILE_ERROR. */
export async function readPlaceNodesAsync(path: string): Promise<RojoNode[]> {
  try {
    if ((await stat(path)).size > MAX_FILE_BYTES) throw fileTooLarge();
    const { model, problems } = readModelFile(await readFile(path));
    // What could not be read must not be taken for something that is not there.
    const [problem] = problems;
    if (problem !== undefined)
      throw new ModelFault(problem, "Update sb; this version does not know that kind of value.");
    return nodesOf(model);
  } catch (error) {
    throw unreadableFile("place", path, error);
  }
}

/** The tree that the files' root is compared with. Throws INVALID_INPUT where a place is compared with a model. */
function rootOf(files: RojoNode, roots: RojoNode[], path: string): RojoNode {
  const name = visibleOnOneLine(basename(path));
  if (files.className === "DataModel") {
    if (IS_MODEL_NOT_PLACE.test(path))
      throw invalidInput(
        `--from: ${name} is a model, but the project is a place.`,
        "Name a .rbxl or .rbxlx file.",
      );
    const place = newNode(files.name, "DataModel");
    place.children.push(...roots);
    return place;
  }
  if (!IS_MODEL_NOT_PLACE.test(path))
    throw invalidInput(
      `--from: ${name} is a place, but the project is a model.`,
      "Name a .rbxm or .rbxmx file.",
    );
  const [root, second] = roots;
  if (root === undefined || second !== undefined)
    throw invalidInput(
      `--from: ${name} has ${roots.length} roots, but a model that is compared with a project has one.`,
      "Save the model with one Instance at its top.",
    );
  // A model file has the name of its Instance; the project has the name that counts.
  root.name = files.name;
  return root;
}
