/** Reads the bytes of a place or model file by what is in them, because file names do not always tell the truth. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { systemCodeOf, systemReason } from "../util/system-error.ts";
import { isBinaryModel, readBinaryModel, type ReadModel } from "./binary-reader.ts";
import { isPointerFile, POINTER_FILE } from "./pointer-file.ts";
import { readXmlModel, xmlTextOf } from "./xml-reader.ts";

/** The names of all four formats. */
export const MODEL_FILE = /\.rbx[lm]x?$/i;
/** The names of the formats of models. */
export const IS_MODEL_NOT_PLACE = /\.rbxmx?$/i;
export const MAX_FILE_BYTES = 512 * 1024 * 1024;
/** What it becomes takes several times the memory of its text. */
const MAX_XML_BYTES = 128 * 1024 * 1024;

/** Why a file cannot be read as a model, and what to do about it. */
export class ModelFault extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = "ModelFault";
    this.hint = hint;
  }
}

export const fileTooLarge = () =>
  new ModelFault("it is larger than 512 MB", "Take away what the scripts do not need.");

/** Leaves out the values of `ignored` properties of a binary file. Throws ModelFault, and Error for what is damaged. */
export function readModelFile(file: Uint8Array, ignored?: ReadonlySet<string>): ReadModel {
  if (isPointerFile(file)) throw new ModelFault(POINTER_FILE, "Fetch it with `git lfs pull`.");
  if (isBinaryModel(file)) return readBinaryModel(file, ignored);
  if (file.length > MAX_XML_BYTES)
    throw new ModelFault("XML of more than 128 MB is not read", "Save it as .rbxl or .rbxm.");
  return readXmlModel(xmlTextOf(file));
}

/** The error of a place or model that cannot be read. What is not the system's own error was found in the content. */
export function unreadableFile(noun: "place" | "model", path: string, cause: unknown): StudioBridgeError {
  const damaged =
    systemCodeOf(cause) === undefined ? "It may be damaged, or its name may be wrong." : undefined;
  const hint = cause instanceof ModelFault ? cause.hint : damaged;
  return new StudioBridgeError("FILE_ERROR", `Could not read ${noun}: ${path}: ${systemReason(cause)}`, {
    data: { path },
    cause,
    ...(hint === undefined ? {} : { hint }),
  });
}
