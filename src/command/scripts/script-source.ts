/**
 * Reads a script the way `run` and `exec -` take it: strict UTF-8 text of bounded size, without a byte order mark and
 * without the line that names an interpreter. Each way it can fail is one sentence with the next step.
 */
import { errorCodes, StudioBridgeError } from "../../protocol/errors.ts";
import { CHECK_RELATIVE_PATH } from "../../protocol/messages.ts";
import { decodeStrictly } from "../../util/strict-utf8.ts";
import { IS_FOLDER, systemCodeOf, systemReason } from "../../util/system-error.ts";

export const SCRIPT_LIMIT_BYTES = 5 * 1024 * 1024;

/** What errors and tracebacks may call a script (the wire allows 256 characters). */
const CHUNK_NAME_LIMIT = 256;

export interface ScriptSource {
  /** The path as typed, or `stdin`. */
  readonly name: string;
  readonly text: string;
}

/** Throws FILE_ERROR. */
export async function readScriptFileAsync(path: string): Promise<ScriptSource> {
  try {
    const { open } = await import("node:fs/promises");
    await using file = await open(path, "r");
    const facts = await file.stat();
    if (facts.isDirectory()) throw unreadable(path, IS_FOLDER, "Name the script files in it.");
    if (facts.isFile() && facts.size > SCRIPT_LIMIT_BYTES) throw tooLarge(path, facts.size);
    return { name: path, text: decodeScript(await file.readFile(), path) };
  } catch (error) {
    if (error instanceof StudioBridgeError) throw error;
    throw unreadable(path, ...reasonOf(error), error);
  }
}

/** Checked text of a script. Throws FILE_ERROR naming `name` and the place of the fault. */
export function decodeScript(bytes: Uint8Array, name: string): string {
  if (bytes.byteLength > SCRIPT_LIMIT_BYTES) throw tooLarge(name);
  if (bytes.includes(0))
    throw unreadable(name, "it is not a text file", "Pass Luau source, not a place, a model or bytecode.");
  const text = decodeStrictly(bytes);
  if (typeof text !== "string")
    throw unreadable(name, `not valid UTF-8 at line ${text.line}, byte ${text.column}`, "Save it as UTF-8.");
  // The line itself stays, so that messages name the right ones.
  return text.replace(/^#![^\r\n]*/, "");
}

/** A name short enough for the wire; the end tells files apart better than the start. */
export function chunkNameOf(name: string): string {
  return name.length <= CHUNK_NAME_LIMIT ? name : `…${name.slice(1 - CHUNK_NAME_LIMIT)}`;
}

function unreadable(path: string, reason: string, hint: string, cause?: unknown): StudioBridgeError {
  return new StudioBridgeError("FILE_ERROR", `Could not read script file: ${path}: ${reason}`, {
    hint,
    data: { path },
    cause,
  });
}

/** Without a size for what was not read to its end. */
function tooLarge(path: string, sizeBytes?: number): StudioBridgeError {
  const limit = `${SCRIPT_LIMIT_BYTES / 1024 / 1024} MB`;
  const reason =
    sizeBytes === undefined
      ? `it has more than ${limit}`
      : `it has ${(sizeBytes / 1024 / 1024).toFixed(1)} MB, the limit is ${limit}`;
  return unreadable(path, reason, "Split it into ModuleScripts or files.");
}

/** Texts from codes, because runtimes word the same failure differently. */
function reasonOf(error: unknown): [reason: string, hint: string] {
  switch (systemCodeOf(error)) {
    case "ENOENT":
      return ["no such file", CHECK_RELATIVE_PATH];
    case "EACCES":
    case "EPERM":
      return [systemReason(error), "Make it readable, for example with chmod +r."];
    default:
      return [systemReason(error), errorCodes.FILE_ERROR.cure];
  }
}
