/** Shards: how they are written, that each file is in one of them, and that they take the same time; random orders. */
import { expect, test } from "bun:test";
import { filesOfShard, inOrderOf, isInShard, shardIn } from "../../../src/testing/shard.ts";

test("are written as NUMBER/COUNT", () => {
  expect(shardIn("2/4")).toEqual({ number: 2, count: 4 });
  for (const text of ["", "0/4", "5/4", "1/0", "1", "1/2/3", "a/b", "-1/2", "1/1001"])
    expect(shardIn(text)).toBeUndefined();
});

test("each file is in one shard, whatever other files there are, and no shard has nearly all files", () => {
  const files = Array.from({ length: 400 }, (_, index) => `src/folder${index % 7}/File${index}.spec.luau`);
  const shards = [1, 2, 3, 4].map((number) => files.filter((file) => isInShard(file, { number, count: 4 })));
  expect(shards.flat().toSorted()).toEqual(files.toSorted());
  for (const shard of shards) expect(shard.length).toBeWithin(60, 141);
});

const filesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `File${index}.spec.luau` }));

test("with known durations, shards take about the same time, and each file is in one of them", () => {
  const files = filesOf(40);
  // One file takes as long as twenty others, and the durations of half of the others are unknown.
  const msOf = ({ path }: { path: string }) =>
    path === "File7.spec.luau" ? 2000 : path.length === 15 ? undefined : 100;
  const shards = [1, 2, 3].map((number) => filesOfShard(files, { number, count: 3 }, msOf));
  expect(shards.flat().toSorted((a, b) => files.indexOf(a) - files.indexOf(b))).toEqual(files);
  const alone = shards.find((shard) => shard.some(({ path }) => path === "File7.spec.luau"));
  const longest = (shard: readonly unknown[]) => shard.length;
  expect(Math.max(...shards.map(longest))).toBeGreaterThan(longest(alone ?? []));
  // The order in which a machine finds its files does not matter.
  const reversed = filesOfShard(files.toReversed(), { number: 2, count: 3 }, msOf);
  expect(reversed.toReversed()).toEqual([...(shards[1] ?? [])]);
});

test("without known durations, and with files of 0 ms, no shard is empty", () => {
  const files = filesOf(30);
  const byPath = filesOfShard(files, { number: 1, count: 2 }, () => undefined);
  expect(byPath).toEqual(files.filter(({ path }) => isInShard(path, { number: 1, count: 2 })));
  expect(filesOfShard(files, { number: 2, count: 3 }, () => 0)).toHaveLength(10);
});

test("the same seed gives the same order, another seed another order, and a new file moves no other file", () => {
  const files = filesOf(20);
  expect(inOrderOf(files.toReversed(), 5)).toEqual(inOrderOf(files, 5));
  expect(inOrderOf(files, 6)).not.toEqual(inOrderOf(files, 5));
  const more = inOrderOf([...files, { path: "new.spec.luau" }], 5);
  expect(more.filter(({ path }) => path !== "new.spec.luau")).toEqual([...inOrderOf(files, 5)]);
});
