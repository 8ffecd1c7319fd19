/** The configuration file of one client: plans a change, and writes it. */
import { copyFile, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { decodeStrictly } from "../util/strict-utf8.ts";
import { systemCodeOf } from "../util/system-error.ts";
import { placeOf, TextFault } from "../util/text-fault.ts";
import { writeWholeFileAsync } from "../util/whole-file.ts";
import { SERVER_NAME } from "./clients.ts";
import type { Client, ServerEntry } from "./clients.ts";
import { readJson, removeJsonServer, setJsonServer } from "./json-server.ts";
import { readToml, removeTomlServer, setTomlServer } from "./toml-edit.ts";

type Format = Pick<Client, "format" | "serversKey">;

export interface ConfigChange {
  readonly path: string;
  /** Undefined where there is no file yet. */
  readonly before: string | undefined;
  readonly after: string;
  /** Whether the server was there before. */
  readonly wasThere: boolean;
}

/** The entry to write, made from the one that is there. */
export type EntryOf = (present: unknown) => ServerEntry;

/** Without an entry, removes the server. Rejects with an error whose message names the place of a fault. */
export async function planChangeAsync(
  format: Format,
  path: string,
  entryOf: EntryOf | undefined,
): Promise<ConfigChange> {
  const before = await readAsync(path);
  const text = before ?? "";
  // Nothing is to be removed here, so the file may even be malformed.
  if (entryOf === undefined && !text.includes(SERVER_NAME))
    return { path, before, after: text, wasThere: false };
  try {
    const old = servers(format, text);
    const entry = entryOf?.(old.own);
    const after = changed(format, text, entry);
    const fresh = servers(format, after);
    // The edit must have left everything else alone, which is compared rather than trusted.
    if (!Bun.deepEquals(old.others, fresh.others) || (fresh.own === undefined) !== (entry === undefined))
      throw new TextFault("this file is written in a way that sb cannot change safely", 0);
    return { path, before, after, wasThere: old.own !== undefined };
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    const { line, column } = placeOf(text, error.offset);
    throw new Error(`${path}:${line}:${column}: ${error.message}`, { cause: error });
  }
}

/** Gives the path of the file as it was, where there was one. */
export async function writeChangeAsync({ path, before, after }: ConfigChange): Promise<string | undefined> {
  await mkdir(dirname(path), { recursive: true });
  const backup = before === undefined ? undefined : `${path}.bak`;
  if (backup !== undefined) {
    // The system lets a read-only file be replaced if its folder is writable, but its owner does not want that.
    if (((await stat(path)).mode & 0o200) === 0) throw new Error(`${path} is marked as read-only`);
    await copyFile(path, backup);
  }
  if ((await readAsync(path)) !== before)
    throw new Error(`${path} was changed by another program just now; try again`);
  await writeWholeFileAsync(path, new TextEncoder().encode(after));
  return backup;
}

function changed({ format, serversKey }: Format, text: string, entry: ServerEntry | undefined): string {
  if (format === "toml")
    return entry === undefined
      ? removeTomlServer(text, serversKey, SERVER_NAME)
      : setTomlServer(text, serversKey, SERVER_NAME, { ...entry });
  return entry === undefined
    ? removeJsonServer(text, serversKey, SERVER_NAME)
    : setJsonServer(text, serversKey, SERVER_NAME, { ...entry });
}

/** The server's own entry and everything else; a missing list of servers is an empty one. */
function servers(
  { format, serversKey }: Format,
  text: string,
): { readonly own: unknown; readonly others: unknown } {
  const root = Object.entries(Object(format === "toml" ? readToml(text) : readJson(text)));
  const list = Object.entries(Object(root.find(([key]) => key === serversKey)?.[1] ?? {}));
  return {
    own: list.find(([name]) => name === SERVER_NAME)?.[1],
    others: [root.filter(([key]) => key !== serversKey), list.filter(([name]) => name !== SERVER_NAME)],
  };
}

async function readAsync(path: string): Promise<string | undefined> {
  try {
    return textOf(await Bun.file(path).bytes(), path);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** With its byte order mark, where it has one. */
function textOf(bytes: Uint8Array, path: string): string {
  const text = decodeStrictly(bytes, { keepsMark: true });
  if (typeof text === "string") return text;
  throw new Error(`${path}:${text.line}:${text.column}: not valid UTF-8`);
}
