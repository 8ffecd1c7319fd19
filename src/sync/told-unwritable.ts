/** Remembers which properties that no script can write were reported already, because people cannot do much about them. */
import { mkdir, readFile } from "node:fs/promises";
import { parsedJson } from "../util/parsed-json.ts";
import { writeWholeFileAsync } from "../util/whole-file.ts";
import { aspectKey } from "./plan/aspects.ts";
import { type SyncState, toldFile } from "./state-paths.ts";
import type { PlanItem } from "./types.ts";

const PRIVATE_FOLDER = 0o700;

/** The items of which people know all; what they do not know counts as told from now on. Throws the system's error. */
export async function toldBeforeAsync(
  state: SyncState,
  items: readonly PlanItem[],
): Promise<ReadonlySet<PlanItem>> {
  const unwritable = items.filter(({ reason }) => reason === "unwritable");
  if (unwritable.length === 0) return new Set();
  const text = await readFile(toldFile(state), "utf8").catch(() => "[]");
  const known: unknown = parsedJson(text);
  const told = new Set<unknown>(Array.isArray(known) ? known : []);
  const before = new Set(unwritable.filter((item) => keysOf(item).every((key) => told.has(key))));
  if (before.size === unwritable.length) return before;
  const all = [...told, ...unwritable.flatMap(keysOf)];
  await mkdir(state.folder, { recursive: true, mode: PRIVATE_FOLDER });
  await writeWholeFileAsync(toldFile(state), Buffer.from(JSON.stringify([...new Set(all)])));
  return before;
}

const keysOf = ({ path, change, aspects }: PlanItem): string[] =>
  aspects.length === 0 ? [`${change} ${path}`] : aspects.map((aspect) => `${aspectKey(aspect)} of ${path}`);
