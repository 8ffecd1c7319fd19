/**
 * Keeps the base of a project and a place, which is what both sides held after the last sync, as one file in the state
 * folder: a line of facts, the tree, and a line for each source that both sides have agreed on since the tree was written.
 * A file that is broken, or that another version wrote, counts as no base and is reported.
 */
import { appendFile, mkdir, readFile, rm, stat } from "node:fs/promises";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { utf8ByteString } from "../../util/bytes.ts";
import { parsedJson } from "../../util/parsed-json.ts";
import { systemCodeOf, systemReason } from "../../util/system-error.ts";
import { writeWholeFileAsync } from "../../util/whole-file.ts";
import { baseFile, type SyncState } from "../state-paths.ts";
import type { PlaceIdentity } from "../types.ts";
import { bytesOfTree, treeOfBytes } from "./base-bytes.ts";

export interface Base {
  readonly root: RojoNode;
  /** The commit that was checked out at that time, if the project is in git. */
  readonly head?: string;
  /** The life of the plugin that the nodes' `studioId`s are from. */
  readonly generation?: string;
}

export interface LoadedBase {
  readonly base?: Base;
  /** Why a base that exists does not count, for people. */
  readonly notice?: string;
}

const VERSION = 3;
const PRIVATE_FOLDER = 0o700;

/**
 * `generation` names the life of the plugin now. Numbers of another life are left out, because they mean other Instances.
 */
export async function loadBaseAsync(
  state: SyncState,
  place: PlaceIdentity,
  generation?: string,
): Promise<LoadedBase> {
  const path = baseFile(state, place);
  if (path === undefined) return {};
  try {
    const base = parseBase(await readFile(path));
    if (base.generation !== generation) forgetIds(base.root);
    return { base };
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return {};
    return {
      notice: `What was last synced with this place cannot be read (${path}: ${systemReason(error)}). This sync starts without it and removes nothing.`,
    };
  }
}

/** Throws the system's error. Does nothing for a place that cannot be known again. */
export async function saveBaseAsync(state: SyncState, place: PlaceIdentity, base: Base): Promise<void> {
  const path = baseFile(state, place);
  if (path === undefined) return;
  await mkdir(state.folder, { recursive: true, mode: PRIVATE_FOLDER });
  const body = bytesOfTree(base.root);
  const facts = {
    version: VERSION,
    checksum: checksumOf(body),
    size: body.byteLength,
    head: base.head,
    generation: base.generation,
  };
  await writeWholeFileAsync(path, Buffer.concat([Buffer.from(`${JSON.stringify(facts)}\n`), body]));
}

/** The source that a script has on both sides now; `studioId` is the script's number in the life of the plugin that the base is from. */
export interface AgreedSource {
  readonly studioId: number;
  readonly source: string;
}

/**
 * Adds sources to the base that is there, which takes no longer for a large project. Throws the system's error. Does nothing
 * without a base.
 */
export async function addSourcesToBaseAsync(
  state: SyncState,
  place: PlaceIdentity,
  sources: readonly AgreedSource[],
): Promise<void> {
  const path = baseFile(state, place);
  if (path === undefined || (await stat(path).catch(() => undefined)) === undefined) return;
  await appendFile(path, sources.map((source) => `\n${JSON.stringify(source)}\n`).join(""));
}

export async function forgetBaseAsync(state: SyncState, place: PlaceIdentity): Promise<void> {
  const path = baseFile(state, place);
  if (path !== undefined) await rm(path, { force: true });
}

function forgetIds(node: RojoNode): void {
  delete node.studioId;
  for (const child of node.children) forgetIds(child);
}

/** The first line states the version, and the size and the checksum of the tree. */
function parseBase(file: Buffer): Base {
  const end = file.indexOf("\n");
  const facts: unknown = JSON.parse(file.toString("utf8", 0, Math.max(end, 0)));
  const { version, checksum, size, head, generation } = Object(facts);
  if (version !== VERSION) throw new Error(`version ${String(version)} is not known`);
  const body = file.subarray(end + 1, end + 1 + Number(size));
  if (checksum !== checksumOf(body)) throw new Error("its checksum is wrong");
  const root = treeOfBytes(body);
  takeSources(root, sourcesOf(file.toString("utf8", end + 1 + body.byteLength)));
  return {
    root,
    ...(typeof head === "string" ? { head } : {}),
    ...(typeof generation === "string" ? { generation } : {}),
  };
}

/** By the numbers of the scripts; later lines count. A line that was cut off when its writer was killed is left out. */
function sourcesOf(lines: string): ReadonlyMap<number, string> {
  const sources = new Map<number, string>();
  for (const line of lines.split("\n")) {
    const { studioId, source } = Object(parsedJson(line));
    if (typeof studioId === "number" && typeof source === "string") sources.set(studioId, source);
  }
  return sources;
}

function takeSources(node: RojoNode, sources: ReadonlyMap<number, string>): void {
  if (sources.size === 0) return;
  const source = node.studioId === undefined ? undefined : sources.get(node.studioId);
  if (source !== undefined) node.properties.set("Source", { type: "String", value: utf8ByteString(source) });
  for (const child of node.children) takeSources(child, sources);
}

const checksumOf = (bytes: Uint8Array): string => Bun.hash(bytes).toString(16);
