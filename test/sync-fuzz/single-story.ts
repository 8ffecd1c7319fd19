/**
 * A random story of single syncs: both sides are edited, then synced in any mode, and often the sync is taken back. A mode
 * that changes nothing changes nothing, a second sync has nothing to do, and an undo restores both sides as they were.
 */
import { type Item, itemText, type Story, World } from "./world.ts";

const PLACE = "game/place.rbxl";
const MODES = [
  ["--partial"],
  ["--partial"],
  ["--partial", "--allow-removals", "100"],
  ["--mode", "standard"],
  ["--mode", "fastfail"],
  ["--mode", "dryrun"],
  ["--mode", "manual"],
  ["--check"],
  ["--from", PLACE, "--partial"],
] as const;
/** The statuses of a sync that has changed nothing. */
const IDLE = new Set(["empty", "dryrun", "different", "rejected", "fastfail_unresolved"]);

export async function tellSingleStoryAsync(seed: number, rounds: number): Promise<Story> {
  await using world = await World.openAsync(seed);
  const log: string[] = [];
  const faults: string[] = [];
  await world.box.localSbAsync(["build", "game", "-o", PLACE]);
  await world.syncAsync("--partial");
  for (let round = 0; round < rounds && faults.length === 0; round++) {
    if (world.random.chance(0.3)) await world.box.localSbAsync(["build", "game", "-o", PLACE]);
    for (let count = world.random.below(7); count > 0; count--) log.push(await world.editAsync());
    faults.push(...(await syncAsync(world, log)));
    faults.push(...(await world.lostAsync()));
  }
  return { faults, log };
}

async function syncAsync(world: World, log: string[]): Promise<string[]> {
  const { random } = world;
  const words = MODES[random.below(MODES.length)] ?? MODES[0];
  const before = await picturesAsync(world);
  const choices = random.chance(0.3) ? await choicesAsync(world, words) : [];
  const { status, items, said } =
    choices.length === 0
      ? await world.syncAsync(...words)
      : await world.chooseAsync(...words, ...choices.flatMap((choice) => ["--override", choice]));
  log.push(
    `  sync ${[...words, ...choices].join(" ")}: ${status}`,
    ...(items ?? []).map((item) => `    ${itemText(item)}`),
  );
  // A person has left files there that make no project.
  if (items === undefined) return said.includes("FILE_ERROR") ? [] : [`sync ${words.join(" ")} says ${said}`];
  if (IDLE.has(status)) return differencesOf(before, await picturesAsync(world), `${status} has changed`);
  if (random.chance(0.5)) return undoAsync(world, before, log);
  // What failed is tried again.
  if (status === "partial_failure") await world.syncAsync(...words);
  const again = await world.syncAsync(...words, "--mode", "dryrun");
  return (again.items ?? []).flatMap((item) =>
    isOpen(item) ? [] : [`${status}, but was not synced: ${itemText(item)}`],
  );
}

/** A side for each change that is open. */
async function choicesAsync(world: World, words: readonly string[]): Promise<readonly string[]> {
  const { items = [] } = await world.syncAsync(...words, "--mode", "dryrun");
  const sides = ["push", "pull", "merge", "skip"];
  return items.flatMap(({ id, verdict }) =>
    verdict === "unresolved" ? [`${id}=${sides[world.random.below(sides.length)]}`] : [],
  );
}

async function undoAsync(world: World, before: Pictures, log: string[]): Promise<string[]> {
  const { stdout, stderr, exitCode } = await world.box.sbAsync(["sync", "undo", "game"]);
  log.push(`  undo: ${exitCode} ${stdout}${stderr}`);
  if (exitCode !== 0) return [`undo ended with ${exitCode}: ${stdout}${stderr}`];
  return differencesOf(before, await picturesAsync(world), "undo has left");
}

const isOpen = ({ verdict }: Item): boolean => verdict === "unresolved" || verdict === "skip";

/** What each side holds, as lines. */
type Pictures = readonly (readonly string[])[];

const picturesAsync = async ({ files, studio }: World): Promise<Pictures> => [
  files.picture(),
  await studio.pictureAsync(),
];

function differencesOf(before: Pictures, after: Pictures, what: string): string[] {
  return before.flatMap((lines, side) => {
    const now = after[side] ?? [];
    const gone = lines.filter((line) => !now.includes(line)).map((line) => `- ${line}`);
    const come = now.filter((line) => !lines.includes(line)).map((line) => `+ ${line}`);
    return gone.length + come.length === 0 ? [] : [`${what}:\n    ${[...gone, ...come].join("\n    ")}`];
  });
}
