/**
 * Runs seeded schedules of the bridge's cores in virtual time: `bun scripts/simulate.ts [--seeds N] [--from SEED] [--asks]`.
 * With `--asks` a person at Studio is asked about every script. Prints every schedule that breaks a promise, and exits 1 if there was one.
 */
import { parseArgs } from "node:util";
import { simulate } from "../test/simulator/simulate.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20000" },
    from: { type: "string", default: "1" },
    asks: { type: "boolean", default: false },
  },
});
const [seeds, from] = [Number(values.seeds), Number(values.from)];
const startedAt = performance.now();
const total = { calls: 0, replies: 0, hosts: 0, steps: 0, holds: 0, refused: 0, broken: 0 };
for (let seed = from; seed < from + seeds; seed += 1) {
  const verdict = simulate(seed, { asks: values.asks });
  total.calls += verdict.calls;
  total.replies += verdict.replies;
  total.hosts += verdict.hosts;
  total.steps += verdict.steps;
  total.holds += verdict.holds;
  total.refused += verdict.refused;
  if (verdict.violations.length === 0) continue;
  total.broken += 1;
  console.log(`seed ${seed}: ${verdict.violations.join("; ")}`);
}
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(`${seeds} schedules in ${seconds} s: ${JSON.stringify(total)}`);
process.exitCode = total.broken === 0 ? 0 : 1;
