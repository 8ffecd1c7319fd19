/**
 * Runs the plans of sync through many random changes of both sides, and measures plans of a large place.
 * `bun scripts/sync-plans.ts [--seeds N] [--from SEED] [--speed]`
 */
import { parseArgs } from "node:util";
import { agreedTree } from "../src/sync/plan/agreed.ts";
import { planOf } from "../src/sync/plan/plan.ts";
import { changeSome, largePlace } from "../test/unit/sync/plan/large-place.ts";
import { simulate } from "../test/unit/sync/plan/simulate.ts";
import { FOLDER, schema } from "../test/unit/sync/plan/trees.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20000" },
    from: { type: "string", default: "1" },
    speed: { type: "boolean", default: false },
  },
});

if (values.speed) measure();
else process.exitCode = runSeeds(Number(values.from), Number(values.seeds));

function runSeeds(first: number, count: number): number {
  let failures = 0;
  for (let seed = first; seed < first + count; seed++) {
    try {
      simulate(seed);
    } catch (error) {
      failures++;
      console.log(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  console.log(`${count} seeds, ${failures} failures`);
  return failures === 0 ? 0 : 1;
}

/** The time of the processor, because other programs may hold it up. */
function measure(): void {
  const { files, studio, base } = largePlace(60_000);
  const input = { files, studio, schema, folder: FOLDER };
  const show = (label: string, work: () => unknown): void => {
    const times = Array.from({ length: 7 }, () => {
      Bun.gc(true);
      const start = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    }).sort((one, other) => one - other);
    console.log(`${label}: ${times.map((time) => time.toFixed(0)).join(" ")} ms`);
  };
  show("60,000 equal Instances, first sync", () => planOf(input));
  show("60,000 equal Instances, with a base", () => planOf({ ...input, base }));
  show("the next base", () => agreedTree(planOf({ ...input, base }), new Set()));
  changeSome(studio);
  show("1 % changed, with a base", () => planOf({ ...input, base }));
}
