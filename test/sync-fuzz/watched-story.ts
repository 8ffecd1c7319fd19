/**
 * A random story of `sb sync --watch`: files and Studio are edited while it runs. When all is quiet, both sides must agree
 * apart from what was parked, and no edit may be lost.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { untilAsync } from "../harness.ts";
import { Watched } from "./watched.ts";
import { type Item, itemText, type Story, World } from "./world.ts";

/** Longer than any time for which the watch gathers changes. */
const QUIET_MS = 1_500;
const PATIENCE_MS = 20_000;

export interface StoryOptions {
  readonly seed: number;
  readonly edits: number;
  /** Each edit waits until the one before is on both sides, so that a seed always tells the same story. */
  readonly isPaced?: boolean;
}

export async function tellWatchedStoryAsync({ seed, edits, isPaced = false }: StoryOptions): Promise<Story> {
  await using world = await World.openAsync(seed);
  const { random } = world;
  const watched = new Watched(world.box, world.words);
  await watched.untilSyncedAsync();
  const log = watched.lines;
  const faults: string[] = [];
  try {
    for (let done = 0; done < edits; done++) {
      if (!isPaced && random.chance(0.02)) await playAsync(world, log);
      log.push(await world.editAsync());
      if (isPaced) await untilSettledAsync(world, done);
      else if (random.chance(0.6)) await Bun.sleep(random.below(random.chance(0.3) ? 1_500 : 300));
    }
    await watched.untilQuietAsync(QUIET_MS);
    await untilSettledAsync(world, edits);
  } catch (error) {
    // A person has left files there that make no project, and the watch says so.
    if (watched.summary.startsWith("not synced")) log.push("  the files cannot be read");
    else faults.push(error instanceof Error ? error.message : String(error));
  }
  if (!watched.isRunning) faults.push("the watch has ended by itself");
  const code = await watched.endAsync();
  if (code !== 130) faults.push(`the watch ended with ${code}`);
  faults.push(...(await world.lostAsync()));
  if (watched.summary.startsWith("not synced")) return { faults, log };
  const { items, said } = await world.syncAsync("--check");
  if (items === undefined)
    return { faults: [...faults, `"${watched.summary}", but --check says: ${said}`], log };
  faults.push(...faultsOfCheck(items, watched));
  return { faults: [...faults, ...(await world.leftOverAsync())], log };
}

/** Files are edited while a play test runs, in which nothing is synced. */
async function playAsync({ box, files }: World, log: string[]): Promise<void> {
  await box.sbAsync(["play", "start", "--server-only"]);
  log.push("  play start");
  for (let count = 0; count < 3; count++) log.push(`  ${await files.editAsync()}`);
  await box.sbAsync(["play", "stop"]);
  log.push("  play stop");
}

/** What is changed after all else comes to the other side after all else. */
async function untilSettledAsync({ project, studio }: World, number: number): Promise<void> {
  const [name, path] = [`Settled${number}`, join(project, "server", `Settled${number}.luau`)];
  writeFileSync(path, "return 1");
  await untilAsync(`${name} is in Studio`, () => studio.answersAsync(name), PATIENCE_MS);
  const isAnswered = () => (readFileSync(path, "utf8") === "return 2" ? true : undefined);
  await untilAsync(`${name} is in its file`, isAnswered, PATIENCE_MS);
}

function faultsOfCheck(items: readonly Item[], watched: Watched): string[] {
  const isOpen = ({ verdict }: Item) => verdict === "unresolved" || verdict === "skip";
  const faults = items.flatMap((item) => {
    if (!isOpen(item)) return [`was not synced: ${itemText(item)}`];
    return watched.hasParked(item) ? [] : [`was not told as parked: ${itemText(item)}`];
  });
  if (items.length === watched.parkedCount) return faults;
  const open = items.map(itemText).join("; ");
  return [...faults, `the summary says "${watched.summary}", and ${items.length} are open: ${open}`];
}
