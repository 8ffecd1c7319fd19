/**
 * Reads and writes data stores as JSON files in a folder, one file for each store. People write such files too, as
 * fixtures. For them, any name that ends in .json will do, one version may replace a list, and a version needs only a
 * value.
 */
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { randomHex } from "../../util/random-hex.ts";
import { systemReason } from "../../util/system-error.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { jsonFault, storeFault, versionFault } from "./check-fixture.ts";
import { dataFault } from "./data-fault.ts";
import { LocalData, type StoreId } from "./local-data.ts";

const STAGING = /\.json\.[0-9a-f]{8}\.tmp$/;

interface StoreFile {
  readonly id: StoreId;
  readonly keys: ReadonlyMap<string, readonly string[]>;
}

/**
 * Opens all stores of a folder. With `isWritten`, each change is written to its file before the script's request ends;
 * otherwise the files stay as they are. Throws FILE_ERROR.
 */
export function openDataFolder(
  folder: string,
  { isWritten, isThrottled = false }: { readonly isWritten: boolean; readonly isThrottled?: boolean },
): LocalData {
  if (isWritten) removeStaging(folder);
  const files = new Map<StoreId, string>();
  const data = new LocalData(
    (store) => {
      if (isWritten) writeStore(files.get(store) ?? join(folder, fileName(store)), store, data);
    },
    { isThrottled },
  );
  for (const name of storeFilesIn(folder)) {
    const path = join(folder, name);
    const { id, keys } = readStore(path);
    const other = files.get(id);
    if (other !== undefined) throw dataFault(path, `is the same data store as ${visibleOnOneLine(other)}`);
    files.set(id, path);
    try {
      data.load(id, keys);
    } catch (error) {
      throw dataFault(path, systemReason(error));
    }
  }
  return data;
}

/** The names of the files that contain a store. */
function storeFilesIn(folder: string): readonly string[] {
  return everyNameIn(folder)
    .filter((name) => name.endsWith(".json"))
    .sort();
}

/** Removes unfinished files, which a killed process has left. */
function removeStaging(folder: string): void {
  for (const name of everyNameIn(folder)) if (STAGING.test(name)) rmSync(join(folder, name), { force: true });
}

function everyNameIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw dataFault(folder, systemReason(error), "Name a folder with data stores, or memory for empty ones.");
  }
}

function readStore(path: string): StoreFile {
  const content = parsed(path);
  const fault = storeFault(content);
  if (fault !== undefined) throw dataFault(path, fault);
  const { kind = "standard", name, scope = "global", keys } = Object(content);
  const isOrdered = kind === "ordered";
  return {
    id: JSON.stringify([kind, name, scope]),
    keys: new Map(Object.entries(keys).map(([key, given]) => [key, versionsOf(path, key, given, isOrdered)])),
  };
}

function parsed(path: string): unknown {
  const text = textOf(path);
  try {
    return JSON.parse(text);
  } catch {
    throw dataFault(path, jsonFault(text));
  }
}

function textOf(path: string): string {
  try {
    // Unlike the encoding of readFileSync, the decoder drops the byte order mark that some editors write.
    return new TextDecoder().decode(readFileSync(path));
  } catch (error) {
    throw dataFault(path, systemReason(error));
  }
}

function versionsOf(path: string, key: string, given: unknown, isOrdered: boolean): readonly string[] {
  const versions: readonly unknown[] = Array.isArray(given) ? given : [given];
  return versions.map((version) => {
    const fault = versionFault(version, isOrdered);
    if (fault !== undefined) throw dataFault(path, `keys: ${JSON.stringify(key)}: ${fault}`);
    return JSON.stringify(version);
  });
}

/** Writes the file of a store whole or not at all: the old file stays until the new one is complete. */
function writeStore(path: string, store: StoreId, data: LocalData): void {
  const staging = `${path}.${randomHex(4)}.tmp`;
  try {
    const file = openSync(staging, "wx", 0o600);
    try {
      const bytes = Buffer.from(storeText(store, data));
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(staging, path);
  } catch (error) {
    rmSync(staging, { force: true });
    throw dataFault(path, systemReason(error));
  }
}

/** The JSON of a store, with one line for each key, so that people can read and compare the files. */
function storeText(store: StoreId, data: LocalData): string {
  const [kind, name, scope]: readonly unknown[] = JSON.parse(store);
  const head = JSON.stringify({ kind, name, scope }).slice(1, -1);
  const lines = data.keys(store).map((key) => {
    const versions = data.versions(store, key);
    const [only = ""] = versions;
    const text = versions.length === 1 ? only : `[\n      ${versions.join(",\n      ")}\n    ]`;
    return `\n    ${JSON.stringify(key)}: ${text}`;
  });
  return `{\n  ${head},\n  "keys": {${lines.join(",")}\n  }\n}\n`;
}

/** A hash of the store's identity, because names of stores may contain characters that names of files must not contain. */
function fileName(store: StoreId): string {
  return `${createHash("sha256").update(store).digest("hex").slice(0, 32)}.json`;
}
