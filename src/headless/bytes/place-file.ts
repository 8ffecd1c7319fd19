/**
 * Place files on disk: `.rbxl`, `.rbxlx`, `.rbxm`, `.rbxmx` and Rojo projects as the engine takes them, and the engine's
 * place as `.rbxl` or `.rbxlx`.
 */
import { access, constants, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput, fileNotFound } from "../../protocol/messages.ts";
import { IS_FOLDER, systemCodeOf, systemReason } from "../../util/system-error.ts";
import { writeWholeFileAsync } from "../../util/whole-file.ts";
import { expectLongRun } from "../../util/long-run.ts";
import { loadFileSchema } from "../file-schema.ts";
import { type Model, type ModelClass, NO_PARENT } from "../../roblox/model.ts";
import { textOfByteString } from "../../util/bytes.ts";
import { writeBinaryModel } from "../../roblox/binary-writer.ts";
import { decodeSavedPlace, encodePlace } from "./engine-bytes.ts";
import { IDENTITIES, keptValuesOf, type KeptValues, withKeptValues } from "./kept-values.ts";
import {
  fileTooLarge,
  MAX_FILE_BYTES,
  MODEL_FILE,
  ModelFault,
  readModelFile,
} from "../../roblox/model-file.ts";
import { asFileModel } from "../../roblox/file-model.ts";
import { type OnRead, type ProjectDisk, realDisk, tellingDisk } from "../../roblox/rojo/disk.ts";
import type { RojoScript } from "../../roblox/rojo/project.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { toEngineModel } from "./to-engine.ts";
import { toFileModel } from "./to-file.ts";
import { writeXmlModel } from "../../roblox/xml-writer.ts";

const PROJECT_FILE = /\.project\.jsonc?$/i;
const OWNER_WRITES = 0o200;
const SAVED_FILE = /\.rbxlx?$/i;
const NO_PROJECT = { folders: [], scripts: new Map<string, RojoScript>() } as const;
const NONE: ReadonlySet<string> = new Set();

export interface OpenedPlace {
  readonly placeName: string;
  /** What the engine's event openPlace takes. */
  readonly place: Uint8Array<ArrayBuffer>;
  readonly sources: PlaceSources;
  /** The names that lead to each ModuleScript of a name, also to those in models and place files. */
  readonly modulesNamed: (name: string) => readonly (readonly string[])[];
  /** The same for each ModuleScript whose own name fits. */
  readonly modulesWhere: (fits: (name: string) => boolean) => readonly (readonly string[])[];
}

/** What on disk a place was read from. */
export interface PlaceSources {
  readonly files: readonly string[];
  /** Those in which any file may belong to it. */
  readonly folders: readonly string[];
  /** The files of a Rojo project's scripts, by their full names in the place. */
  readonly scripts: ReadonlyMap<string, RojoScript>;
}

export interface SavablePlace extends OpenedPlace {
  /** What writePlaceAsync puts back. */
  readonly kept: KeptValues;
  /** The whole path of the file, if a place can be saved to it: a model or a project is no such file. */
  readonly placeFile?: string;
}

/**
 * `onRead` hears of each file that the place is made of. Throws INVALID_INPUT for a kind of file that is no place,
 * FILE_ERROR for one that cannot be read as what it is.
 */
export async function readPlaceAsync(path: string, onRead?: OnRead): Promise<OpenedPlace> {
  const { kept: _, ...place } = await readAsync(path, false, onRead);
  return place;
}

/** The same, for a place that will be saved. */
export async function readSavablePlaceAsync(path: string): Promise<SavablePlace> {
  return readAsync(path, true);
}

async function readAsync(path: string, isSavable: boolean, onRead?: OnRead): Promise<SavablePlace> {
  try {
    const file = await placeFileAsync(path);
    if (!PROJECT_FILE.test(file)) expectLongRun();
    return await readFileAsync(file, isSavable, afterManyFiles(onRead));
  } catch (error) {
    throw error instanceof StudioBridgeError ? error : unreadable(path, error);
  }
}

