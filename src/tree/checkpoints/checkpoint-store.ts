/**
 * Checkpoints on disk: in the state folder, one folder for each place. There they outlive a reload of the plugin, which
 * loses its memory, and the end of Studio. Each has a small file of facts, for lists, and a packed one with the place.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { stateFile } from "../../util/state-folder.ts";
import { systemReason } from "../../util/system-error.ts";
import { writeWholeFileAsync } from "../../util/whole-file.ts";
import type { PlaceCopy } from "./checkpoint-copy.ts";

export const MAX_CHECKPOINTS = 10;
const MAX_BYTES = 200 * 1024 * 1024;
const PRIVATE_FOLDER = 0o700;
const FACTS = ".facts.json";
const COPY = ".copy";
const VERSION = 1;
/** Of places that were not opened since. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

const packAsync = promisify(zstdCompress);
const unpackAsync = promisify(zstdDecompress);

const factsSchema = defineSchema((z) =>
  z.object({
    version: z.literal(VERSION),
    name: z.string(),
    createdAt: z.string(),
    placeName: z.string(),
    instances: z.number(),
    bytes: z.number(),
    /** The moment as `othersChanges` names it. */
    mark: z.string(),
  }),
);
type FactsFile = Readonly<OutputOf<typeof factsSchema>>;

/** What a list shows of a checkpoint, and what is needed to see who changed what since. */
export type CheckpointFacts = Omit<FactsFile, "version">;

/** A place that is not published and has no file is known by its window, for as long as that is open. */
function folderOf({ placeId, placeFile, instanceId }: SessionInfo): string {
  const key =
    placeId !== 0
      ? `place-${placeId}`
      : placeFile === undefined
        ? `window-${instanceId}`
        : `file-${placeFile}`;
  return join(stateFile("checkpoints"), digest(key));
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 24);

const fileOf = (session: SessionInfo, name: string, ending: string): string =>
  join(folderOf(session), `${digest(name)}${ending}`);

/** The newest first. */
export async function listCheckpointsAsync(session: SessionInfo): Promise<readonly CheckpointFacts[]> {
  const folder = folderOf(session);
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(FACTS));
  const facts = await Promise.all(files.map((name) => readFactsAsync(join(folder, name))));
  return facts
    .flatMap((each) => each ?? [])
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
}

/** Undefined for a file that another version of sb or no sb at all has written. */
async function readFactsAsync(path: string): Promise<CheckpointFacts | undefined> {
  try {
    return factsSchema.read(JSON.parse(await readFile(path, "utf8")))?.value;
  } catch {
    return undefined;
  }
}

/** Throws INVALID_INPUT for a name of no checkpoint of this place. */
export async function factsOfAsync(session: SessionInfo, name: string): Promise<CheckpointFacts> {
  const found = await readFactsAsync(fileOf(session, name, FACTS));
  if (found !== undefined) return found;
  const all = await listCheckpointsAsync(session);
  const hint =
    all.length === 0
      ? "This place has none yet; create makes one."
      : `Checkpoints: ${all.map((each) => each.name).join(", ")}.`;
  throw invalidInput(`There is no checkpoint "${name}" of this place.`, hint);
}

export async function loadCopyAsync(session: SessionInfo, name: string): Promise<PlaceCopy> {
  await factsOfAsync(session, name);
  try {
    const packed = await readFile(fileOf(session, name, COPY));
    // Written by `saveCheckpointAsync` of this version, as the facts say.
    return JSON.parse((await unpackAsync(packed)).toString()) as PlaceCopy;
  } catch (error) {
    throw new StudioBridgeError(
      "FILE_ERROR",
      `The checkpoint "${name}" cannot be read: ${systemReason(error)}`,
      {
        hint: "Drop it, and make another.",
        cause: error,
      },
    );
  }
}

/** Throws before anything is read from Studio where there is no room for one more, with what to drop. */
export async function checkRoomAsync(session: SessionInfo, name: string): Promise<void> {
  const all = await listCheckpointsAsync(session);
  if (all.some((each) => each.name === name))
    throw invalidInput(
      `There is a checkpoint "${name}" already.`,
      "Choose another name, drop that one, or restore it.",
    );
  const oldest = all.at(-1);
  if (all.length >= MAX_CHECKPOINTS && oldest !== undefined)
    throw invalidInput(
      `This place has ${MAX_CHECKPOINTS} checkpoints, which is the most.`,
      `Drop one; the oldest is "${oldest.name}".`,
    );
}

export async function saveCheckpointAsync(
  session: SessionInfo,
  facts: Omit<CheckpointFacts, "bytes">,
  copy: PlaceCopy,
): Promise<CheckpointFacts> {
  const packed = await packAsync(Buffer.from(JSON.stringify(copy)));
  await forgetOldAsync();
  const used = await usedBytesAsync();
  if (used + packed.byteLength > MAX_BYTES) throw await fullAsync(session, used, packed.byteLength);
  await mkdir(folderOf(session), { recursive: true, mode: PRIVATE_FOLDER });
  const whole: FactsFile = { ...facts, bytes: packed.byteLength, version: VERSION };
  // A copy without facts is no checkpoint, so that a checkpoint is whole or not there.
  await writeWholeFileAsync(fileOf(session, facts.name, COPY), packed);
  await writeWholeFileAsync(fileOf(session, facts.name, FACTS), Buffer.from(JSON.stringify(whole)));
  return whole;
}

export async function dropCheckpointAsync(session: SessionInfo, name: string): Promise<CheckpointFacts> {
  const facts = await factsOfAsync(session, name);
  await rm(fileOf(session, name, FACTS), { force: true });
  await rm(fileOf(session, name, COPY), { force: true });
  return facts;
}

async function fullAsync(session: SessionInfo, used: number, wanted: number): Promise<StudioBridgeError> {
  const own = (await listCheckpointsAsync(session)).toSorted((one, other) => other.bytes - one.bytes);
  const [largest] = own;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`;
  const hint =
    largest === undefined
      ? `Drop checkpoints of other places: they are in ${stateFile("checkpoints")}.`
      : `Drop one; the largest is "${largest.name}" with ${megabytes(largest.bytes)}.`;
  return invalidInput(
    `The checkpoint needs ${megabytes(wanted)}, and ${megabytes(used)} of ${megabytes(MAX_BYTES)} are used.`,
    hint,
  );
}

interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  readonly changedAtMs: number;
}

async function storedFilesAsync(): Promise<readonly StoredFile[]> {
  const root = stateFile("checkpoints");
  const folders = await readdir(root).catch(() => []);
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder)).catch(() => []);
      return Promise.all(
        names.map(async (name) => {
          const path = join(root, folder, name);
          const facts = await stat(path).catch(() => undefined);
          return facts === undefined ? [] : [{ path, bytes: facts.size, changedAtMs: facts.mtimeMs }];
        }),
      );
    }),
  );
  return lists.flat(2);
}

async function usedBytesAsync(): Promise<number> {
  return (await storedFilesAsync()).reduce((sum, { bytes }) => sum + bytes, 0);
}

async function forgetOldAsync(): Promise<void> {
  const before = Date.now() - KEPT_MS;
  for (const { path, changedAtMs } of await storedFilesAsync())
    if (changedAtMs < before) await rm(path, { force: true });
}
