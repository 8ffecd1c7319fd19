/** Shards: how they are written, and that each file is in one of them. */
import { expect, test } from "bun:test";
import { isInShard, shardIn } from "../../../src/testing/shard.ts";

test("are written as a number of a count", () => {
  expect(shardIn("2/4")).toEqual({ number: 2, count: 4 });
  for (const text of ["", "0/4", "5/4", "1/0", "1", "1/2/3", "a/b", "-1/2", "1/1001"])
    expect(shardIn(text)).toBeUndefined();
});

test("each file is in one, whatever other files there are, and no shard has nearly all", () => {
  const files = Array.from({ length: 400 }, (_, index) => `src/folder${index % 7}/File${index}.spec.luau`);
  const shards = [1, 2, 3, 4].map((number) => files.filter((file) => isInShard(file, { number, count: 4 })));
  expect(shards.flat().toSorted()).toEqual(files.toSorted());
  for (const shard of shards) expect(shard.length).toBeWithin(60, 141);
});
