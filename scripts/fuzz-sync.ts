/**
 * Tells random stories of a project and a Studio that are edited and synced, and exits 1 when an edit was lost or both sides
 * do not agree as they should. Needs a built dist/sb.
 *
 *   --watched N      stories of edits beside a `sb sync --watch` (default: 20)
 *   --single N       stories of single syncs in all modes, many of which are undone
 *   --from SEED      the first seed (default: 1)
 *   --edits N        edits of a watched story, or rounds of a story of single syncs (default: 40, 12)
 */
import { parseArgs } from "node:util";
import { tellSingleStoryAsync } from "../test/sync-fuzz/single-story.ts";
import { tellWatchedStoryAsync } from "../test/sync-fuzz/watched-story.ts";
import type { Story } from "../test/sync-fuzz/world.ts";

const EDITS = 40;
const ROUNDS = 12;
const STORIES = 20;

const { values } = parseArgs({
  options: {
    watched: { type: "string" },
    single: { type: "string" },
    from: { type: "string", default: "1" },
    edits: { type: "string" },
  },
});

async function tellAsync(what: string, count: number, tellOneAsync: (seed: number) => Promise<Story>) {
  const first = Number(values.from);
  let bad = 0;
  for (let seed = first; seed < first + count; seed++) {
    const { faults, log } = await tellOneAsync(seed);
    if (faults.length === 0) {
      console.log(`${what} ${seed}: good`);
      continue;
    }
    bad++;
    console.log(`${what} ${seed}:\n  ${faults.join("\n  ")}\n    ${log.join("\n    ")}`);
  }
  console.log(`${count} stories (${what}), ${bad} with faults`);
  if (bad > 0) process.exitCode = 1;
}

const { watched, single, edits } = values;
if (single !== undefined)
  await tellAsync("single", Number(single), (seed) => tellSingleStoryAsync(seed, Number(edits ?? ROUNDS)));
if (watched !== undefined || single === undefined)
  await tellAsync("watched", Number(watched ?? STORIES), (seed) =>
    tellWatchedStoryAsync({ seed, edits: Number(edits ?? EDITS) }),
  );
