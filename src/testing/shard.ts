/** A part of a run for one of several machines. The path of a file alone decides its part, so that a new file moves no other. */

export interface Shard {
  /** From 1. */
  readonly number: number;
  readonly count: number;
}

const MAX_SHARDS = 1000;

/** Reads `2/4`; undefined for what is none. */
export function shardIn(text: string): Shard | undefined {
  const [, number, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text)?.map(Number) ?? [];
  if (number === undefined || count === undefined) return undefined;
  return number >= 1 && number <= count && count <= MAX_SHARDS ? { number, count } : undefined;
}

export const shardText = ({ number, count }: Shard): string => `${number}/${count}`;

export function isInShard(path: string, { number, count }: Shard): boolean {
  const hash = new Bun.CryptoHasher("sha256").update(path).digest();
  return hash.readUInt32BE(0) % count === number - 1;
}
