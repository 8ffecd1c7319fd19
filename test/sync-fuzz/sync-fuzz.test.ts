/** `sb sync --watch` under random edits of both sides, one by one. Longer runs, with bursts: `bun scripts/fuzz-sync.ts`. */
import { expect, test } from "bun:test";
import { tellWatchedStoryAsync } from "./watched-story.ts";

test("after random edits of files and Studio both sides agree, and no edit is lost", async () => {
  const { faults, log } = await tellWatchedStoryAsync({ seed: 1, edits: 4, isPaced: true });
  expect({ faults, log: faults.length === 0 ? [] : log }).toEqual({ faults: [], log: [] });
}, 120_000);
