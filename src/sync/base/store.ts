/**
 * Keeps the base of a project and a place, which is what both sides held after the last sync, as one file in the state
 * folder. A file that is broken, or that another version wrote, counts as no base and is reported.
 */
import { mkdir, readFile, rm } from "node:fs/promises";
import type { RojoNode } from "../../roblox/rojo/node.ts";
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

const VERSION = 2;
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
    head: base.head,
    generation: base.generation,
  };
  await writeWholeFileAsync(path, Buffer.concat([Buffer.from(`${JSON.stringify(facts)}\n`), body]));
}

export async function forgetBaseAsync(state: SyncState, place: PlaceIdentity): Promise<void> {
  const path = baseFile(state, place);
  if (path !== undefined) await rm(path, { force: true });
}

function forgetIds(node: RojoNode): void {
  delete node.studioId;
  for (const child of node.children) forgetIds(child);
}

/** The first line states the version and the checksum of everything behind it. */
function parseBase(file: Buffer): Base {
  const end = file.indexOf("\n");
  const facts: unknown = JSON.parse(file.toString("utf8", 0, Math.max(end, 0)));
  const { version, checksum, head, generation } = Object(facts);
  if (version !== VERSION) throw new Error(`version ${String(version)} is not known`);
  const body = file.subarray(end + 1);
  if (checksum !== checksumOf(body)) throw new Error("its checksum is wrong");
  const root = treeOfBytes(body);
  return {
    root,
    ...(typeof head === "string" ? { head } : {}),
    ...(typeof generation === "string" ? { generation } : {}),
  };
}

const checksumOf = (bytes: Uint8Array): string => Bun.hash(bytes).toString(16);
