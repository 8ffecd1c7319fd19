/**
 * Random edits on both sides of a `sb sync --watch`, for as many stories as asked; exits 1 when an edit was lost or both
 * sides differ in the end. Needs a built dist/sb. `bun scripts/fuzz-sync.ts [--seeds 20] [--from 1] [--edits 30]`
 */
import { parseArgs } from "node:util";
import { tellStoryAsync } from "../test/sync-fuzz/story.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20" },
    from: { type: "string", default: "1" },
    edits: { type: "string", default: "30" },
  },
});

const first = Number(values.from);
let failures = 0;
for (let seed = first; seed < first + Number(values.seeds); seed++) {
  const { faults, log } = await tellStoryAsync({ seed, edits: Number(values.edits) });
  if (faults.length === 0) {
    console.log(`seed ${seed}: good`);
    continue;
  }
  failures++;
  console.log(`seed ${seed}:\n  ${faults.join("\n  ")}\n    ${log.join("\n    ")}`);
}
console.log(`${values.seeds} stories of ${values.edits} edits, ${failures} with faults`);
process.exitCode = failures === 0 ? 0 : 1;