/**
 * A project of so many files makes what it runs worth compiling. Tests of 100 files took 30 ms longer where that began at
 * once; with 300 files there was no difference, and with 1,500 it saved a tenth.
 */
const MANY_FILES = 300;

function afterManyFiles(onRead: OnRead = () => {}): OnRead {
  let count = 0;
  return (path, content) => {
    count += 1;
    if (count === MANY_FILES) expectLongRun();
    onRead(path, content);
  };
}

/** A place as files hold it, for what passes it on without opening it. */
export interface PlaceContent {
  readonly model: Model;
  readonly schema: FileSchema;
  /** The bytes of the file itself, where it is the file of a place and no project or model. */
  readonly file?: Uint8Array<ArrayBuffer>;
}

/** As readPlaceAsync, with every value that binary files need. */
export async function readPlaceContentAsync(path: string): Promise<PlaceContent> {
  try {
    const file = await placeFileAsync(path);
    const schema = loadFileSchema();
    const { model } = await readModelAsync(file, schema, IDENTITIES, realDisk);
    return {
      model: asFileModel(model, schema, "binary"),
      schema,
      ...(SAVED_FILE.test(file) ? { file: new Uint8Array(await realDisk.readAsync(file)) } : {}),
    };
  } catch (error) {
    throw error instanceof StudioBridgeError ? error : unreadable(path, error);
  }
}

async function readModelAsync(
  file: string,
  schema: FileSchema,
  ignored: ReadonlySet<string>,
  disk: ProjectDisk,
) {
  if (PROJECT_FILE.test(file)) return readProjectAsync(file, schema, disk);
  return { ...readModelFile(await disk.readAsync(file), ignored), name: undefined, ...NO_PROJECT };
}

async function readFileAsync(file: string, isSavable: boolean, onRead: OnRead): Promise<SavablePlace> {
  const disk = tellingDisk(realDisk, onRead);
  const schema = loadFileSchema();
  const { model, problems, name, ...found } = await readModelAsync(
    file,
    schema,
    isSavable ? NONE : IDENTITIES,
    disk,
  );
  const converted = toEngineModel(model, schema);
  const all = [...problems, ...converted.problems];
  return {
    placeName: name ?? basename(file).replace(MODEL_FILE, ""),
    place: encodePlace({ model: converted.model, problems: all }),
    sources: { files: [file], ...found },
    modulesNamed: (name) => modulesWhere(model, schema, (own) => own === name),
    modulesWhere: (fits) => modulesWhere(model, schema, fits),
    kept: isSavable ? keptValuesOf(model) : new Map(),
    ...(isSavable && SAVED_FILE.test(file) ? { placeFile: resolve(file) } : {}),
  };
}

function modulesWhere(
  { classes, parents }: Model,
  schema: FileSchema,
  fits: (name: string) => boolean,
): readonly (readonly string[])[] {
  const modules = classes.find(({ className }) => className === "ModuleScript");
  const found = modules?.members.filter((_, index) => fits(nameOfMember(modules, index))) ?? [];
  if (found.length === 0) return [];
  const names = new Map(
    classes.flatMap((each) => each.members.map((id, index) => [id, nameOfMember(each, index)] as const)),
  );
  const services = new Set(
    classes.flatMap(({ className, members }) => (schema.isService(className) ? members : [])),
  );
  // Roots that are not services go below Workspace.
  const pathOf = (id: number): string[] => {
    const parent = parents[id] ?? NO_PARENT;
    const above = parent !== NO_PARENT ? pathOf(parent) : services.has(id) ? [] : ["Workspace"];
    return [...above, names.get(id) ?? ""];
  };
  return found.map((id) => pathOf(id));
}

function nameOfMember({ className, columns }: ModelClass, index: number): string {
  const column = columns.get("Name");
  const name = column?.values[(column.rows[index] ?? 0) - 1];
  return name?.type === "String" ? textOfByteString(name.value) : className;
}

async function readProjectAsync(file: string, schema: FileSchema, disk: ProjectDisk) {
  const { FileFault, readRojoProjectAsync } = await import("../../roblox/rojo/project.ts");
  try {
    return await readRojoProjectAsync(file, schema, disk);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const { path, reason } = error;
    throw unreadable(file, error, {
      reason: path === resolve(file) ? reason : error.message,
      ...(systemCodeOf(error.cause) === undefined ? { hint: "Correct that in the file it names." } : {}),
    });
  }
}

