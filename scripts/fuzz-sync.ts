/**
 * Tells random histories of files, Studio and git that are edited and synced, and exits 1 when an edit was lost or both sides
 * do not agree as they should. Without `--watched` or `--single` it runs the model, in which each value knows what it was made
 * from: thousands of histories a minute, with kills, undo, older places and several machines.
 *
 *   --histories N    histories of the model (default: 2000)
 *   --rules NAME     only these rules of the model; others than the guarded ones have faults, which shows what they lack
 *   --from SEED      the first seed (default: 1)
 *   --story          what happens in the history of that seed, whole and, if it has a fault, as short as it can be
 *   --watched N      stories of edits beside a `sb sync --watch` of dist/sb
 *   --single N       stories of single syncs of dist/sb in all modes, many of which are undone
 *   --edits N        edits of a watched story, or rounds of a story of single syncs (default: 40, 12)
 */
import { parseArgs } from "node:util";
import { tellSingleStoryAsync } from "../test/sync-fuzz/single-story.ts";
import { eventsOfSeed, shrunk, tell } from "../test/sync-model/history.ts";
import { bareNames, guardedNames } from "../test/sync-model/name-rules.ts";
import { product } from "../test/sync-model/product-rules.ts";
import { placeBases } from "../test/sync-model/place-rules.ts";
import { reportLines, reportOn, shortest } from "../test/sync-model/report.ts";
import type { Rules } from "../test/sync-model/rules.ts";
import { tellWatchedStoryAsync } from "../test/sync-fuzz/watched-story.ts";
import type { Story } from "../test/sync-fuzz/world.ts";

const EDITS = 40;
const ROUNDS = 12;
const HISTORIES = 2_000;

const { values } = parseArgs({
  options: {
    watched: { type: "string" },
    single: { type: "string" },
    histories: { type: "string" },
    rules: { type: "string" },
    story: { type: "boolean", default: false },
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

const RULES: readonly Rules[] = [placeBases, bareNames, guardedNames, product];
const seed = Number(values.from);

function tellModel(rules: Rules): void {
  const report = reportOn(rules, seed, Number(values.histories ?? HISTORIES));
  for (const line of reportLines(report)) console.log(line);
  for (const [found, events] of shortest(report))
    console.log(`  seed ${found}:\n    ${tell(events, rules).story.join("\n    ")}`);
  if ((rules === guardedNames || rules === product) && report.faults.size > 0) process.exitCode = 1;
}

function tellStory(rules: Rules): void {
  const events = eventsOfSeed(seed);
  const { story, tally } = tell(events, rules);
  console.log(`${rules.name}, seed ${seed}:\n  ${story.join("\n  ")}`);
  const [fault] = tally.faults;
  if (fault === undefined) return;
  const short = tell(shrunk(events, rules, fault.kind), rules).story;
  console.log(`as short as it can be:\n  ${short.join("\n  ")}`);
}

const { watched, single, edits } = values;
if (single !== undefined)
  await tellAsync("single", Number(single), (each) => tellSingleStoryAsync(each, Number(edits ?? ROUNDS)));
if (watched !== undefined)
  await tellAsync("watched", Number(watched), (each) =>
    tellWatchedStoryAsync({ seed: each, edits: Number(edits ?? EDITS) }),
  );
if (single === undefined && watched === undefined) {
  const chosen = RULES.filter(({ name }) => values.rules === undefined || name === values.rules);
  if (chosen.length === 0) throw new Error(`--rules: ${RULES.map(({ name }) => `"${name}"`).join(", ")}`);
  for (const rules of chosen) (values.story ? tellStory : tellModel)(rules);
}
