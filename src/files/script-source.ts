/**
 * Reads a script the way `run` and `exec -` take it: strict UTF-8 text of bounded size, without a byte order mark and
 * without the line that names an interpreter. Each way it can fail is one sentence with the next step.
 */
import { errorCodes, StudioBridgeError } from "../protocol/errors.ts";
import { limits } from "../protocol/limits.ts";
import { checkPath } from "../protocol/messages.ts";
import { decodeStrictly } from "../util/strict-utf8.ts";
import { IS_FOLDER, systemCodeOf, systemReason } from "../util/system-error.ts";

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
  return { name: path, text: decodeScript(await readFileAsync(path, scriptFile), path) };
}

/** The `*.luau` files of a folder, not of those in it, in byte order; any other path is a file. Throws FILE_ERROR. */
export async function scriptsInAsync(path: string): Promise<readonly string[]> {
  const [{ readdir, stat }, { join }] = await Promise.all([import("node:fs/promises"), import("node:path")]);
  const isFolder = await stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  if (!isFolder) return [path];
  try {
    const entries = await readdir(path, { withFileTypes: true });
    const scripts = entries
      .filter((entry) => entry.name.endsWith(".luau") && !entry.isDirectory())
      .map(({ name }) => join(path, name))
      .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    if (scripts.length > 0) return scripts;
  } catch (error) {
    throw unreadable(scriptFile, path, ...reasonOf(path, error), error);
  }
  throw unreadable(
    scriptFile,
    path,
    "the folder has no *.luau file",
    "Folders below it are not searched; name the one that has the scripts.",
  );
}

/** Checked text of a script. Throws FILE_ERROR naming `name` and the place of the fault. */
export function decodeScript(bytes: Uint8Array, name: string): string {
  // The line itself stays, so that messages name the right ones.
  return decodeText(bytes, name, scriptFile).replace(/^#![^\r\n]*/, "");
}

/** The text of a source that is put into a script, to the byte but for a byte order mark. Throws FILE_ERROR. */
export const decodeSource = (bytes: Uint8Array, name: string): string => decodeText(bytes, name, scriptFile);

/** As `decodeSource`. */
export async function readSourceFileAsync(path: string): Promise<string> {
  return decodeSource(await readFileAsync(path, scriptFile), path);
}

/** The text of a file that a script gets as its input. Throws FILE_ERROR. */
export async function readInputFileAsync(path: string): Promise<string> {
  return decodeText(await readFileAsync(path, inputFile), path, inputFile);
}

/** A kind of text file, and the next step where one cannot be taken. */
interface TextFile {
  readonly noun: string;
  readonly limitBytes: number;
  readonly ifFolder: string;
  readonly ifBinary: string;
  readonly ifTooLarge: string;
}

const scriptFile: TextFile = {
  noun: "script file",
  limitBytes: SCRIPT_LIMIT_BYTES,
  ifFolder: "Name the script files in it.",
  ifBinary: "Pass Luau source, not a place, a model or bytecode.",
  ifTooLarge: "Split it into ModuleScripts or files.",
};
const inputFile: TextFile = {
  noun: "input file",
  limitBytes: limits.inputBytes,
  ifFolder: "Name a file in it.",
  ifBinary: "Pass text; encode other bytes first, for example as Base64.",
  ifTooLarge: "Pipe it to sb, and read it line by line with sb.readLine().",
};

async function readFileAsync(path: string, kind: TextFile): Promise<Uint8Array> {
  try {
    const { open } = await import("node:fs/promises");
    await using file = await open(path, "r");
    const facts = await file.stat();
    if (facts.isDirectory()) throw unreadable(kind, path, IS_FOLDER, kind.ifFolder);
    if (facts.isFile() && facts.size > kind.limitBytes) throw tooLarge(kind, path, facts.size);
    return await file.readFile();
  } catch (error) {
    if (error instanceof StudioBridgeError) throw error;
    throw unreadable(kind, path, ...reasonOf(path, error), error);
  }
}

function decodeText(bytes: Uint8Array, name: string, kind: TextFile): string {
  if (bytes.byteLength > kind.limitBytes) throw tooLarge(kind, name);
  if (bytes.includes(0)) throw unreadable(kind, name, "it is not a text file", kind.ifBinary);
  const text = decodeStrictly(bytes);
  if (typeof text === "string") return text;
  throw unreadable(
    kind,
    name,
    `not valid UTF-8 at line ${text.line}, byte ${text.column}`,
    "Save it as UTF-8.",
  );
}

/** A name short enough for the wire; the end tells files apart better than the start. */
export function chunkNameOf(name: string): string {
  return name.length <= CHUNK_NAME_LIMIT ? name : `…${name.slice(1 - CHUNK_NAME_LIMIT)}`;
}

function unreadable(
  { noun }: TextFile,
  path: string,
  reason: string,
  hint: string,
  cause?: unknown,
): StudioBridgeError {
  return new StudioBridgeError("FILE_ERROR", `Could not read ${noun}: ${path}: ${reason}`, {
    hint,
    data: { path },
    cause,
  });
}

/** Without a size for what was not read to its end. */
function tooLarge(kind: TextFile, path: string, sizeBytes?: number): StudioBridgeError {
  const limit = `${kind.limitBytes / 1024 / 1024} MB`;
  const reason =
    sizeBytes === undefined
      ? `it has more than ${limit}`
      : `it has ${(sizeBytes / 1024 / 1024).toFixed(1)} MB, the limit is ${limit}`;
  return unreadable(kind, path, reason, kind.ifTooLarge);
}

/** Texts from codes, because runtimes word the same failure differently. */
function reasonOf(path: string, error: unknown): [reason: string, hint: string] {
  switch (systemCodeOf(error)) {
    case "ENOENT":
      return ["no such file", checkPath(path)];
    case "EACCES":
    case "EPERM":
      return [systemReason(error), "Make it readable, for example with chmod +r."];
    default:
      return [systemReason(error), errorCodes.FILE_ERROR.cure];
  }
}
