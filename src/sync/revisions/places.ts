/**
 * What the state folder knows of the places that a project was synced with: the revision that each had last, and Studio's
 * numbers of its Instances in the life of its plugin.
 */
import { mkdir, readFile } from "node:fs/promises";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { parsedJson } from "../../util/parsed-json.ts";
import { writeWholeFileAsync } from "../../util/whole-file.ts";
import { numbersFile, placesFile, placeKey, type SyncState } from "../state-paths.ts";
import type { PlaceIdentity } from "../types.ts";

/** The names of revisions by the keys of places. */
export type Places = Readonly<Record<string, string>>;

const PRIVATE_FOLDER = 0o700;

export async function readPlacesAsync(state: SyncState): Promise<Places> {
  const text = await readFile(placesFile(state), "utf8").catch(() => "{}");
  const places: Places = Object(parsedJson(text));
  return Object.fromEntries(Object.entries(places).filter(([, name]) => typeof name === "string"));
}

/** Does nothing for a place that cannot be known again. Throws the system's error. */
export async function keepPlaceAsync(
  state: SyncState,
  place: PlaceIdentity,
  revision: string,
): Promise<void> {
  if (place.by === "unknown") return;
  const known = await readPlacesAsync(state);
  if (known[placeKey(place)] === revision) return;
  const places = { ...known, [placeKey(place)]: revision };
  await mkdir(state.folder, { recursive: true, mode: PRIVATE_FOLDER });
  await writeWholeFileAsync(placesFile(state), Buffer.from(JSON.stringify(places)));
}

/** Studio's numbers by those of items. */
export type StudioNumbers = ReadonlyMap<number, number>;

export function numbersOf(root: RojoNode): StudioNumbers {
  const numbers = new Map<number, number>();
  const visit = ({ item, studioId, children }: RojoNode): void => {
    if (item !== undefined && studioId !== undefined) numbers.set(item, studioId);
    for (const child of children) visit(child);
  };
  visit(root);
  return numbers;
}

/** Gives the nodes of a tree their numbers in Studio, and takes those of another life of the plugin away. */
export function giveNumbers(root: RojoNode, numbers: StudioNumbers): void {
  const studioId = root.item === undefined ? undefined : numbers.get(root.item);
  if (studioId === undefined) delete root.studioId;
  else root.studioId = studioId;
  for (const child of root.children) giveNumbers(child, numbers);
}

/** Throws the system's error. */
export async function keepNumbersAsync(
  state: SyncState,
  place: PlaceIdentity,
  generation: string,
  numbers: StudioNumbers,
): Promise<void> {
  if (place.by === "unknown") return;
  const pairs = new Uint8Array(new Int32Array([...numbers].flat()).buffer);
  const head = Buffer.from(`${JSON.stringify({ generation, size: pairs.length })}\n`);
  const bytes = Buffer.concat([head, pairs]);
  const path = numbersFile(state, place);
  // Most syncs change no number, and a write waits for the disk.
  const known = await readFile(path).catch(() => undefined);
  if (known?.equals(bytes) === true) return;
  await mkdir(state.folder, { recursive: true, mode: PRIVATE_FOLDER });
  await writeWholeFileAsync(path, bytes);
}

/** Empty for another life of the plugin, in which numbers mean other Instances, and for a file that is not whole. */
export async function readNumbersAsync(
  state: SyncState,
  place: PlaceIdentity,
  generation: string | undefined,
): Promise<StudioNumbers> {
  const found = new Map<number, number>();
  if (place.by === "unknown" || generation === undefined) return found;
  const file = await readFile(numbersFile(state, place)).catch(() => Buffer.alloc(0));
  const end = file.indexOf("\n");
  const facts = Object(parsedJson(file.toString("utf8", 0, Math.max(end, 0))));
  const bytes = file.subarray(end + 1);
  if (facts.generation !== generation || facts.size !== bytes.length) return found;
  // A copy, because numbers can only be read where they are aligned.
  const pairs = new Int32Array(new Uint8Array(bytes).buffer);
  for (let index = 0; index < pairs.length; index += 2) found.set(pairs[index] ?? 0, pairs[index + 1] ?? 0);
  return found;
}