/** The file that a path means: itself, or the default project of a folder. */
async function placeFileAsync(path: string): Promise<string> {
  const facts = await stat(path).catch((error: unknown) => {
    throw systemCodeOf(error) === "ENOENT" ? fileNotFound("place", path) : error;
  });
  if (facts.isDirectory()) {
    const { DEFAULT_PROJECTS } = await import("../../roblox/rojo/files.ts");
    const names = await readdir(path);
    const project = DEFAULT_PROJECTS.find((name) => names.includes(name));
    if (project !== undefined) return join(path, project);
    throw unreadable(path, undefined, {
      reason: `the folder has no ${DEFAULT_PROJECTS[0]}`,
      hint: "Name a place file, or the folder of a Rojo project.",
    });
  }
  if (!MODEL_FILE.test(path) && !PROJECT_FILE.test(path))
    throw invalidInput(
      `Not a place: ${path}`,
      "Name a .rbxl, .rbxlx, .rbxm or .rbxmx file, or a Rojo project (*.project.json).",
    );
  if (facts.size > MAX_FILE_BYTES) throw fileTooLarge();
  return path;
}

interface Explanation {
  readonly reason: string;
  readonly hint?: string;
}

function unreadable(
  path: string,
  cause: unknown,
  { reason, hint }: Explanation = explained(cause),
): StudioBridgeError {
  return new StudioBridgeError("FILE_ERROR", `Could not read place: ${path}: ${reason}`, {
    data: { path },
    cause,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** What is not the system's own error was found in the content of the file. */
function explained(cause: unknown): Explanation {
  if (cause instanceof ModelFault) return { reason: cause.message, hint: cause.hint };
  const code = systemCodeOf(cause);
  const reason = systemReason(cause);
  return code === undefined ? { reason, hint: "It may be damaged, or its name may be wrong." } : { reason };
}

/**
 * What can be known before there is anything to save. Throws INVALID_INPUT for a name that is not of a kind of place
 * file, FILE_ERROR where no file can be written.
 */
export async function checkSavedFileAsync(path: string): Promise<void> {
  if (!SAVED_FILE.test(path))
    throw invalidInput(`Cannot save a place as ${path}`, "Name a .rbxl or .rbxlx file.");
  try {
    await access(dirname(path), constants.W_OK);
    const present = await stat(path).catch(() => undefined);
    if (present?.isDirectory() === true) throw new Error(IS_FOLDER);
    // A replaced file needs no permission of its own, but a person who protects one wants to keep it.
    if (present?.isFile() === true && (present.mode & OWNER_WRITES) === 0) throw new Error("it is read-only");
  } catch (error) {
    throw unsavable(path, error);
  }
}

function unsavable(path: string, error: unknown): StudioBridgeError {
  const isMissing = systemCodeOf(error) === "ENOENT";
  const reason = isMissing ? "its folder does not exist" : systemReason(error);
  return new StudioBridgeError("FILE_ERROR", `Could not save place: ${path}: ${reason}`, {
    data: { path },
    cause: error,
  });
}

export interface WrittenPlace {
  readonly bytes: number;
  readonly instances: number;
}

/** `place` as the engine's host operation placeSaved gives it. Throws FILE_ERROR; the file is then as it was. */
export async function writePlaceAsync(
  path: string,
  place: Uint8Array,
  kept: KeptValues = new Map(),
): Promise<WrittenPlace> {
  try {
    const schema = loadFileSchema();
    const { model: saved, origins } = decodeSavedPlace(place);
    const model = withKeptValues(toFileModel(saved, schema), origins, kept);
    const content = /x$/i.test(path)
      ? new TextEncoder().encode(writeXmlModel(model))
      : writeBinaryModel(model, (className) => schema.isService(className));
    await writeWholeFileAsync(path, content);
    return { bytes: content.length, instances: model.parents.length };
  } catch (error) {
    throw unsavable(path, error);
  }
}
