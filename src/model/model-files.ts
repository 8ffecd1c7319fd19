/** The files of `sb insert` and `sb export`: which are read and written, and the errors where that fails. */
import { access, constants, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { modelFileOfAsync, readModelBytesAsync } from "../headless/index.ts";
import { limits } from "../protocol/limits.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { fileNotFound, invalidInput } from "../protocol/messages.ts";
import type { FileCaller } from "../project/file-roots.ts";
import { readableFileAsync } from "../project/readable-file.ts";
import { unreadableFile } from "../roblox/model-file.ts";
import { IS_FOLDER, systemCodeOf, systemReason } from "../util/system-error.ts";
import { writeNewFileAsync, writeWholeFileAsync } from "../util/whole-file.ts";
import type { AgentTarget } from "./agent-target.ts";

const READ = /\.(?:rbxmx?|model\.jsonc?)$/i;
const WRITTEN = /\.rbxmx?$/i;
const PLACE = /\.rbxlx?$/i;
const PROJECT = /\.project\.jsonc?$/i;

const KIND = {
  noun: "model file",
  names: "a .rbxm, .rbxmx or .model.json file",
  isOne: (path: string) => READ.test(path),
};

/** The bytes of a binary model. Throws INVALID_INPUT for what is no model, FILE_ERROR for what cannot be read. */
export async function readModelAsync(path: string, caller: FileCaller): Promise<Uint8Array> {
  const file = await readableFileAsync(path, KIND, caller);
  if (!READ.test(file)) throw invalidInput(`Not a model file: ${path}`, otherKindHint(path));
  const bytes = await readModelBytesAsync(file).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (bytes.length > limits.modelBytes)
    throw invalidInput(
      `The model has ${megabytes(bytes.length)} MB; at most ${megabytes(limits.modelBytes)} MB can be inserted: ${path}`,
      "Split it into several files, or insert it in Roblox Studio (Insert from File).",
    );
  return bytes;
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024);

function otherKindHint(path: string): string {
  if (PLACE.test(path)) return `It is a place. ${EXPORT_FIRST}`;
  if (PROJECT.test(path)) return "Make a model of the project: sb build PROJECT -o model.rbxm.";
  return "Name a .rbxm, .rbxmx or .model.json file, or the number of an asset.";
}

const EXPORT_FIRST = "Take what you need out of it: sb export PATH -o model.rbxm --headless --place FILE.";

const unreadable = (path: string, error: unknown): StudioBridgeError =>
  systemCodeOf(error) === "ENOENT" ? fileNotFound("model", path) : unreadableFile("model", path, error);

/** Throws before Studio is asked for anything: for a name of another kind, a file that is there, a folder that is not. */
export async function checkTargetAsync(path: string, force: boolean): Promise<void> {
  if (!WRITTEN.test(path))
    throw invalidInput(
      `Cannot export to ${path}`,
      PLACE.test(path)
        ? "Name a .rbxm or .rbxmx file; `sb export game -o FILE.rbxl` writes the whole place."
        : "Name a .rbxm or .rbxmx file.",
    );
  const present = await stat(path).catch(() => undefined);
  if (present?.isDirectory() === true) throw unwritable(path, new Error(IS_FOLDER));
  if (present?.isFile() === true && !force)
    throw new StudioBridgeError("FILE_ERROR", `The file exists already: ${path}`, {
      hint: "Choose another name, or add --force to replace it.",
      data: { path },
    });
  await access(dirname(path), constants.W_OK).catch((error: unknown) => {
    throw unwritable(path, error);
  });
}

/** How many bytes the file has. Throws FILE_ERROR; a file that was there is then as it was. */
export async function writeModelAsync(path: string, model: Uint8Array): Promise<number> {
  try {
    const content = await modelFileOfAsync(model, path);
    await writeWholeFileAsync(path, content);
    return content.length;
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** The same for an agent: a new file never replaces another, and an old one only the content that was looked at. */
export async function writeForAgentAsync(
  { path, replaced }: AgentTarget,
  model: Uint8Array,
): Promise<number> {
  try {
    const content = await modelFileOfAsync(model, path);
    if (replaced === undefined) await writeNewFileAsync(path, content);
    else if (replaced.equals(await readFile(path))) await writeWholeFileAsync(path, content);
    else throw new Error("it has changed meanwhile");
    return content.length;
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): StudioBridgeError {
  const isMissing = systemCodeOf(error) === "ENOENT";
  const reason = isMissing ? "its folder does not exist" : systemReason(error);
  return new StudioBridgeError("FILE_ERROR", `Could not write model: ${path}: ${reason}`, {
    data: { path },
    cause: error,
    ...(isMissing ? { hint: `Make the folder ${dirname(path)} first.` } : {}),
  });
}
