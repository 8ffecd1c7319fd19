/**
 * Places that headless Studios held when they ended, and that were not saved: in the state folder, beside the checkpoints.
 * Each has a place file and a small file of facts. Only the newest stay.
 */
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import { randomHex } from "../util/random-hex.ts";
import { stateFile } from "../util/state-folder.ts";
import { systemReason } from "../util/system-error.ts";
import { writeWholeFileAsync } from "../util/whole-file.ts";

const MAX_PLACES = 5;
const MAX_BYTES = 200 * 1024 * 1024;
const PRIVATE_FOLDER = 0o700;
const FACTS = ".json";
const PLACE = ".rbxl";
const VERSION = 1;
/** What a name consists of, so that it needs no quotes on a command line and is the name of a file. */
const MAX_NAME = 40;
/** Of files that a process did not finish, because it was killed. */
const ABANDONED_MS = 60 * 60 * 1_000;

export interface KeptPlace {
  readonly name: string;
  readonly placeName: string;
  /** The file that the place was opened from or last saved to. */
  readonly placeFile?: string;
  readonly keptAt: string;
  readonly bytes: number;
  /** The place file. */
  readonly path: string;
}

interface FactsFile extends Omit<KeptPlace, "path"> {
  readonly version: number;
}

const folder = (): string => stateFile("kept-places");

/** The newest first. */
export async function listKeptPlacesAsync(): Promise<readonly KeptPlace[]> {
  const names = await readdir(folder()).catch(() => []);
  const kept = await Promise.all(names.filter((name) => name.endsWith(FACTS)).map(readFactsAsync));
  return kept
    .flatMap((each) => each ?? [])
    .toSorted((one, other) => other.keptAt.localeCompare(one.keptAt) || one.name.localeCompare(other.name));
}

/** Undefined for a file that another version of sb or no sb at all has written, and where the place is gone. */
async function readFactsAsync(file: string): Promise<KeptPlace | undefined> {
  try {
    const facts: Partial<FactsFile> = JSON.parse(await readFile(join(folder(), file), "utf8"));
    const { version, placeName, placeFile, keptAt } = facts;
    if (version !== VERSION || typeof placeName !== "string" || typeof keptAt !== "string") return undefined;
    const name = file.slice(0, -FACTS.length);
    const path = join(folder(), `${name}${PLACE}`);
    const { size } = await stat(path);
    const known = typeof placeFile === "string" ? { placeFile } : {};
    return { name, placeName, ...known, keptAt, bytes: size, path };
  } catch {
    return undefined;
  }
}

/** Throws INVALID_INPUT for a name that no place was kept under, or that is gone by now. */
export async function findKeptPlaceAsync(name: string): Promise<KeptPlace> {
  const all = await listKeptPlacesAsync();
  const found = all.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const names = all.map((each) => each.name).join(", ");
  throw invalidInput(
    `No place is kept under the name ${name}.`,
    all.length === 0 ? "No place is kept." : `Kept places: ${names}. Only the newest ${MAX_PLACES} are kept.`,
  );
}

interface Kept {
  readonly name: string;
  /** Names of those that had to go for it. */
  readonly dropped: string[];
}

type NewPlace = Pick<KeptPlace, "placeName" | "placeFile">;
type WritePlace = (path: string) => Promise<void>;

/** Keeps one more; `writeAsync` writes the place file. Throws FILE_ERROR. */
export async function keepPlaceAsync(place: NewPlace, writeAsync: WritePlace): Promise<Kept> {
  try {
    return await addAsync(place, writeAsync);
  } catch (error) {
    if (error instanceof StudioBridgeError) throw error;
    throw new StudioBridgeError(
      "FILE_ERROR",
      `Could not keep the place: ${folder()}: ${systemReason(error)}`,
      {
        data: { path: folder() },
        cause: error,
      },
    );
  }
}

async function addAsync({ placeName, placeFile }: NewPlace, writeAsync: WritePlace): Promise<Kept> {
  await mkdir(folder(), { recursive: true, mode: PRIVATE_FOLDER });
  await sweepAsync();
  const name = `${fileName(placeName)}-${randomHex(2)}`;
  const path = join(folder(), `${name}${PLACE}`);
  await writeAsync(path);
  const { size: bytes } = await stat(path);
  const known = placeFile === undefined ? {} : { placeFile };
  const facts: FactsFile = {
    version: VERSION,
    name,
    placeName,
    ...known,
    keptAt: new Date().toISOString(),
    bytes,
  };
  // A place without facts is not listed, so that one is whole or not there.
  await writeWholeFileAsync(join(folder(), `${name}${FACTS}`), Buffer.from(JSON.stringify(facts)));
  return { name, dropped: await dropOldAsync(name) };
}

function fileName(placeName: string): string {
  const plain = placeName
    .replace(/\.(?:rbx[lm]x?|project\.jsonc?)$/i, "")
    .replace(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain.slice(0, MAX_NAME) || "place";
}

/** The new one stays, however large it is. */
async function dropOldAsync(added: string): Promise<string[]> {
  const all = await listKeptPlacesAsync();
  const rest = all.filter(({ name }) => name !== added);
  let used = all.find(({ name }) => name === added)?.bytes ?? 0;
  const dropped: string[] = [];
  for (const [index, { name, bytes }] of rest.entries()) {
    used += bytes;
    if (index + 1 < MAX_PLACES && used <= MAX_BYTES) continue;
    dropped.push(name);
    await rm(join(folder(), `${name}${FACTS}`), { force: true });
    await rm(join(folder(), `${name}${PLACE}`), { force: true });
  }
  return dropped;
}

/** Removes what processes left that were killed while they kept a place: places without facts, and files half written. */
async function sweepAsync(): Promise<void> {
  const names = await readdir(folder());
  const before = Date.now() - ABANDONED_MS;
  for (const name of names) {
    const isWhole = name.endsWith(FACTS) || names.includes(name.replace(/\.rbxl$/, FACTS));
    const path = join(folder(), name);
    const facts = isWhole ? undefined : await stat(path).catch(() => undefined);
    if (facts !== undefined && facts.mtimeMs < before) await rm(path, { force: true });
  }
}
