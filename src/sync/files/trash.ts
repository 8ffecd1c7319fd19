/**
 * The trash of a project, `.sb/trash/PLAN/PATH` beside the project file: whatever a pull replaces or removes is moved there,
 * so that it can be brought back.
 */
import { lstat, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { OWN_FOLDER } from "../../roblox/rojo/files.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import { isBelow } from "../../util/path-inside.ts";
import { systemCodeOf } from "../../util/system-error.ts";
import { PathFault, type Root, rootAround } from "./safe-path.ts";

const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_BYTES = 200 * 1024 * 1024;

export const trashFolder = (root: Root): string => join(root.real, OWN_FOLDER, "trash");

/** Makes `.sb` with a `.gitignore`, so that git never sees what is in it. Throws PathFault, or the system's error. */
export async function openTrashAsync(root: Root): Promise<void> {
  for (const path of [join(root.real, OWN_FOLDER), trashFolder(root)]) {
    await mkdir(path).catch((error: unknown) => {
      if (systemCodeOf(error) !== "EEXIST") throw error;
    });
    if (!(await lstat(path)).isDirectory())
      throw new PathFault(`${path} must be a folder that sb made, and is a link or a file`);
  }
  await writeFile(join(root.real, OWN_FOLDER, ".gitignore"), "*\n", { flag: "wx" }).catch(
    (error: unknown) => {
      if (systemCodeOf(error) !== "EEXIST") throw error;
    },
  );
}

/** Gives each body a place of its own below the folder of a plan. */
export class TrashPlaces {
  readonly #folder: string;
  readonly #roots: readonly Root[];
  readonly #taken = new Set<string>();

  /** The first of the roots is the project's folder. */
  constructor(project: Root, roots: readonly Root[], planId: string) {
    this.#folder = join(trashFolder(project), planId);
    this.#roots = roots;
  }

  placeFor(path: string): string {
    const inside = join(this.#folder, this.#wayTo(path));
    let place = inside;
    for (let count = 2; this.#taken.has(place.toLowerCase()); count++) place = `${inside}~${count}`;
    this.#taken.add(place.toLowerCase());
    return place;
  }

  #wayTo(path: string): string {
    const [project] = this.#roots;
    if (project !== undefined && isBelow(project.path, path)) return relative(project.path, path);
    const root = rootAround(this.#roots, path);
    if (root === undefined) throw new PathFault("is outside of the project's folders");
    return join("outside", gitBlobHash(root.real).slice(0, 8), relative(root.path, path));
  }
}

/** Removes the trash of plans that are older than 30 days, and beyond 200 MB the oldest ones. Returns their ids. */
export async function pruneTrashAsync(
  root: Root,
  keep: string,
  now = Date.now(),
): Promise<readonly string[]> {
  const folder = trashFolder(root);
  const names = await readdir(folder).catch(() => []);
  const removed: string[] = [];
  let bytes = 0;
  // Ids of plans begin with their time, so that the newest sort last.
  for (const name of names.filter(isPlanId).sort().reverse()) {
    bytes += await sizeAsync(join(folder, name));
    if (name === keep || (!isOldPlan(name, now) && bytes <= MAX_BYTES)) continue;
    await rm(join(folder, name), { recursive: true, force: true });
    removed.push(name);
  }
  return removed;
}

async function sizeAsync(path: string): Promise<number> {
  const facts = await lstat(path);
  if (!facts.isDirectory()) return facts.size;
  const sizes = await Promise.all((await readdir(path)).map((name) => sizeAsync(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const PLAN_ID = /^(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})-[0-9a-f]{6}(-undo)?$/;
export const isPlanId = (text: string): boolean => PLAN_ID.test(text);

/** `20260314-092653-a1b2c3`: the time in UTC, and chance. */
export function newPlanId(now = new Date()): string {
  const digits = now.toISOString().replace(/\D/g, "");
  const chance = crypto.getRandomValues(new Uint8Array(3)).toHex();
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${chance}`;
}

/** Whether nothing of a plan is kept any longer. */
export const isOldPlan = (id: string, nowMs: number): boolean => timeOfPlan(id) <= nowMs - MAX_AGE_MS;

function timeOfPlan(id: string): number {
  const [, year, month, day, hour, minute, second] = PLAN_ID.exec(id) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
