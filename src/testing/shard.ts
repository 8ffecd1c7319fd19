/**
 * Divides the files of a run into shards, one for each of several machines. With a history, the shards take about the same
 * time. Without one, the path of a file alone decides its shard, so that a new file does not move the others. The module also
 * gives files their random order.
 */

export interface Shard {
  /** From 1. */
  readonly number: number;
  readonly count: number;
}

const MAX_SHARDS = 1000;

/** Reads `2/4`; undefined for any other text. */
export function shardIn(text: string): Shard | undefined {
  const [, number, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text)?.map(Number) ?? [];
  if (number === undefined || count === undefined) return undefined;
  return number >= 1 && number <= count && count <= MAX_SHARDS ? { number, count } : undefined;
}

export const shardText = ({ number, count }: Shard): string => `${number}/${count}`;

export function isInShard(path: string, { number, count }: Shard): boolean {
  return hashOf(path) % count === number - 1;
}

/**
 * The files of a shard. `msOf` gives the duration of a file if it is known; an unknown one counts as the average. Files are
 * taken from the longest to the shortest, and each goes to the shard with the least work. With the same files and durations,
 * all machines divide alike.
 */
export function filesOfShard<File extends { readonly path: string }>(
  files: readonly File[],
  { number, count }: Shard,
  msOf: (file: File) => number | undefined,
): readonly File[] {
  const known = files.flatMap((file) => msOf(file) ?? []);
  if (known.length === 0) return files.filter(({ path }) => isInShard(path, { number, count }));
  const average = known.reduce((sum, ms) => sum + ms, 0) / known.length;
  const sized = files.map((file) => ({ file, ms: msOf(file) ?? average }));
  // Files that take 0 ms would all go to one shard, because they add nothing to its work.
  const least = Math.max(1, average / 1000);
  const loads = Array.from({ length: count }, () => 0);
  const own = new Set<File>();
  for (const { file, ms } of sized.toSorted(
    (one, other) => other.ms - one.ms || byPath(one.file, other.file),
  )) {
    const index = loads.indexOf(Math.min(...loads));
    loads[index] = (loads[index] ?? 0) + Math.max(ms, least);
    if (index === number - 1) own.add(file);
  }
  return files.filter((file) => own.has(file));
}

/** The random order that belongs to the seed. A new file does not change the order of the others. */
export function inOrderOf<File extends { readonly path: string }>(
  files: readonly File[],
  seed: number,
): readonly File[] {
  const keyed = files.map((file) => ({ file, key: hashOf(`${seed}\0${file.path}`) }));
  return keyed
    .toSorted((one, other) => one.key - other.key || byPath(one.file, other.file))
    .map(({ file }) => file);
}

/** Compares by characters and not by the language of the machine, so that the order is the same on all machines. */
const byPath = (one: { readonly path: string }, other: { readonly path: string }): number =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : 0;

const hashOf = (text: string): number => new Bun.CryptoHasher("sha256").update(text).digest().readUInt32BE(0);
